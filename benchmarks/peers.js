// Shapes of programs that model checkers are compared on, by `optimal`: executions per CPU second, warm-up included, as the
// ratio to the same program under a fixed schedule and to what the last release did.
// npm run bench -- peers [--executions N] [--record NAME] [SHAPE …]
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, wasmMachine } from '../dist/frontends/wasm/index.js'
import { createStrategy, everywhere, Runner } from '../dist/index.js'
import { cpuNanoseconds, grouped, median, table } from './measure.js'

const folder = fileURLToPath(new URL('./programs/', import.meta.url))
const recordFile = new URL('./peers.json', import.meta.url)

/** Each with more than 50 000 classes, but for the tree. */
const sizes = { chains: 7, locks: 9, philosophers: 16, relay: 18, stores: 6, mixed: 7, tree: 7 }

async function machineOf(shape, options = {}) {
  const artifact = await build({ sources: ['peers.c'], cwd: folder })
  const machine = await wasmMachine(artifact, { ...options, args: [shape, String(sizes[shape])] })
  machine.usePoints(everywhere)
  return machine
}

/** Nanoseconds of a piece of work that has nothing to do with ours: figures of two machines are compared by it. */
function yardstick() {
  const cells = new Int32Array(1 << 12)
  const samples = []
  for (let round = 0; round < 9; round++) {
    const start = cpuNanoseconds()
    let at = round
    for (let i = 0; i < 2_000_000; i++) {
      at = (Math.imul(at, 1664525) + 1013904223) | 0
      cells[at & 4095] += cells[(at >>> 12) & 4095] ^ i
    }
    samples.push((cpuNanoseconds() - start) / 2_000_000)
  }
  return Math.min(...samples)
}

/** Nanoseconds of an execution under a fixed schedule, once warm. */
function fixedSchedule(machine, executions) {
  const runner = new Runner(machine)
  /** @type {import('../dist/index.js').Strategy} */
  const recorder = {
    name: 'fixed',
    footprints: true,
    script: { thread: new Int32Array(0), value: new Int32Array(0), length: 0 },
    begin: () => true,
    choose: (point) => Math.max(point.stay, 0),
    end() {},
    save: () => ({}),
  }
  runner.run(recorder)
  const { thread, value, length } = runner.trace
  const script = { thread: thread.slice(0, length), value: value.slice(0, length), length }
  const fixed = { ...recorder, script, choose: () => -1 }
  const samples = []
  for (let round = 0; round < 5; round++) {
    const start = cpuNanoseconds()
    for (let n = 0; n < executions; n++) runner.run(fixed)
    samples.push((cpuNanoseconds() - start) / executions)
  }
  return median(samples)
}

/** One shape, in this process; prints its figures as JSON. */
async function measure(shape, limit) {
  const machine = await machineOf(shape)
  const strategy = createStrategy('optimal', { machine })
  const runner = new Runner(machine)
  let executions = 0
  let blocked = 0
  let steps = 0
  const start = cpuNanoseconds()
  while (executions < limit && runner.run(strategy)) {
    if (runner.status === 'blocked') blocked++
    else executions++
    steps += runner.trace.length
  }
  const nanoseconds = (cpuNanoseconds() - start) / executions
  // The same schedule again and again must be run, neither found at a checkpoint nor done from memory.
  const fixed = fixedSchedule(await machineOf(shape, { checkpoints: 'off', recall: 'off' }), 2000)
  console.log(JSON.stringify({ executions, blocked, steps, nanoseconds, fixed, unit: yardstick() }))
}

export default async function peers(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      executions: { type: 'string', default: '100000' },
      record: { type: 'string' },
      measure: { type: 'string' },
    },
  })
  if (values.measure !== undefined) return measure(values.measure, Number(values.executions))
  const recorded = JSON.parse(readFileSync(recordFile, 'utf8'))
  const shapes = positionals.length > 0 ? positionals : Object.keys(sizes)
  const rows = [['', 'executions', 'steps', 'per CPU s', 'to fixed', `to ${recorded.release}`]]
  const units = {}
  for (const shape of shapes) {
    // A process of its own: what one shape has warmed up must not help the next.
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        fileURLToPath(new URL('./run.js', import.meta.url)),
        'peers',
        ...['--measure', shape, '--executions', values.executions],
      ],
      { encoding: 'utf8' },
    )
    if (stdout === '') throw new Error(stderr)
    const { executions, blocked, steps, nanoseconds, fixed, unit } = JSON.parse(stdout)
    if (blocked > 0) throw new Error(`${shape}: ${blocked} blocked executions`)
    units[shape] = Math.round(nanoseconds / unit)
    rows.push([
      `${shape} ${sizes[shape]}`,
      grouped(executions),
      (steps / executions).toFixed(0),
      grouped(1e9 / nanoseconds),
      `${(fixed / nanoseconds).toFixed(2)} ×`,
      `${(recorded.units[shape] / (nanoseconds / unit)).toFixed(2)} ×`,
    ])
  }
  table(rows)
  console.log('(to fixed: executions per second as a multiple of those under a fixed schedule)')
  if (values.record !== undefined) {
    writeFileSync(recordFile, `${JSON.stringify({ release: values.record, units }, null, 2)}\n`)
  }
}
