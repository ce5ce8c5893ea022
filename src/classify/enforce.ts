import type { Trace } from '../execution/trace.js'
import { type Bug, sameBug } from '../machine/bug.js'
import type { Machine, Output } from '../machine/machine.js'
import { Mode, Op } from '../machine/operation.js'
import { locationsMeet } from '../ordering/dependence.js'
import { locksHeldBefore } from '../races/lock-rules.js'
import { compareOutputs, type OutputDifference, type OutputOrder } from './compare-outputs.js'
import { asBefore, atRandom, type Continuation } from './continuation.js'
import type { Sighting } from './find.js'
import { idleAccesses } from './idle.js'
import { type AccessFinder, Alternate, Counterpart, type Exchange, type Hold } from './steer.js'
import { type Outcome, scriptOf, type Trials } from './trials.js'
import type { Turn } from './turns.js'

export interface EnforceOptions {
  readonly output: OutputOrder
  /** Random continuations of each primary execution, besides the one that goes on as it did (Ma). */
  readonly alternates: number
  readonly seed: number
  /** Also hold the first thread back before it takes locks, where it holds some that the other needs. */
  readonly movesLocks: boolean
}

/** Two executions that differ in the order of two accesses, and what they came to. */
export interface Comparison {
  readonly result:
    | 'same'
    /** One of them fails, or they fail in different ways. */
    | 'bug'
    | 'output'
    /** Both fail in the same way: that is not due to the order. */
    | 'both-fail'
    /** One of them did not run to an end. */
    | 'inconclusive'
  /** The order as it was seen. */
  readonly primary: Outcome
  /** The other one. */
  readonly alternate: Outcome
  readonly difference: OutputDifference | null
}

/** What came of the attempt to have the accesses of one sighting in the other order. */
export interface Attempt {
  readonly sighting: Sighting
  readonly hold: Hold
  /** Of a hold that could not go on: what the second thread waits for. */
  readonly waitsFor: { readonly object: string; readonly spinning: boolean; readonly place: string } | null
  /** Of a hold without end: objects that the second thread looks at in its loop, and the first writes when it goes on. */
  readonly awaited: readonly string[]
  /** Steps that the others took meanwhile. */
  readonly heldSteps: number
  /** The first continues as the execution did, the others at random. */
  readonly comparisons: readonly Comparison[]
}

/** How long the first thread is held back: this many times the steps of the execution, and at least so many. */
const patienceFactor = 5
const leastPatience = 4000
/** Rounds of waiting loops that are passed over until the second access must have been done in earnest. */
const mostIdleRounds = 8

/**
 * Single-pre, multi-post analysis of one sighting (Kasikci et al., "Automated Classification of Data Races Under Both
 * Strong and Weak Memory Models", TOPLAS 2015, algorithm 1 and §4.4): runs up to the first access, holds its thread back
 * until the other has done its own, goes on.
 *
 * We compare each such execution with one that has the accesses in the order seen and is the same in everything else,
 * where Portend compares all with the execution that was recorded: what another race does in what follows happens in both,
 * and is not put down to this one.
 */
export function enforce(trials: Trials, sighting: Sighting, options: EnforceOptions): Attempt {
  const { machine } = trials
  machine.usePoints(sighting.outcome.points)
  trials.repeat(sighting.outcome.choices)
  const seen = describe(machine, trials.trace, sighting)
  let exchange = seen.exchange
  let alternate = runAlternate(trials, exchange, () => asBefore(seen.after), false)
  if (options.movesLocks && alternate.steered.hold === 'blocked' && seen.earlier !== null) {
    const earlier = runAlternate(trials, seen.earlier, () => asBefore(seen.afterEarlier), false)
    if (earlier.steered.hold === 'reached') {
      exchange = seen.earlier
      alternate = earlier
    }
  }
  const { steered } = alternate
  const { hold } = steered
  const compared = ({ steered: other, outcome }: RunAlternate) =>
    compare(trials.run(new Counterpart(machine, exchange, other)), outcome, options.output, (printed) =>
      isPrintedIn(other, exchange.first, printed),
    )
  const comparisons = [compared(alternate)]
  if (comparisons[0].result === 'same' && isWithin(steered, exchange, sighting.outcome)) {
    const asSeen = compare(sighting.outcome, alternate.outcome, options.output, () => false)
    if (asSeen.result === 'bug') comparisons[0] = asSeen
  }
  if (hold === 'reached' && comparisons[0].result !== 'bug') {
    for (let k = 0; k < options.alternates; k++) {
      const seed = options.seed * 1000 + k
      comparisons.push(compared(runAlternate(trials, exchange, () => atRandom(seed), true)))
    }
  }
  const { waitsFor } = steered
  return {
    sighting,
    hold,
    waitsFor: waitsFor && {
      object: waitsFor.object,
      spinning: waitsFor.spinning,
      place: machine.sites[waitsFor.site]?.name ?? '',
    },
    awaited: alternate.awaited.map((location) => machine.describeLocation(location)),
    heldSteps: steered.secondTurn,
    comparisons,
  }
}

/**
 * Whether the execution that was seen is the alternate but for the order of the accesses, and for steps that the alternate lacks. Those
 * have no turn of their own in a counterpart, and come too late there to be seen by a third thread.
 */
function isWithin(
  { turns, firstTurn, hold }: Alternate,
  { prefix }: Exchange,
  { choices, bug }: Outcome,
): boolean {
  if (hold !== 'reached') return false
  const { thread, value } = choices
  // The first access comes first there.
  let at = prefix.length + 1
  for (const [i, turn] of turns.entries()) {
    if (i === firstTurn) continue
    // What failed has no more turns.
    if (at === thread.length) return bug !== null
    while (at < thread.length && (thread[at] !== turn.thread || value[at] !== turn.value)) at++
    if (at++ >= thread.length) return false
  }
  return true
}

/** An exchange of the two accesses of a sighting, and one that begins before the first thread took its locks. */
interface Described {
  readonly exchange: Exchange
  readonly after: readonly Turn[]
  readonly earlier: Exchange | null
  readonly afterEarlier: readonly Turn[]
}

function describe(machine: Machine, trace: Trace, { outcome, events }: Sighting): Described {
  const [firstEvent, secondEvent] = events
  const p = transitionOf(trace, firstEvent)
  const q = transitionOf(trace, secondEvent)
  const first = trace.thread[p]
  const location = trace.events.location[firstEvent]
  const finder = (site: number): AccessFinder => {
    return (run, d) => {
      const { events: log } = run
      for (let i = run.eventStart(d); i < run.eventEnd[d]; i++) {
        if (log.site[i] !== site || log.kind[i] === Op.resume) continue
        if (locationsMeet(machine.locations, log.location[i], location)) return i
      }
      return -1
    }
  }
  const touches = (run: Trace, d: number): boolean => {
    const { events: log } = run
    for (let i = run.eventStart(d); i < run.eventEnd[d]; i++)
      if (locationsMeet(machine.locations, log.location[i], location)) return true
    return false
  }
  const isFirst = finder(trace.events.site[firstEvent])
  const isSecond = finder(trace.events.site[secondEvent])
  const { thread, value } = outcome.choices
  const steps = thread.length
  const patience = Math.max(leastPatience, patienceFactor * steps)
  const turns = (from: number, to: number, isWanted: (t: number, d: number) => boolean): Turn[] => {
    const wanted: Turn[] = []
    for (let d = from; d < to; d++)
      if (isWanted(thread[d], d)) wanted.push({ thread: thread[d], value: value[d] })
    return wanted
  }
  const from = (at: number): [Exchange, Turn[]] => [
    {
      prefix: scriptOf(outcome.choices, at),
      first,
      second: trace.thread[q],
      isFirst,
      isSecond,
      location,
      touches,
      between: turns(at, q + 1, (t) => t !== first),
      patience,
      maxSteps: at + patience + patienceFactor * steps + leastPatience,
    },
    // The first thread's own way to its access is gone by then.
    turns(at, steps, (t, d) => d !== p && (d > q || (t === first && d > p))),
  ]
  const [exchange, after] = from(p)
  const [lock] = locksHeldBefore(trace, firstEvent, first)
  const [earlier, afterEarlier] = lock === undefined ? [null, []] : from(transitionOf(trace, lock.takenAt))
  return { exchange, after, earlier, afterEarlier }
}

function transitionOf(trace: Trace, event: number): number {
  let d = 0
  while (trace.eventEnd[d] <= event) d++
  return d
}

interface RunAlternate {
  readonly steered: Alternate
  readonly outcome: Outcome
  readonly awaited: readonly number[]
}

/** Runs the other order. A second access in a round of a loop that changes nothing does not count: it waits. */
function runAlternate(
  trials: Trials,
  exchange: Exchange,
  goOn: () => Continuation,
  isLoose: boolean,
): RunAlternate {
  let notBefore = -1
  for (let round = 0; ; round++) {
    const steered = new Alternate(trials.machine, exchange, goOn(), { notBefore, isLoose })
    const outcome = trials.run(steered)
    const { trace } = trials
    const isIdle = steered.hold === 'reached' && idleAccesses(trace)(steered.reachedAt)
    if (!isIdle || round === mostIdleRounds)
      return {
        steered,
        outcome,
        awaited: steered.hold === 'timeout' ? awaitedIn(trace, exchange, steered) : [],
      }
    notBefore = steered.reachedAt + 1
  }
}

/**
 * What the second thread went on looking at while the first was held back, and the first wrote once it went on, before
 * the second came to its access: the loop waited for that.
 */
function awaitedIn(trace: Trace, exchange: Exchange, { releasedAt }: Alternate): number[] {
  const { events } = trace
  const looked = new Set<number>()
  const written = new Set<number>()
  const tail = releasedAt - Math.min(1000, releasedAt >> 1)
  for (let d = exchange.prefix.length; d < trace.length; d++) {
    const thread = trace.thread[d]
    for (let i = trace.eventStart(d); i < trace.eventEnd[d]; i++) {
      const location = events.location[i]
      if (location < 0) continue
      if (thread === exchange.second && i >= tail && i < releasedAt && events.mode[i] === Mode.read)
        looked.add(location)
      if (thread === exchange.first && i >= releasedAt && events.mode[i] !== Mode.read) written.add(location)
    }
    if (trace.eventStart(d) >= releasedAt && thread === exchange.second && exchange.isSecond(trace, d) >= 0)
      return [...looked].filter((location) => written.has(location))
  }
  return []
}

function compare(
  primary: Outcome,
  alternate: Outcome,
  output: OutputOrder,
  isMoved: (printed: Output) => boolean,
): Comparison {
  const pair = { primary, alternate, difference: null }
  if (!primary.isComplete || !alternate.isComplete) return { ...pair, result: 'inconclusive' }
  if (primary.bug !== null && alternate.bug !== null) {
    return { ...pair, result: isAlike(primary.bug, alternate.bug) ? 'both-fail' : 'bug' }
  }
  if (primary.bug !== null || alternate.bug !== null) return { ...pair, result: 'bug' }
  const difference = differenceOf(primary, alternate, output, isMoved)
  return difference === null ? { ...pair, result: 'same' } : { ...pair, result: 'output', difference }
}

/**
 * What is printed in the same step as the access moves with it, which is no effect of the race: then
 * only what each thread prints counts.
 */
function differenceOf(
  primary: Outcome,
  alternate: Outcome,
  output: OutputOrder,
  isMoved: (printed: Output) => boolean,
): OutputDifference | null {
  const difference = compareOutputs(primary.outputs, alternate.outputs, output)
  if (difference === null || output !== 'ordered' || !alternate.outputs.some(isMoved)) return difference
  return compareOutputs(primary.outputs, alternate.outputs, 'per-thread')
}

/** Whether something was printed in the step that does the first access. */
function isPrintedIn({ firstEvents: [from, to] }: Alternate, first: number, { thread, at }: Output): boolean {
  return thread === first && from >= 0 && at >= from && at <= to
}

/** Who is stuck where depends on the order of much that does not matter. */
function isAlike(a: Bug, b: Bug): boolean {
  const isStuck = a.kind === 'deadlock' || a.kind === 'livelock'
  return a.kind === b.kind && (isStuck || sameBug(a, b))
}
