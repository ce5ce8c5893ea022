// The engine on model programs: what a step costs, how many executions per second, whether memory stays flat.
import { createStrategy, modelMachine, Random, Runner } from '../dist/index.js'
import { compare, grouped, memoryInUse, table } from './measure.js'

const executionsPerRound = 20_000

/**
 * 4 threads × 4 writes over 4 objects, as in the micro-benchmark of the POS paper: 16 events.
 * @returns {import('../dist/index.js').Program}
 */
function program(seed) {
  const random = new Random(seed)
  const objects = ['w', 'x', 'y', 'z']
  /** @returns {import('../dist/index.js').Statement[]} */
  const body = () =>
    Array.from({ length: 4 }, (_, i) => ({ op: 'store', var: objects[random.below(4)], value: i }))
  return {
    name: `uniform ${seed}`,
    variables: Object.fromEntries(objects.map((name) => [name, 0])),
    threads: { a: body(), b: body(), c: body(), d: body() },
  }
}

/** Follows one schedule for ever and decides nothing. */
function fixedSchedule(machine) {
  const runner = new Runner(machine)
  runner.run(createStrategy('random', { machine, seed: 7 }))
  const { thread, value, length } = runner.trace
  return {
    name: 'fixed',
    footprints: false,
    script: { thread: thread.slice(0, length), value: value.slice(0, length), length },
    begin: () => true,
    choose: () => -1,
    end() {},
    save: () => ({}),
  }
}

/** Runs executions, a new strategy whenever one has nothing left; returns the number of steps. */
function run(machine, makeStrategy, executions) {
  const runner = new Runner(machine)
  let strategy = makeStrategy()
  let steps = 0
  for (let i = 0; i < executions; i++) {
    if (!runner.run(strategy)) strategy = makeStrategy()
    else steps += runner.trace.length
  }
  return steps
}

export default function engine() {
  const machine = modelMachine(program(1))
  const fixed = fixedSchedule(machine)
  const steps = fixed.script.length
  const strategies = ['dfs', 'random', 'pos', 'basic-pos']
  const subjects = { 'fixed schedule': () => run(machine, () => fixed, executionsPerRound) }
  for (const name of strategies) {
    const strategy = createStrategy(name, { machine })
    subjects[name] = () =>
      run(machine, () => (name === 'dfs' ? createStrategy(name, { machine }) : strategy), executionsPerRound)
  }
  const cost = compare(subjects)
  const base = cost['fixed schedule']
  console.log(`4 threads × 4 writes over 4 objects, ${steps} steps per execution, CPU time, one core`)
  table([
    ['', 'ns per step', 'ratio', 'executions/s'],
    ...Object.entries(cost).map(([name, ns]) => [
      name,
      ns.toFixed(1),
      (ns / base).toFixed(2),
      grouped(1e9 / (ns * steps)),
    ]),
  ])

  const machines = Array.from({ length: 8 }, (_, i) => modelMachine(program(i + 1)))
  const pace = compare(
    Object.fromEntries(
      machines.map((m, i) => {
        const strategy = createStrategy('pos', { machine: m, seed: i + 1 })
        const work = () => {
          run(m, () => strategy, executionsPerRound)
          return executionsPerRound
        }
        return [m.name, work]
      }),
    ),
    { rounds: 5 },
  )
  const perSecond = Object.values(pace).map((ns) => 1e9 / ns)
  console.log(
    `\nPOS on ${machines.length} programs of 16 events: ${grouped(Math.min(...perSecond))} to ` +
      `${grouped(Math.max(...perSecond))} executions/s (aim: over 200 000)`,
  )

  const strategy = createStrategy('pos', { machine })
  run(machine, () => strategy, 10_000)
  const before = memoryInUse()
  run(machine, () => strategy, 1_000_000)
  const after = memoryInUse()
  console.log(
    `\nMemory over 1 000 000 executions of POS: ${grouped(before / 1024)} KiB before, ${grouped(after / 1024)} KiB after`,
  )
}
