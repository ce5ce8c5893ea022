// What races do: how often the class is right, by class and by number of witnesses, and what it costs.
import { raceClasses, worstOf } from '../dist/classify/classes.js'
import { classifyRaces } from '../dist/classify/classify.js'
import { when } from '../dist/frontends/model/build.js'
import { modelMachine } from '../dist/index.js'
import { cpuNanoseconds, table as printTable } from './measure.js'
import { known } from './race-classes.js'
import { techniqueRows } from './race-techniques.js'

const executions = 100

/** @param {readonly (readonly (string | number)[])[]} rows */
const table = (rows) => printTable(rows.map((row) => row.map(String)))

/** The classes found, by object, with those expected. */
function judge(program, expected, options = {}) {
  const { races } = classifyRaces(modelMachine(program), { executions, ...options })
  return Object.entries(expected).map(([object, wanted]) => ({
    wanted,
    found: worstOf(
      races.filter(({ cluster }) => cluster.pairs[0].object === object).map((race) => race.class),
    ),
  }))
}

const share = (part, whole) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} % (${part}/${whole})`

/** As table V of the paper: per class, how many races of it were recognised; and how many were called harmless. */
function accuracy(title, programs) {
  const results = programs.flatMap(([, program, expected]) => judge(program, expected))
  /** @type {(string | number)[][]} */
  const rows = [[title, 'races', 'right', 'called harmless', 'unknown']]
  for (const name of raceClasses) {
    const of = results.filter(({ wanted }) => wanted === name)
    if (of.length === 0) continue
    const count = (found) => of.filter((one) => one.found === found).length
    const harmless = name === 'harmless' ? '–' : count('harmless')
    rows.push([name, of.length, share(count(name), of.length), harmless, count('unknown')])
  }
  table(rows)
}

/** As figure 16: with more witnesses. */
function byWitnesses(programs) {
  /** @type {(string | number)[][]} */
  const rows = [
    ['accuracy by k = primaries × (1 + alternates)', 'k', ...raceClasses.filter((c) => c !== 'unknown')],
  ]
  for (const [primaries, alternates] of [
    [1, 0],
    [1, 1],
    [2, 1],
    [3, 1],
    [5, 1],
    [5, 2],
  ]) {
    const results = programs.flatMap(([, program, expected]) =>
      judge(program, expected, { primaries, alternates }),
    )
    const cells = raceClasses
      .filter((name) => name !== 'unknown')
      .map((name) => {
        const of = results.filter(({ wanted }) => wanted === name)
        return share(of.filter(({ found }) => found === name).length, of.length)
      })
    rows.push([`${primaries} × (1 + ${alternates})`, primaries * (1 + alternates), ...cells])
  }
  table(rows)
}

/** As table IV: processor time per race, beside that of one search for races. */
function times() {
  /** @type {(string | number)[][]} */
  const rows = [
    ['milliseconds of processor time per race', 'races', 'average', 'least', 'most', 'executions'],
  ]
  for (const [group, programs] of Object.entries(known)) {
    const samples = []
    let races = 0
    let runs = 0
    for (const [, program] of programs) {
      const start = cpuNanoseconds()
      const result = classifyRaces(modelMachine(program), { executions })
      const spent = (cpuNanoseconds() - start) / 1e6
      races += result.races.length
      runs += result.trials
      if (result.races.length > 0) samples.push(spent / result.races.length)
    }
    const average = samples.reduce((sum, one) => sum + one, 0) / samples.length
    const cells = [average, Math.min(...samples), Math.max(...samples)].map((n) => n.toFixed(2))
    rows.push([group, races, ...cells, runs])
  }
  table(rows)
}

/** As figure 15: how time grows with the number of preemption points, and of branches that depend on what is read. */
function growth() {
  const measure = (program) => {
    const start = cpuNanoseconds()
    const { races, trials } = classifyRaces(modelMachine(program), { executions })
    return [races.length, trials, ((cpuNanoseconds() - start) / 1e6).toFixed(1)]
  }
  const own = (n) => [{ op: 'loop', count: n, body: [{ op: 'store', var: 'own', value: 1 }] }]
  const points = (n) => ({
    variables: { x: 0, own: 0 },
    threads: {
      a: [...own(n), { op: 'store', var: 'x', value: 1 }],
      b: [{ op: 'load', var: 'x', into: 'r' }],
    },
  })
  const branches = (n) => ({
    variables: { x: 0, y: 0 },
    threads: {
      a: [{ op: 'store', var: 'x', value: 1 }],
      b: [
        { op: 'load', var: 'x', into: 'r' },
        ...Array.from({ length: n }, () =>
          when('r', [{ op: 'store', var: 'y', value: 1 }], [{ op: 'store', var: 'y', value: 2 }]),
        ),
      ],
    },
  })
  const sizes = [1, 10, 100, 1000]
  /** @type {(string | number)[][]} */
  const rows = [['growth', 'races', 'executions', 'CPU ms']]
  for (const n of sizes) rows.push([`${n} points before the race`, ...measure(points(n))])
  for (const n of [1, 5, 25, 100]) rows.push([`${n} branches after the race`, ...measure(branches(n))])
  table(rows)
}

export default function classify() {
  const { mixed, ...byClass } = known
  const all = Object.values(byClass).flat()
  accuracy('accuracy, 40 programs', all)
  accuracy('accuracy, 10 mixed ones', mixed)
  byWitnesses([...all, ...mixed])
  table(techniqueRows([...all, ...mixed]))
  times()
  growth()
}
