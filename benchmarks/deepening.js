// npm run bench -- deepening [--example NAME] [--part I/N] [--budget SECONDS] [--tables]: tables 1 to 3 and figures 7 to 9 of
// "Stateless Model Checking with Data-Race Preemption Points" (Blum and Gibson, OOPSLA 2016) on the examples of the kits:
// every mistake under the test that is to show it, and what has no mistake under every test. Each result is kept as it comes
// (results/deepening.json), so that a run can be ended and goes on where it was, and parts can be run one by one.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { translatedFiles } from '../dist/cli/kit/assembly/translated-files.js'
import { readKit } from '../dist/cli/kit/kit.js'
import { checkArguments } from '../dist/cli/kit/run-tests.js'
import { findTree } from '../dist/cli/kit/tree.js'
import { main } from '../dist/cli/main.js'
import { writeAtomically } from '../dist/files/atomic-write.js'
import { printTables } from './deepening-tables.js'

const directory = fileURLToPath(new URL('..', import.meta.url))
const FILE = fileURLToPath(new URL('results/deepening.json', import.meta.url))
const SYNC = 'yield,lock,unlock,sync'

/** Deepening, and single state spaces: those of the paper, and two with points at every access. */
const columns = {
  limited: ['--strategy', 'deepen', '--races', 'limited'],
  pure: ['--strategy', 'deepen', '--races', 'pure'],
  'sync only': ['--strategy', 'deepen', '--races', 'off'],
  optimal: ['--strategy', 'optimal', '--preempt', SYNC],
  icb: ['--strategy', 'icb', '--preempt', SYNC],
  'everywhere+icb': ['--strategy', 'icb'],
  'everywhere+optimal': ['--strategy', 'optimal'],
}

/** All programs, in an order that does not depend on what was measured. */
function programs(examples) {
  return examples.flatMap((example) => {
    const { kit: name, variants } = JSON.parse(
      readFileSync(join(directory, 'examples', example, 'variants.json'), 'utf8'),
    )
    const kit = readKit(name, directory)
    const tree = findTree(kit, join(directory, 'examples', example), example)
    if (typeof tree === 'string') throw new Error(tree)
    const out = mkdtempSync(join(tmpdir(), 'faultline-bench-'))
    const assembly = translatedFiles(kit, tree, join(out, 'assembly'), directory)
    const nameOf = ({ file }) => file.replace(/^.*\/|\.c$/g, '')
    const program = (mistake, test) => ({
      example,
      mistake,
      test,
      argv: [
        ...checkArguments(
          kit,
          tree,
          assembly,
          kit.tests.find((candidate) => nameOf(candidate) === test),
          directory,
        ),
        ...(mistake ? ['-D', `MISTAKE_${mistake}`] : []),
        ...['--out', out],
      ],
    })
    return [
      ...Object.entries(variants).map(([mistake, { test }]) => program(mistake, test)),
      ...kit.tests.map((test) => program('', nameOf(test))),
    ]
  })
}

async function check(argv, isReport = true) {
  let text = ''
  let errors = ''
  await main(argv, {
    out: (more) => {
      text += more
    },
    err: (more) => {
      errors += more
    },
    width: 100,
    colour: false,
    isLive: false,
    directory,
    command: 'faultline',
    async *readLines() {},
    onInterrupt: () => () => {},
  })
  if (!isReport) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(errors || text)
  }
}

/** What the tables need of a report. */
function summary(report, cpu) {
  const [bug] = report.bugs
  const races = (report.races ?? []).map(({ known, inFirstExecution, pairs }) => ({
    known,
    first: inFirstExecution,
    sites: pairs.flat(),
  }))
  const found = report.deepening?.jobs.find((job) => job.bug)
  const points = found?.points.split(',').filter((point) => point.startsWith('race:')) ?? []
  return {
    verdict: bug ? 'bug' : report.verdict,
    executions: report.executions,
    seconds: report.seconds,
    cpu,
    preemptions: bug?.preemptions,
    jobs: report.deepening?.jobs.filter(({ status }) => status === 'complete').length,
    races: {
      all: races.length,
      benign: races.filter(({ known }) => known === 'both-orders-pass' || known === 'ruled-out').length,
      untested: races.filter(({ known }) => known === 'untested').length,
    },
    // Points that made the bug show, and whether the first execution would have told of all of them.
    ...(points.length > 0
      ? {
          racePoints: points.length,
          isSinglePass: points.every((point) =>
            races.some(({ first, sites }) => first && sites.includes(point.slice('race:'.length))),
          ),
        }
      : {}),
  }
}

export default async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      example: { type: 'string', multiple: true, default: ['threadlib', 'kernel', 'pintos'] },
      part: { type: 'string', default: '1/1' },
      budget: { type: 'string', default: '20' },
      tables: { type: 'boolean', default: false },
    },
  })
  const kept = existsSync(FILE)
    ? JSON.parse(readFileSync(FILE, 'utf8'))
    : { budget: values.budget, results: {} }
  const [part, parts] = values.part.split('/').map(Number)
  if (!values.tables) {
    if (kept.budget !== values.budget)
      throw new Error(
        `results are for ${kept.budget} seconds each: delete ${FILE}, or use --budget ${kept.budget}`,
      )
    for (const [i, { example, mistake, test, argv }] of programs(values.example).entries()) {
      if (i % parts !== part - 1) continue
      const keyOf = (column) => [example, mistake, test, column].join('/')
      const left = Object.entries(columns).filter(([column]) => !kept.results[keyOf(column)])
      // Compiles, so that no column pays for that.
      if (left.length > 0) await check([...argv, '--list-points', '--json', '--quiet'], false)
      for (const [column, options] of left) {
        const key = keyOf(column)
        const before = process.cpuUsage()
        const common = ['--budget', `${values.budget}s`, '--workers', '1', '--json', '--quiet']
        const report = await check([...argv, ...options, ...common])
        const { user, system } = process.cpuUsage(before)
        const result = summary(report, (user + system) / 1e6)
        kept.results[key] = { example, mistake, test, column, ...result }
        writeAtomically(FILE, `${JSON.stringify(kept, null, 1)}\n`)
        console.log(
          `${key}: ${result.verdict}, ${result.executions} executions, ${result.cpu.toFixed(1)} s of CPU`,
        )
      }
    }
  }
  printTables(Object.values(kept.results), Object.keys(columns), kept.budget)
}
