import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from '../../src/check.js'
import type { Machine } from '../../src/machine/machine.js'
import { type Platform, pickPlatform } from '../../src/machine/platform.js'
import { everywhere, type PointSet } from '../../src/machine/points.js'
import { Budget } from '../../src/runs/budget.js'
import { deepenMachine } from '../deepening/deepen.js'
import { bruteForce, type Reached } from '../support/brute-force.js'
import { type Finding, Findings } from './finding.js'
import { printed, seenFrom } from './judge.js'
import type { Question } from './question.js'
import { isScripts, machineOf, type Subject } from './subject.js'

const ways = {
  deepen: { races: 'limited', board: { trial: 0 } },
  'deepen:pure': { races: 'pure', board: { trial: 0 } },
  'deepen:whole': { races: 'limited', board: { trial: 0.25 } },
} as const

/** Deepening run to its end reaches what preempting everywhere reaches, and says so. */
export async function judgeDeepening(
  subject: Subject,
  question: Question,
  wordless: Reached,
): Promise<readonly Finding[]> {
  const findings = new Findings(question)
  const machine = limited(await machineOf(subject, 'everywhere'))
  const found = await deepenMachine(machine, ways[question.strategy as keyof typeof ways]).catch(orTooLarge)
  if (found === null) return findings.list
  if (found.stopped !== 'exhausted' || !found.isWhole) findings.add('does not end', found.stopped)
  const all = await withinCopies(subject, found.run.searches, wordless)
  if (all === null) return findings.list
  // A thread that the end of the program cut short is told, not passed over.
  const isAll = all.unfinished === 0 && !found.machine.needsEverywhere
  const right = all.bugs.size > 0 ? 'bug' : isAll ? 'verified' : 'bounded'
  if (found.verdict !== right) findings.add('wrong claim', `${found.verdict}, should be ${right}`)
  const finalStates = isScripts(subject) ? new Set([...found.finalStates].map(printed)) : found.finalStates
  findings.missing('final states lost', all.finalStates, finalStates, 'final states')
  findings.missing('invented', finalStates, all.finalStates, 'final states')
  const sites = new Map(found.machine.sites.map(({ name }) => [name, name]))
  const expected = new Set([...all.bugs].map((text) => placeOf(text, sites)))
  const told = new Set(
    found.run.bugs.map(({ found: bug }) => (bug.site === null ? bug.kind : `${bug.kind} ${bug.site}`)),
  )
  findings.missing('bugs lost', expected, told, 'bugs')
  findings.missing('invented', told, expected, 'bugs')
  return findings.list
}

/** Every set of racing accesses is a job where the largest one is not tried first: ten of them are a thousand jobs. */
const mostExecutions = 20_000
const tooLarge = 'too many executions for an audit'

/** Gives up after too many executions. */
function limited(machine: Machine): Machine {
  let executions = 0
  const checkEnd = machine.checkEnd.bind(machine)
  machine.checkEnd = () => {
    if (++executions > mostExecutions) throw new Error(tooLarge)
    return checkEnd()
  }
  return machine
}

function orTooLarge(error: unknown): null {
  if (error instanceof Error && error.message.includes(tooLarge)) return null
  throw error
}

/**
 * Copies that race are taken apart by deepening, and only by it: what brute force reaches then. Null if that is too much.
 */
async function withinCopies(
  subject: Subject,
  searches: readonly { readonly points: PointSet }[],
  wordless: Reached,
): Promise<Reached | null> {
  const sites = new Set(
    searches.flatMap(({ points }) => points.races.filter(({ words }) => words).map(({ site }) => site)),
  )
  if (sites.size === 0) return wordless
  const machine = await machineOf(subject, 'everywhere')
  machine.usePoints({ ...everywhere, races: Array.from(sites, (site) => ({ site, words: true })) })
  const all = bruteForce(machine, 100_000)
  return all && seenFrom(subject, all)
}

/** What matters here of a file that shows a bug. */
interface Schedule {
  readonly recipe: Partial<Platform>
}

/** The whole job of `auto`, reports included: these programs are small enough for its first look. */
export async function judgeAuto(
  subject: Subject,
  question: Question,
  all: Reached,
): Promise<readonly Finding[]> {
  const findings = new Findings(question)
  const directory = mkdtempSync(join(tmpdir(), 'faultline-audit-'))
  const machine = await machineOf(subject, 'everywhere')
  const sites = new Map(
    machine.sites.map(({ name, file, line }) => [name, file === undefined ? name : `${file}:${line}`]),
  )
  try {
    const report = await check({
      program: { machine, scope: [], isProgramError: () => false },
      recipe: { files: ['program.json'] },
      directory,
      outFolder: directory,
      strategy: question.strategy,
      points: everywhere,
      order: 'stay',
      seed: 1,
      keepGoing: true,
      selfCheck: 0,
      budget: new Budget(60),
      workers: 1,
      isThreadless: true,
    })
    const expected = new Set([...all.bugs].map((text) => placeOf(text, sites)))
    const [told, toldElsewhere] = [new Set<string>(), new Set<string>()]
    for (const { kind, location, schedule } of report.bugs) {
      const { recipe } = JSON.parse(readFileSync(schedule, 'utf8')) as Schedule
      const platform = pickPlatform(recipe)
      const place = location === null ? kind : `${kind} ${location}`
      told.add(place)
      if (Object.keys(platform).length === 0 || expected.has(place)) continue
      // A few samples are drawn on other platforms, which the schedule says.
      toldElsewhere.add(place)
      machine.platform!.use(platform)
      const there = bruteForce(machine, 100_000)
      if (there && ![...there.bugs].some((text) => placeOf(text, sites) === place))
        findings.add('invented', `${place}, with ${JSON.stringify(platform)}`)
    }
    const right =
      all.bugs.size > 0 || toldElsewhere.size > 0 ? 'bug' : all.unfinished > 0 ? 'bounded' : 'verified'
    if (report.verdict !== right) findings.add('wrong claim', `${report.verdict}, should be ${right}`)
    findings.missing('bugs lost', expected, told, 'bugs')
    findings.missing(
      'invented',
      [...told].filter((place) => !toldElsewhere.has(place)),
      expected,
      'bugs',
    )
    return findings.list
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Jobs tell bugs apart by kind and place; brute force by thread, message and state, too. `sites` says how a site is
 * called.
 */
function placeOf(text: string, sites: ReadonlyMap<string, string>): string {
  const [kind, , site] = text.split('\n')[0].split(' ')
  return sites.has(site) ? `${kind} ${sites.get(site)}` : kind
}
