// Tables and figures of `npm run bench -- deepening`, from results that were kept.
import { table } from './measure.js'

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

function groupBy(rows, keyOf) {
  const groups = new Map()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}

export function printTables(results, columns, budget) {
  const programs = groupBy(results, ({ example, mistake, test }) => [example, mistake, test].join('/'))
  // Only what every column was measured on can be compared.
  const whole = [...programs.values()].filter((rows) => rows.length === columns.length).flat()
  const tests = groupBy(whole, ({ example, test }) => `${example}: ${test}`)
  const of = (rows, column) => rows.filter((row) => row.column === column)
  const bugs = (rows, column) => of(rows, column).filter(({ verdict }) => verdict === 'bug')
  const verified = (rows, column) => of(rows, column).filter(({ verdict }) => verdict === 'verified')
  const withTotal = (cells) => [
    ...[...tests].map(([name, rows]) => [name, ...cells(rows)]),
    ['total', ...cells(whole)],
  ]
  const put = (title, rows) => {
    console.log(`\n${title}\n`)
    table(rows.map((row) => row.map(String)))
  }
  const count = whole.length / columns.length
  const mistakes = of(whole, columns[0]).filter(({ mistake }) => mistake !== '').length
  console.log(`${count} programs, ${mistakes} with a mistake; ${budget} seconds each, one worker.`)

  put(
    'Table 1: bugs by test; of those that deepening finds, how many take a racing access as a point, and how many one',
    [
      [
        'test',
        'programs',
        ...columns,
        'race bugs (limited)',
        'not in one pass',
        'race bugs (pure)',
        'not in one pass',
        'no answer',
        'state spaces',
      ],
      ...withTotal((rows) => {
        const race = (column) => bugs(rows, column).filter(({ racePoints }) => racePoints)
        const neither = of(rows, 'limited').filter(
          (row) =>
            row.verdict === 'budget' &&
            rows.some(
              (other) =>
                other.column === 'icb' &&
                other.mistake === row.mistake &&
                other.test === row.test &&
                other.verdict !== 'bug',
            ),
        )
        return [
          of(rows, columns[0]).length,
          ...columns.map((column) => bugs(rows, column).length),
          ...['limited', 'pure'].flatMap((column) => [
            race(column).length,
            race(column).filter(({ isSinglePass }) => !isSinglePass).length,
          ]),
          neither.length,
          neither.length === 0
            ? '–'
            : (sum(neither.map(({ jobs }) => jobs ?? 0)) / neither.length).toFixed(1),
        ]
      }),
    ],
  )

  put('Table 2: preemptions that bugs take, after minimising', [
    ['preemptions', 'icb', 'everywhere+icb'],
    ...[0, 1, 2, 3, 4].map((bound) => [
      bound === 4 ? '4 or more' : bound,
      ...['icb', 'everywhere+icb'].map(
        (column) =>
          bugs(whole, column).filter(({ preemptions }) => Math.min(preemptions, 4) === bound).length,
      ),
    ]),
  ])

  put('Table 3: races of tests without a bug (pure)', [
    ['test', 'races', 'harmless', 'not tested to the end'],
    ...withTotal((rows) => {
      const quiet = of(rows, 'pure').filter(({ verdict }) => verdict !== 'bug')
      return ['all', 'benign', 'untested'].map((fate) => sum(quiet.map(({ races }) => races[fate])))
    }),
  ])

  const limits = [0.5, 1, 2, 5, 10, 20, 50].filter((limit) => limit <= 2.5 * Number(budget))
  const within = (rows) => limits.map((limit) => rows.filter(({ cpu }) => cpu <= limit).length)
  const times = limits.map((limit) => `${limit} s`)
  const median = (rows) =>
    rows.map(({ executions }) => executions).toSorted((a, b) => a - b)[rows.length >> 1] ?? '–'
  put('Figure 7: bugs found within so much CPU time, and executions to a bug (median)', [
    ['', ...times, 'all', 'executions'],
    ...columns.map((column) => [
      column,
      ...within(bugs(whole, column)),
      bugs(whole, column).length,
      median(bugs(whole, column)),
    ]),
  ])
  put('Figure 8: tests verified within so much CPU time', [
    ['', ...times, 'all'],
    ...columns.map((column) => [column, ...within(verified(whole, column)), verified(whole, column).length]),
  ])
  put('Figure 9: bugs that take a racing access as a point', [
    ['', 'races of the first execution', 'all races'],
    ...['limited', 'pure'].map((column) => {
      const found = bugs(whole, column).filter(({ racePoints }) => racePoints)
      return [column, found.filter(({ isSinglePass }) => isSinglePass).length, found.length]
    }),
  ])

  const missed = [...programs.values()].filter(
    (rows) =>
      rows.some(({ verdict }) => verdict === 'bug') &&
      !rows.some((row) => row.column === 'limited' && row.verdict === 'bug'),
  )
  console.log(
    `\nFound by another column and not by deepening (limited): ${missed.map(([{ example, mistake }]) => `${example} ${mistake}`).join(', ') || 'none'}.`,
  )
}
