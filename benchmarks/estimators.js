// How well the estimators forecast a search: estimate over truth, along the search, on a fixed set of programs.
import {
  createStrategy,
  Forecast,
  modelMachine,
  Runner,
  recursive,
  weightedBacktrack,
} from '../dist/index.js'
import { inc, lastzero, mutexCounter } from './known-programs.js'
import { compare, grouped, table } from './measure.js'
import { generate, sizes, toModel } from './micro/programs.js'

const programs = {
  'inc(4)': inc(4),
  'lastzero(8)': lastzero(8),
  'mutex counter(5)': mutexCounter(5),
  'micro, half reads': toModel(generate(sizes.full.uniform, true, 1)),
}

/** Which searches to forecast; depth first without reduction only where it ends. */
const searches = [
  ['inc(4)', 'dfs'],
  ['inc(4)', 'dpor'],
  ['lastzero(8)', 'source'],
  ['lastzero(8)', 'optimal'],
  ['mutex counter(5)', 'source'],
  ['micro, half reads', 'dpor'],
  ['micro, half reads', 'source'],
]

const estimators = { w: weightedBacktrack, r: recursive }
/** Names of the moments of a search that the table shows, in per cent of its executions. */
const moments = [1, 5, 10, 25, 50, 75, 100]

/** Both estimators' sizes after each execution; the last index is the truth. */
function forecast(program, spec) {
  const sizesOf = {}
  for (const [letter, make] of Object.entries(estimators)) {
    const machine = modelMachine(program)
    const strategy = createStrategy(spec, { machine })
    const watch = new Forecast(strategy, make)
    const runner = new Runner(machine, { observers: [watch] })
    const estimates = []
    while (runner.run(strategy)) estimates.push(watch.estimate().size)
    sizesOf[letter] = estimates
  }
  return sizesOf
}

const width = 64
const rows = [64, 32, 16, 8, 4, 2, 1, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64]

/** Rows are powers of two of estimate over truth; columns go from the first execution to the last. */
function plot(sizesOf, truth) {
  const grid = rows.map(() => Array(width).fill(' '))
  for (let column = 0; column < width; column++) {
    const execution = Math.round((column / (width - 1)) * (truth - 1))
    for (const [letter, sizes] of Object.entries(sizesOf)) {
      const row = Math.min(
        rows.length - 1,
        Math.max(0, Math.round(Math.log2(rows[0]) - Math.log2(sizes[execution] / truth))),
      )
      grid[row][column] = grid[row][column] === ' ' ? letter : '*'
    }
  }
  const used = grid.map((row) => row.some((cell) => cell !== ' '))
  const first = Math.min(used.indexOf(true), rows.indexOf(1))
  const last = Math.max(used.lastIndexOf(true), rows.indexOf(1))
  for (let row = first; row <= last; row++) {
    const label = rows[row] >= 1 ? `× ${rows[row]}` : `÷ ${1 / rows[row]}`
    const line = grid[row].map((cell) => (cell === ' ' && rows[row] === 1 ? '·' : cell)).join('')
    console.log(`${label.padStart(6)} |${line}`)
  }
  console.log(`${''.padStart(6)} +${'-'.repeat(width)}`)
  console.log(`${''.padStart(8)}${'first execution'.padEnd(width - 4)}last`)
}

export default function run() {
  console.log(
    'Estimate of the number of executions over the truth, along the search: w weighted backtrack, r recursive, * both.',
  )
  const summary = [['estimate / truth after', '', ...moments.map((m) => `${m} %`)]]
  for (const [name, spec] of searches) {
    const sizesOf = forecast(programs[name], spec)
    const truth = sizesOf.w.length
    console.log(`\n${name}, ${spec}: ${grouped(truth)} executions`)
    plot(sizesOf, truth)
    for (const [letter, sizes] of Object.entries(sizesOf)) {
      const at = (percent) => sizes[Math.max(0, Math.ceil((percent / 100) * truth) - 1)] / truth
      summary.push([`${name}, ${spec}`, letter, ...moments.map((m) => at(m).toPrecision(2))])
    }
  }
  console.log()
  table(summary)
  console.log('\nWhat watching costs, CPU time per execution')
  const cost = compare(
    Object.fromEntries(
      ['none', 'w', 'r'].map((letter) => [letter, () => searchAll('micro, half reads', 'source', letter)]),
    ),
    { rounds: 5, warmUp: 1 },
  )
  table([
    ['', 'µs', 'ratio'],
    ...Object.entries(cost).map(([letter, ns]) => [
      letter,
      (ns / 1000).toFixed(2),
      (ns / cost.none).toFixed(2),
    ]),
  ])
}

function searchAll(name, spec, letter) {
  const machine = modelMachine(programs[name])
  const strategy = createStrategy(spec, { machine })
  const observers = letter === 'none' ? [] : [new Forecast(strategy, estimators[letter])]
  const runner = new Runner(machine, { observers })
  let executions = 0
  while (runner.run(strategy)) executions++
  return executions
}
