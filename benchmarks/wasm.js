// The wasm machine on fixed C programs: pace of strategies, what switching and logging cost, start-up, memory.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, wasmMachine } from '../dist/frontends/wasm/index.js'
import { fileAt, runTool } from '../dist/frontends/wasm/toolchain/clang.js'
import { createStrategy, everywhere, parsePoints, Runner } from '../dist/index.js'
import { raceDetector } from '../dist/races/index.js'
import { WatchOperations } from '../dist/runs/watch-operations.js'
import { compare, grouped, memoryInUse, table } from './measure.js'

const folder = fileURLToPath(new URL('./programs/', import.meta.url))

async function machineOf(file, points = everywhere, options = {}) {
  const machine = await wasmMachine(await build({ sources: [file], cwd: folder }), options)
  machine.usePoints(points)
  return machine
}

/** Executions, a new strategy whenever one has nothing left; reruns and blocked ones are not counted. */
function run(machine, makeStrategy, executions, observers = []) {
  const runner = new Runner(machine, { observers })
  let strategy = makeStrategy()
  let complete = 0
  while (complete < executions) {
    if (!runner.run(strategy)) strategy = makeStrategy()
    else if (runner.status !== 'blocked' && !strategy.rerun) complete++
  }
  return complete
}

async function pace() {
  const programs = ['counter.c', 'mutex-counter.c', 'readers.c', 'stack.c', 'ring.c', 'bakery.c', 'late.c']
  const rows = [['executions/s', 'dfs', 'optimal', 'as in deepening', 'pos']]
  for (const file of programs) {
    const machine = await machineOf(file)
    const pos = createStrategy('pos', { machine })
    const make = {
      dfs: () => createStrategy('dfs', { machine }),
      optimal: () => createStrategy('optimal', { machine }),
      pos: () => pos,
    }
    // What a job of Iterative Deepening does: the same search, watched for races and for kinds of operations.
    const watching = [new WatchOperations(), raceDetector('pure', machine)]
    const cost = compare(
      {
        dfs: () => run(machine, make.dfs, 10_000),
        optimal: () => run(machine, make.optimal, 10_000),
        deepening: () => run(machine, make.optimal, 10_000, watching),
        pos: () => run(machine, make.pos, 10_000),
      },
      { rounds: 7 },
    )
    rows.push([file, ...Object.values(cost).map((nanoseconds) => grouped(1e9 / nanoseconds))])
  }
  table(rows)
  console.log('(aims on counter.c: dfs over 100 000, optimal over 50 000)')
}

/** Follows the choices of one run for ever. */
function scripted(machine, choose) {
  const runner = new Runner(machine)
  /** @type {import('../dist/index.js').Strategy} */
  const recorder = {
    name: 'record',
    footprints: false,
    script: { thread: new Int32Array(0), value: new Int32Array(0), length: 0 },
    begin: () => true,
    choose,
    end() {},
    save: () => ({}),
  }
  runner.run(recorder)
  const { thread, value, length, switches } = runner.trace
  const script = { thread: thread.slice(0, length), value: value.slice(0, length), length }
  const strategy = { ...recorder, script, choose: () => -1 }
  return { strategy, switches, steps: length }
}

async function switching() {
  // The same schedule again and again must be run, not found at a checkpoint.
  const whole = { checkpoints: 'off', recall: 'off' }
  const machine = await machineOf('switches.c', everywhere, whole)
  const none = await machineOf('switches.c', parsePoints('yield'), whole)
  const stay = scripted(machine, (point) => Math.max(point.stay, 0))
  const leave = scripted(machine, (point) => {
    for (let i = 0; i < point.count; i++) if (point.thread[i] !== point.previous) return i
    return 0
  })
  const calm = scripted(none, (point) => Math.max(point.stay, 0))
  const times = (m, strategy) => () => run(m, () => strategy, 300)
  const cost = compare({
    calm: times(none, calm.strategy),
    stay: times(machine, stay.strategy),
    leave: times(machine, leave.strategy),
  })
  const yields = stay.steps - calm.steps
  const perYield = (cost.stay - cost.calm) / yields
  const perSwitch = (cost.leave - cost.stay) / (leave.switches - stay.switches)
  console.log(
    `\na point where the thread stays ${perYield.toFixed(1)} ns, a switch ${perSwitch.toFixed(0)} ns more`,
  )
}

/** The kernel compiled as usual, without any hook. */
async function plainKernel() {
  const args = [
    '--target=wasm32-wasip1',
    '-O0',
    '-nostdlib',
    '-Wl,--no-entry',
    '-Wl,--export=main',
    '-Wl,--export=__original_main',
    'kernel.c',
    '-o',
    'kernel.wasm',
  ]
  const { ok, files, stderr } = await runTool('clang', args, {
    'kernel.c': readFileSync(join(folder, 'kernel.c')),
  })
  if (!ok) throw new Error(stderr)
  const { instance } = await WebAssembly.instantiate(Uint8Array.from(fileAt(files, 'kernel.wasm')))
  return instance.exports.__original_main ?? instance.exports.main
}

async function slowdown() {
  const plain = await plainKernel()
  const machine = await machineOf('kernel.c', parsePoints('yield'))
  const logging = await machineOf('kernel.c', parsePoints('yield'))
  const runner = new Runner(machine)
  const watched = new Runner(logging, { observers: [{ footprints: true }] })
  const fixed = { ...scripted(machine, () => 0).strategy, choose: () => 0 }
  const observed = { ...scripted(logging, () => 0).strategy, choose: () => 0 }
  const repeat = (work) => () => {
    for (let i = 0; i < 10; i++) work()
    return 10
  }
  const cost = compare({
    plain: repeat(plain),
    instrumented: repeat(() => runner.run(fixed)),
    logged: repeat(() => watched.run(observed)),
  })
  watched.run(observed)
  const accesses = watched.trace.events.count
  console.log(
    `\ninstrumented code without points: ${(cost.instrumented / cost.plain).toFixed(1)} × the same module uninstrumented (aim: below 8)`,
  )
  console.log(
    `an access costs ${((cost.instrumented - cost.plain) / accesses).toFixed(1)} ns more when logged, ` +
      `${((cost.logged - cost.plain) / accesses).toFixed(1)} ns when the log is read too`,
  )
}

function startUp() {
  const cache = mkdtempSync(join(tmpdir(), 'faultline-bench-'))
  const command = fileURLToPath(new URL('../bin/faultline.js', import.meta.url))
  const argv = [
    command,
    'check',
    'counter.c',
    '-s',
    'dfs',
    '--executions',
    '1',
    '--self-check',
    '0',
    '--json',
  ]
  const once = () => {
    const start = performance.now()
    const { status, stderr } = spawnSync(process.execPath, argv, {
      cwd: folder,
      env: { ...process.env, FAULTLINE_CACHE: cache },
    })
    if (status !== 0) throw new Error(String(stderr))
    return (performance.now() - start) / 1000
  }
  const cold = once()
  const cached = Math.min(...Array.from({ length: 5 }, once))
  rmSync(cache, { recursive: true })
  console.log(
    `\ncommand to first execution: ${cold.toFixed(1)} s cold, ${cached.toFixed(2)} s cached (aim: below 0.7; wall time, best of 5)`,
  )
}

async function memory() {
  const machine = await machineOf('counter.c')
  const create = () => createStrategy('dfs', { machine })
  run(machine, create, 10_000)
  const before = memoryInUse()
  run(machine, create, 1_000_000)
  const after = memoryInUse()
  console.log(
    `\nmemory over 1 000 000 executions of dfs: ${grouped(before / 1024)} KiB before, ${grouped(after / 1024)} KiB after`,
  )
}

export default async function wasm() {
  console.log('CPU time on one core, after warm-up')
  await pace()
  await switching()
  await slowdown()
  startUp()
  await memory()
}
