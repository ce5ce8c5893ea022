// The reductions on model programs: executions per class, what their bookkeeping costs, executions per second.
import { createStrategy, Fingerprint, modelMachine, Runner } from '../dist/index.js'
import { inc, lastzero, mutexCounter, readers } from './known-programs.js'
import { compare, grouped, table } from './measure.js'

const programs = {
  'inc(4)': inc(4),
  'lastzero(10)': lastzero(10),
  'readers(13)': readers(13),
  'mutex counter(6)': mutexCounter(6),
}

/** One whole exploration, or as much of it as the limit allows. */
function exploration(machine, spec, limit = 30_000) {
  const strategy = createStrategy(spec, { machine })
  const runner = new Runner(machine)
  const fingerprint = new Fingerprint(machine)
  const classes = new Set()
  let executions = 0
  let blocked = 0
  let complete = true
  while (runner.run(strategy)) {
    if (strategy.rerun) continue
    if (runner.status === 'blocked') blocked++
    else {
      executions++
      classes.add(fingerprint.of(runner.trace, runner.status))
    }
    if (executions + blocked >= limit) {
      complete = false
      break
    }
  }
  return { executions, blocked, classes: classes.size, complete }
}

/** Executions under a strategy, a new one whenever it has nothing left. */
function work(machine, spec, executions) {
  const runner = new Runner(machine)
  let strategy = createStrategy(spec, { machine })
  let steps = 0
  let ended = 0
  for (let n = 0; n < executions; n++) {
    if (!runner.run(strategy)) strategy = createStrategy(spec, { machine })
    else {
      steps += runner.trace.length
      if (runner.status !== 'blocked') ended++
    }
  }
  return { steps, ended }
}

/** The same schedule again and again, decided by nobody, with footprints as the reductions need them. */
function fixedSchedule(machine) {
  const runner = new Runner(machine)
  runner.run(createStrategy('random', { machine, seed: 7 }))
  const { thread, value, length } = runner.trace
  const script = { thread: thread.slice(0, length), value: value.slice(0, length), length }
  return {
    name: 'fixed',
    footprints: true,
    script,
    begin: () => true,
    choose: () => -1,
    end() {},
    save: () => ({}),
  }
}

const specs = ['dpor', 'source', 'optimal']

export default function reductions() {
  console.log('Executions (and blocked ones) per class; 1.00 is the best there is')
  const counts = [['', ...specs, 'icb']]
  for (const [name, program] of Object.entries(programs)) {
    const cells = [...specs, 'icb'].map((spec) => {
      const { executions, blocked, classes, complete } = exploration(modelMachine(program), spec)
      if (!complete) return 'not finished'
      const share = (n) => (n / classes).toFixed(2)
      return blocked === 0 ? share(executions) : `${share(executions)} + ${share(blocked)}`
    })
    counts.push([name, ...cells])
  }
  table(counts)

  console.log(
    '\nCPU time per step as a ratio to the same machine following a fixed schedule (aim: optimal below 3)',
  )
  const ratios = [['', 'fixed, ns', ...specs]]
  const pace = [['', ...specs]]
  for (const [name, program] of Object.entries(programs)) {
    const machine = modelMachine(program)
    const fixed = fixedSchedule(machine)
    const runner = new Runner(machine)
    const subjects = {
      fixed() {
        for (let n = 0; n < 4000; n++) runner.run(fixed)
        return 4000 * fixed.script.length
      },
    }
    const stepsPerExecution = {}
    for (const spec of specs) {
      subjects[spec] = () => {
        const { steps, ended } = work(machine, spec, 4000)
        stepsPerExecution[spec] = steps / ended
        return steps
      }
    }
    const cost = compare(subjects)
    ratios.push([name, cost.fixed.toFixed(0), ...specs.map((spec) => (cost[spec] / cost.fixed).toFixed(2))])
    pace.push([name, ...specs.map((spec) => grouped(1e9 / (cost[spec] * stepsPerExecution[spec])))])
  }
  table(ratios)
  console.log('\nComplete executions per CPU second (aim: optimal on inc(4) over 100 000)')
  table(pace)
}
