// What race detection costs: executions per second without it and with each detector, and memory over many executions.
import { fileURLToPath } from 'node:url'
import { build, wasmMachine } from '../dist/frontends/wasm/index.js'
import { createStrategy, everywhere, modelMachine, parsePoints, Runner } from '../dist/index.js'
import { raceDetector, raceKinds } from '../dist/races/index.js'
import { lastzero, mutexCounter } from './known-programs.js'
import { compare, grouped, memoryInUse, table } from './measure.js'

const folder = fileURLToPath(new URL('./programs/', import.meta.url))

/** Goes through executions, beginning anew whenever a search has nothing left; reruns are not counted. */
function runner(machine, strategyName, observers) {
  const runner = new Runner(machine, { observers })
  let strategy = createStrategy(strategyName, { machine })
  return (executions) => {
    let complete = 0
    while (complete < executions) {
      if (!runner.run(strategy)) strategy = createStrategy(strategyName, { machine })
      else if (!strategy.rerun) complete++
    }
    return complete
  }
}

/** @returns {Promise<[name: string, machine: import('../dist/index.js').Machine][]>} */
async function subjects() {
  const c = async (file, points = everywhere) => {
    const machine = await wasmMachine(await build({ sources: [file], cwd: folder }))
    machine.usePoints(points)
    return machine
  }
  const model = (program) => {
    const machine = modelMachine(program)
    machine.usePoints(everywhere)
    return machine
  }
  return [
    ['counter.c', await c('counter.c')],
    ['counter.c, points yield', await c('counter.c', parsePoints('yield'))],
    ['mutex-counter.c', await c('mutex-counter.c')],
    ['readers.c', await c('readers.c')],
    ['kernel.c', await c('kernel.c')],
    ['model mutex counter(3)', model(mutexCounter(3))],
    ['model lastzero(8)', model(lastzero(8))],
  ]
}

export default async function races() {
  const rows = [['executions/s', 'strategy', 'no detector', ...raceKinds().flatMap((kind) => [kind, 'cost'])]]
  const costs = []
  for (const [name, machine] of await subjects()) {
    for (const strategy of ['optimal', 'pos', 'dfs']) {
      const works = { none: runner(machine, strategy, []) }
      for (const kind of raceKinds()) works[kind] = runner(machine, strategy, [raceDetector(kind, machine)])
      const batch = name === 'kernel.c' ? 10 : 2000
      const cost = compare(
        Object.fromEntries(Object.entries(works).map(([key, work]) => [key, () => work(batch)])),
        { rounds: 5, warmUp: 1 },
      )
      const cells = raceKinds().flatMap((kind) => {
        costs.push([`${name}, ${strategy}, ${kind}`, cost[kind] / cost.none])
        return [grouped(1e9 / cost[kind]), `${(cost[kind] / cost.none).toFixed(2)}×`]
      })
      rows.push([name, strategy, grouped(1e9 / cost.none), ...cells])
    }
  }
  table(rows)
  const [worst, most] = costs.reduce((a, b) => (b[1] > a[1] ? b : a))
  console.log(`(aim: below 2×; dearest is ${worst}: ${most.toFixed(2)}×)\n`)
  memory(modelMachine(lastzero(6)))
}

/** Memory must follow the program, not the number of executions. */
function memory(machine) {
  machine.usePoints(everywhere)
  const rows = [['bytes in use after executions', ...[1, 10, 100].map((n) => grouped(n * 1000))]]
  for (const kind of raceKinds()) {
    const detector = raceDetector(kind, machine)
    const work = runner(machine, 'pos', [detector])
    let done = 0
    const cells = [1000, 10_000, 100_000].map((upTo) => {
      done += work(upTo - done)
      return grouped(memoryInUse())
    })
    rows.push([`${kind}, ${detector.table.count} pairs`, ...cells])
  }
  table(rows)
}
