import type { Saved, Strategy } from '../../src/execution/strategy.js'
import { isEverywhere, parsePoints } from '../../src/machine/points.js'
import { bruteForce, nothingReached, type Reached, reachMore } from '../support/brute-force.js'
import { type Engine, engine } from '../support/engine.js'
import { type Finding, Findings } from './finding.js'
import type { Question } from './question.js'
import { isScripts, machineOf, type Subject } from './subject.js'

/** Brute force; null when there are too many executions, or some too long. */
export async function truth(subject: Subject, points: string): Promise<Reached | null> {
  const all = bruteForce(await machineOf(subject, points), isScripts(subject) ? 10_000 : 20_000)
  return all === null || all.cut > 0 ? null : seenFrom(subject, all)
}

/**
 * Of C programs the final state is what they print: the hash of their memory also tells how far threads had come that
 * the end of the program cut short, where nobody else can see it.
 */
export function seenFrom(subject: Subject, reached: Reached): Reached {
  if (!isScripts(subject)) return reached
  const least = (map: Map<string, number>) => {
    const result = new Map<string, number>()
    for (const [key, n] of map) result.set(printed(key), Math.min(n, result.get(printed(key)) ?? n))
    return result
  }
  return {
    ...reached,
    finalStates: new Set([...reached.finalStates].map(printed)),
    bugs: new Set([...reached.bugs].map(printed)),
    endPreemptions: least(reached.endPreemptions),
    endDelays: least(reached.endDelays),
  }
}

/** Without the hash of memory. */
export const printed = (text: string) => text.replace(/^[0-9a-f]{16} /m, '')

/** Compares a complete strategy's exploration with brute force in everything that it promises. */
export async function judge(
  subject: Subject,
  question: Question,
  all: Reached,
  tested: Engine = engine,
): Promise<readonly Finding[]> {
  const { strategy, bound } = question
  const findings = new Findings(question)
  // Executions of a search are distinct, so there are no more than brute force has; some more may be given up, and each
  // bound goes over them again.
  const isBounded = strategy === 'icb' || strategy === 'delay'
  const { found, completedBound, isCompound } = await search(
    subject,
    question,
    isBounded ? 60_000 : 2 * all.executions + 50,
    tested,
  )
  if (!found.exhausted) {
    findings.add('does not end', `${found.executions} executions and ${found.blocked} blocked`)
    return findings.list
  }
  if (
    strategy === 'optimal' &&
    isEverywhere(parsePoints(question.points)) &&
    !isCompound &&
    isExact(subject, all)
  )
    judgeOptimality(findings, found, all)
  if (strategy === 'icb') judgeSmallest(findings, seenFrom(subject, found), all)
  if (bound !== undefined && (completedBound ?? -1) < bound) {
    findings.add('wrong claim', `bound ${bound} asked for, ${completedBound} said to be completed`)
  }
  if (completedBound === Infinity && bound !== undefined && found.classes.size < all.classes.size) {
    findings.add('wrong claim', 'nothing is said to be left out')
  }
  compare(findings, seenFrom(subject, found), bound === undefined ? all : within(all, strategy, bound))
  return findings.list
}

/** What has an execution with at most so many preemptions or delays. */
function within(all: Reached, strategy: string, bound: number): Reached {
  const least = strategy === 'delay' ? all.delays : all.preemptions
  const ends = strategy === 'delay' ? all.endDelays : all.endPreemptions
  const isWithin = (map: Map<string, number>) => (key: string) => (map.get(key) ?? Infinity) <= bound
  return {
    ...all,
    classes: new Map([...all.classes].filter(([key]) => isWithin(least)(key))),
    bugs: new Set([...all.bugs].filter(isWithin(ends))),
    finalStates: new Set([...all.finalStates].filter(isWithin(ends))),
  }
}

function compare(findings: Findings, found: Reached, all: Reached): void {
  findings.missing(
    'final states lost',
    all.finalStates,
    found.finalStates,
    `of ${all.finalStates.size} final states`,
  )
  findings.missing('bugs lost', all.bugs, found.bugs, `of ${all.bugs.size} bugs`)
  findings.missing('classes lost', all.classes.keys(), found.classes, `of ${all.classes.size} classes`)
  findings.missing('invented', found.finalStates, all.finalStates, 'final states')
  findings.missing('invented', found.bugs, all.bugs, 'bugs')
  findings.missing('invented', found.classes.keys(), all.classes, 'classes')
}

/**
 * Whether `optimal` promises each class once, and none given up: always, but for the exceptions on its page
 * (docs/algorithms/optimal.md), in their order.
 */
function isExact(subject: Subject, all: Reached): boolean {
  const operationsOfThreads = isScripts(subject)
    ? subject.scripts.map((script) => [...script])
    : Object.values(subject.threads).map(operationsIn)
  const operations = new Set<string>(operationsOfThreads.flat())
  const waiters = operationsOfThreads.filter((own) => own.some((op) => /^(?:timed)?wait$/.test(op))).length
  if (waiters > 1 && operations.has('signal')) return false
  if (!isScripts(subject) && subject.spuriousWakeups && operations.has('timedwait')) return false
  // What a transaction does elsewhere is known only where it is the same whatever it reads, and may not fail.
  if (operations.has('atomically')) return false
  if (all.failed.size > 0) return false
  return !isScripts(subject) || ![...operations].some((op) => unknownElsewhere.test(op))
}

/** Of scripts: it touches a part of what others touch as a whole, so nothing is told of what it would find elsewhere. */
const unknownElsewhere = /^or 1 to byte of a\b/

/** Names of all operations of a thread of a model program, in blocks inside blocks, too. */
function operationsIn(thread: unknown): string[] {
  return [...JSON.stringify(thread).matchAll(/"op":"(\w+)"/g)].map(([, op]) => op)
}

function judgeOptimality(findings: Findings, found: Reached, all: Reached): void {
  const twice = [...found.classes.values()].reduce((sum, times) => sum + times - 1, 0)
  if (twice > 0)
    findings.add('explored twice', `${found.executions} executions of ${all.classes.size} classes`)
  if (found.blocked > 0) findings.add('blocked', `${found.blocked} beside ${found.executions} executions`)
}

/** What is lost is told by `compare`. */
function judgeSmallest(findings: Findings, found: Reached, all: Reached): void {
  const look = (least: Map<string, number>, at: Map<string, number>, what: string) => {
    const wrong = [...least].find(([key, bound]) => at.has(key) && at.get(key) !== bound)
    if (wrong === undefined) return
    const [key, bound] = wrong
    findings.add(
      'not at its smallest bound',
      `${what} ${key} needs ${bound} preemptions, found with ${at.get(key)}`,
    )
  }
  look(all.endPreemptions, found.endPreemptions, 'end')
  look(all.preemptions, found.preemptions, 'class')
}

/** Explores, in one piece or with a search saved and read back now and then. */
async function search(
  subject: Subject,
  { points, strategy: spec, bound, interval = Infinity }: Question,
  limit: number,
  tested: Engine,
): Promise<{ found: Reached; completedBound: number | undefined; isCompound: boolean }> {
  let machine = await machineOf(subject, points, tested)
  let strategy: Strategy = tested.createStrategy(spec, { machine, bound })
  const found = nothingReached()
  for (;;) {
    const left = limit - found.executions - found.blocked
    reachMore(found, machine, strategy, Math.min(interval, left), tested)
    if (found.exhausted || left <= interval)
      return { found, completedBound: strategy.completedBound, isCompound: machine.isCompound !== false }
    const saved = JSON.parse(JSON.stringify(strategy.save())) as Saved
    const [threads, locations] = [[...machine.threads.names], machine.locations.entries()]
    machine = await machineOf(subject, points, tested)
    const threadMap = machine.threads.preload(threads)
    const locationMap = machine.locations.preload(locations)
    strategy = tested.loadStrategy(spec, saved, {
      machine,
      order: 'stay',
      bound,
      threadHere: (t) => threadMap[t],
      locationHere: (l) => locationMap[l],
    })
  }
}
