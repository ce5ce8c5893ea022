// What the heap checker costs: executions per second with it, and with its look at every access taken out.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build, wasmMachine } from '../dist/frontends/wasm/index.js'
import { HeapShadow } from '../dist/frontends/wasm/machine/heap-shadow.js'
import { createStrategy, everywhere, parsePoints, Runner } from '../dist/index.js'
import { compare, grouped, table } from './measure.js'

const folder = fileURLToPath(new URL('./programs/', import.meta.url))
const programs = ['counter.c', 'readers.c', 'blocks.c']
/** @type {Record<string, [strategy: string, points: import('../dist/index.js').PointSet]>} */
const ways = {
  'pos, every access a point': ['pos', everywhere],
  'random, points at locks': ['random', parsePoints('lock')],
}

/** Nanoseconds per execution, by program and way. */
async function measure() {
  const costs = {}
  for (const file of programs) {
    for (const [way, [strategy, points]] of Object.entries(ways)) {
      const machine = await wasmMachine(await build({ sources: [file], cwd: folder }))
      machine.usePoints(points)
      const runner = new Runner(machine)
      const sampler = createStrategy(strategy, { machine })
      const run = () => {
        for (let i = 0; i < 1000; i++) runner.run(sampler)
        return 1000
      }
      costs[`${file}: ${way}`] = compare({ run }, { rounds: 7 }).run
    }
  }
  return costs
}

/** In a process of its own, so that the compiler sees one checker only. */
function inChild(checker) {
  const script = `import('${import.meta.url}').then((bench) => bench.child('${checker}'))`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

export async function child(checker) {
  if (checker === 'off') HeapShadow.prototype.isClosed = () => false
  console.log(JSON.stringify(await measure()))
}

export default function heap() {
  const rounds = [0, 1, 2].map(() => ({ on: inChild('on'), off: inChild('off') }))
  const best = (checker, name) => Math.min(...rounds.map((round) => round[checker][name]))
  const rows = [['executions/s', 'with', 'without', 'costs']]
  for (const name of Object.keys(rounds[0].on)) {
    const [on, off] = [best('on', name), best('off', name)]
    rows.push([name, grouped(1e9 / on), grouped(1e9 / off), `${(on / off).toFixed(2)} ×`])
  }
  table(rows)
  console.log('(aim: below 1.5 ×; CPU time on one core, best of three)')
}
