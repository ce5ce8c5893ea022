// Weak memory models: executions per execution graph, and how fast executions are beside those of `optimal` under sc.
import { explore } from '../dist/execution/explore.js'
import { build, wasmMachine } from '../dist/frontends/wasm/index.js'
import { modelMachine } from '../dist/index.js'
import { memoryModels } from '../dist/machine/platform.js'
import { createStrategy } from '../dist/strategies/index.js'
import { cpuNanoseconds, table } from './measure.js'

const orders = { store: 'release', load: 'acquire', update: 'acq_rel' }
const range = (n) => Array.from({ length: n }, (_, i) => i)

/** Each of n threads stores to its variable and loads the next one's. */
const ring = (n) =>
  range(n).map((i) => [
    { op: 'write', at: i, value: 1 },
    { op: 'read', at: (i + 1) % n },
  ])
/** One thread passes messages, two listen. */
const listeners = (n) => [
  range(n).map((i) => ({ op: 'write', at: i % 3, value: i + 1 })),
  ...range(2).map(() => range(n).map((i) => ({ op: 'read', at: 2 - (i % 3) }))),
]
/** n threads count. */
const counters = (n) =>
  range(n).map(() => [
    { op: 'add', at: 0, value: 1 },
    { op: 'read', at: 0 },
  ])

const programs = [
  { name: 'store buffering, a ring of 3', threads: ring(3) },
  { name: 'messages, 2 listeners', threads: listeners(3) },
  { name: 'counting, 4 threads', threads: counters(4) },
]

function modelOf(threads) {
  const names = { write: 'atomicStore', read: 'atomicLoad', add: 'fetchAdd' }
  const order = { write: orders.store, read: orders.load, add: orders.update }
  return {
    variables: { x: 0, y: 0, z: 0, w: 0 },
    threads: Object.fromEntries(
      threads.map((code, t) => [
        `t${t}`,
        code.map(({ op, at, value }, i) => ({
          op: names[op],
          var: 'xyzw'[at],
          order: order[op],
          ...(op === 'write' ? {} : { into: `r${i}` }),
          ...(value === undefined ? {} : { value }),
        })),
      ]),
    ),
  }
}

/** As tests/c/weak-scripts.c reads them. */
function scriptsOf(threads) {
  const letters = { write: ['W', 'l', '-'], read: ['R', 'a', 'a'], add: ['A', 'b', 'b'] }
  return threads.map((code) =>
    code
      .map(({ op, at, value = 0 }) => {
        const [letter, order, into] = letters[op]
        return `${letter}${at}${order}r${into}-${String(value).padStart(2, '0')}00`
      })
      .join(''),
  )
}

function measure(machine, strategy) {
  const search = () => explore({ machine, strategy: createStrategy(strategy, { machine }), maxSteps: 10_000 })
  // Until the engine has compiled what is hot, and what threads do is known.
  for (const begin = cpuNanoseconds(); cpuNanoseconds() - begin < 1e9; ) search()
  let executions = 0
  let all = 0
  const begin = cpuNanoseconds()
  let spent = 0
  do {
    const result = search()
    executions += result.executions
    all += result.executions + result.blocked
    spent = cpuNanoseconds() - begin
  } while (spent < 5e8)
  return { perGraph: all / executions, perSecond: (1e9 * executions) / spent }
}

export default async function run() {
  const artifact = await build({ sources: ['tests/c/weak-scripts.c'] })
  const kinds = {
    model: (threads) => modelMachine(modelOf(threads)),
    C: (threads) => wasmMachine(artifact, { args: scriptsOf(threads) }),
    'C, each one run': (threads) => wasmMachine(artifact, { args: scriptsOf(threads), recall: 'off' }),
  }
  const rows = [['program', '', 'model', 'executions per graph', 'executions per second', 'sc ÷ this']]
  for (const { name, threads } of programs) {
    for (const [kind, make] of Object.entries(kinds)) {
      const baseline = measure(await make(threads), 'optimal')
      rows.push([name, kind, 'sc, optimal', '1.00', baseline.perSecond.toFixed(0), '1'])
      for (const memoryModel of memoryModels.slice(1)) {
        const machine = await make(threads)
        machine.platform.use({ memoryModel })
        const { perGraph, perSecond } = measure(machine, 'graphs')
        const ratio = baseline.perSecond / perSecond
        rows.push([name, kind, memoryModel, perGraph.toFixed(2), perSecond.toFixed(0), ratio.toFixed(1)])
      }
    }
  }
  table(rows)
}
