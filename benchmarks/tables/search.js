// Executions and time to the bug, and to the end of the twin (table 2 of Gambit, table 1 of Quicksand).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { corpusFolder } from '../../corpus/entries.js'
import { main } from '../../dist/cli/main.js'
import { createStrategy, explore } from '../../dist/index.js'
import { steps } from './plots.js'
import { clock, machineOf } from './programs.js'

const priorities = ['pb', 'dpor', 'mdpor', 'ss', 'rand']
const randomRuns = 10

/** By name: the strategy, its bound, or what the command line takes for it. */
const searches = {
  'depth-first DPOR': { strategy: 'dpor' },
  optimal: { strategy: 'optimal' },
  'preemptions first (icb)': { strategy: 'icb' },
  ...Object.fromEntries(priorities.map((p) => [`best first, ${p}`, { strategy: `best-first:${p}` }])),
  ...Object.fromEntries(
    priorities.map((p) => [`best first, ${p}, 2 preemptions`, { strategy: `best-first:${p}`, bound: 2 }]),
  ),
  'deepening, pure': { argv: ['--strategy', 'deepen', '--races', 'pure'] },
  'deepening, limited': { argv: ['--strategy', 'deepen', '--races', 'limited'] },
  'default (auto)': { argv: [] },
}
const names = Object.keys(searches)
/** Those that are also run on twins, to their end. */
const provers = ['depth-first DPOR', 'optimal', 'deepening, pure', 'default (auto)']

async function once(program, { strategy, bound }, seconds, isTwin, seed) {
  const machine = await machineOf(program, isTwin)
  const { elapsed, isOver } = clock(seconds)
  const { firstBug, exhausted, executions, blocked, cut } = explore({
    machine,
    strategy: createStrategy(strategy, { machine, bound, seed }),
    maxSteps: 20_000,
    outOfTime: isOver,
  })
  return {
    found: firstBug?.execution ?? null,
    isWhole: exhausted && cut === 0,
    executions: executions + blocked,
    seconds: elapsed(),
  }
}

async function byCommand(program, argv, seconds, isTwin) {
  const out = mkdtempSync(join(tmpdir(), 'faultline-tables-'))
  let text = ''
  const { elapsed } = clock(seconds)
  const cpu = `${Math.max(100, Math.round(1000 * seconds))}ms`
  await main(
    ['check', ...(isTwin ? program.twin : program.argv), ...argv, '--json', '--quiet'].concat(
      ...['--workers', '1', '--cpu', cpu, '--out', out],
    ),
    {
      out: (more) => {
        text += more
      },
      err: () => {},
      width: 100,
      colour: false,
      isLive: false,
      directory: corpusFolder,
      command: 'faultline',
      async *readLines() {},
      onInterrupt: () => () => {},
    },
  )
  rmSync(out, { recursive: true, force: true })
  const report = JSON.parse(text)
  if (report.error) throw new Error(report.error)
  return {
    found: report.bugs[0]?.execution ?? null,
    isWhole: report.verdict === 'verified',
    executions: report.executions,
    seconds: elapsed(),
  }
}

function middle(runs) {
  const sorted = [...runs].sort((a, b) => (a.found ?? Infinity) - (b.found ?? Infinity))
  return sorted[sorted.length >> 1]
}

function cell(result) {
  if (!result) return ''
  if (result.found === null) return '–'
  return `${result.found} (${result.seconds.toFixed(2)} s)`
}

export const search = {
  name: 'search',
  title: 'Search',
  share: 0.35,
  subjects: () => [...names, ...provers.map((name) => `${name}: twin`)],

  async run(program, subject, seconds) {
    const isTwin = subject.endsWith(': twin')
    const given = searches[subject.replace(/: twin$/, '')]
    if (given.argv) return byCommand(program, given.argv, seconds, isTwin)
    if (!given.strategy.endsWith('rand')) return once(program, given, seconds, isTwin, 1)
    const runs = []
    for (let seed = 1; seed <= randomRuns; seed++)
      runs.push(await once(program, given, seconds / randomRuns, isTwin, seed))
    return middle(runs)
  },

  page(programs, resultOf, commandOf) {
    const all = programs.filter((program) => resultOf(program, names[0]))
    if (all.length === 0) return { text: 'Nothing yet.\n', plots: {} }
    const found = names.map((name) => all.filter((p) => typeof resultOf(p, name)?.found === 'number'))
    const summary = names.map((name, i) => {
      const twin = `${name}: twin`
      const whole = provers.includes(name)
        ? `${all.filter((p) => resultOf(p, twin)?.isWhole).length} of ${all.filter((p) => resultOf(p, twin)).length}`
        : ''
      const runs = found[i].map((p) => resultOf(p, name).found).sort((a, b) => a - b)
      const median = runs.length > 0 ? runs[runs.length >> 1] : '–'
      return `| ${name} | ${found[i].length} of ${all.length} | ${median} | ${whole} |\n`
    })
    const shown = [
      'depth-first DPOR',
      'optimal',
      'preemptions first (icb)',
      'best first, mdpor',
      'deepening, pure',
    ]
    shown.push('default (auto)')
    const rows = all.map(
      (p) => `| ${p.name} | ${shown.map((name) => cell(resultOf(p, name))).join(' | ')} |\n`,
    )
    return {
      text: `Bugs found within the time given to each, executions to the bug (median of those found; \`rand\`: the middle one of ${randomRuns}
seeds), and repaired twins explored to the end.

| search | bugs found | executions, median | twins done |
|---|---|---|---|
${summary.join('')}
![bugs found over time](search.svg)

Execution that shows the bug, and seconds; – is none in the time given:

| program | ${shown.join(' | ')} |
|---|${shown.map(() => '---|').join('')}
${rows.join('')}
One figure: \`${commandOf(all[0], 'optimal')}\`
`,
      plots: {
        'search.svg': steps({
          title: 'Bugs found within so many seconds (logarithmic)',
          series: shown.map((name) => ({
            label: name,
            values: found[names.indexOf(name)].map((p) => resultOf(p, name).seconds),
          })),
        }),
      },
    }
  },
}
