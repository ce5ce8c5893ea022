import type { PointSet } from '../machine/points.js'
import { formatPoints } from '../machine/points.js'
import type { NotDone, Verdict } from '../reports/report.js'
import { count } from '../reports/words.js'
import type { StrategyPromise } from '../strategies/registry.js'
import type { Counters } from './counters.js'
import type { StopReason } from './search.js'

export interface Judgement {
  readonly verdict: Verdict
  /** What is known now, in one sentence; null when a bug was found. */
  readonly guarantee: string | null
  /** What weakens the guarantee further. */
  readonly caveats: readonly string[]
  /** Of a run that was not done: what was covered and what was not, in few words. */
  readonly notDone?: NotDone
}

/** All that a verdict rests on. */
export interface Evidence extends Counters {
  readonly strategy: string
  readonly promise: StrategyPromise
  readonly stopped: StopReason
  readonly foundBug: boolean
  readonly points: PointSet
  readonly bound?: number | undefined
  /** Largest bound done with; see `Strategy.completedBound`. */
  readonly completedBound?: number | undefined
  /** See `Strategy.coarse`. */
  readonly coarse?: boolean | undefined
  /** What the bound counts. */
  readonly boundUnit?: string | undefined
  /** See `StrategyEntry.everyPrefix`. */
  readonly everyPrefix?: boolean | undefined
  readonly maxSteps: number
  readonly seed: number
  /** Executions of samplers that ran before, if any. */
  readonly sampledBefore?: number
}

/** Every visible operation of every function is a point. */
export function coversEverything(points: PointSet): boolean {
  return points.kinds.includes('everywhere') && points.rules.length === 0
}

/**
 * Whether what was cut leaves nothing to be said about schedules that were not run. A reduction learns from what an
 * execution does which other ones there are; of one that was cut it has seen the beginning only, and whatever would have
 * come later might have shown more of them, shorter than the limit too. Without reduction, every prefix up to the limit was
 * seen, unless something was cut before it.
 */
function isBlind({ cut, cutEarly, everyPrefix }: Evidence): boolean {
  return cut > 0 && (everyPrefix !== true || cutEarly > 0)
}

/**
 * Says what is known and no more. "Verified" needs all of: a strategy that promises everything ran out of work, the
 * points were everywhere, no bound was given, no execution was cut and every thread had ended when the program did.
 */
export function judge(evidence: Evidence): Judgement {
  if (evidence.foundBug) return { verdict: 'bug', guarantee: null, caveats: [] }
  const caveats = caveatsOf(evidence)
  if (evidence.promise === 'sample') return judgeSample(evidence, caveats)
  if (evidence.stopped !== 'exhausted' || isBlind(evidence)) {
    return { verdict: 'budget', ...partial(evidence), caveats }
  }
  const whole = coversEverything(evidence.points) && evidence.bound === undefined
  return {
    verdict: whole && caveats.length === 0 ? 'verified' : 'bounded',
    guarantee: `${scopeOfSchedules(evidence)}${allWithinBound(evidence)} was explored; none shows a bug`,
    caveats,
  }
}

/** A bound that left nothing out is worth saying. */
function allWithinBound({ bound, completedBound }: Evidence): string {
  return bound !== undefined && completedBound === Infinity ? ' (none needs more)' : ''
}

function judgeSample(evidence: Evidence, caveats: string[]): Judgement {
  const { executions, strategy, seed, stopped, points } = evidence
  const where = coversEverything(points) ? '' : ` with preemption points ${pointsText(points)}`
  return {
    verdict: stopped === 'executions' || stopped === 'exhausted' ? 'bounded' : 'budget',
    guarantee: `${count(executions, 'schedule')} sampled by ${strategy} (seed ${seed})${where}; none shows a bug, others may`,
    caveats,
  }
}

function scopeOfSchedules(evidence: Evidence, bound = evidence.bound): string {
  const { points, boundUnit = 'preemption', cut, maxSteps } = evidence
  const parts = ['every schedule']
  if (bound !== undefined) parts.push(`with at most ${count(bound, boundUnit)}`)
  if (!coversEverything(points)) parts.push(`that switches threads only at ${pointsText(points)}`)
  if (cut > 0 && !isBlind(evidence)) parts.push(`up to ${maxSteps} steps long`)
  return parts.join(' ')
}

function partial(evidence: Evidence): Pick<Judgement, 'guarantee' | 'notDone'> {
  const { executions, stopped, strategy, maxSteps, sampledBefore = 0, completedBound = -1 } = evidence
  const why = {
    executions: 'the number of executions asked for was reached',
    budget: 'the budget ran out',
    memory: 'its memory ran out (--memory-limit)',
    interrupted: 'it was interrupted',
    bug: 'it stopped at a bug',
    exhausted: 'it ended',
  }[stopped]
  const quick = sampledBefore > 0 ? ` (${sampledBefore} of them in the quick look)` : ''
  const explored = `${count(executions, 'schedule')}${quick}`
  const done =
    completedBound >= 0 ? `${scopeOfSchedules(evidence, completedBound)} was explored, in all ` : ''
  if (stopped === 'exhausted') {
    const covered = `${done}${explored} explored to ${executions === 1 ? 'its' : 'their'} end`
    const missing = `what executions do after ${maxSteps} steps decides which other schedules ${strategy} would explore`
    return { guarantee: notDoneText(covered, missing), notDone: { covered, missing, stopped } }
  }
  const covered = `${done}${explored}${done ? '' : ' explored'}`
  const all = scopeOfSchedules(evidence)
  return {
    guarantee: notDoneText(covered, `${strategy} was not done with ${all} when ${why}`),
    notDone: {
      covered,
      missing: `${all === 'every schedule' ? 'other schedules' : `the rest of: ${all}`}, since ${why}`,
      stopped,
    },
  }
}

function notDoneText(covered: string, missing: string): string {
  return `${covered}; none shows a bug, others may: ${missing}`
}

/** What weakens a guarantee, whatever it is. */
export function caveatsOf(
  evidence: Pick<Evidence, 'cut' | 'unfinished' | 'unfinishedThreads' | 'maxSteps' | 'coarse' | 'points'>,
): string[] {
  const { cut, unfinished, unfinishedThreads, maxSteps, coarse, points } = evidence
  const caveats: string[] = []
  if (cut > 0) {
    caveats.push(`${count(cut, 'execution')} cut after ${maxSteps} steps: what comes later was not seen`)
  }
  if (unfinished > 0) {
    caveats.push(
      `the program ended while ${count(unfinished, 'thread')} (${unfinishedThreads.join(', ')}) had not, ` +
        'and what came next was not seen',
    )
  }
  // Under other PP sets transitions are long anyway, and the guarantee says where threads switch.
  if (coarse && coversEverything(points)) {
    caveats.push(
      'an access of more than 8 bytes that races with another thread ran as one step, because it cannot be split: ' +
        'interrupting it in the middle was not tried',
    )
  }
  return caveats
}

/** The same with what weakens every guarantee on the program. */
export function weaken({ verdict, guarantee, caveats }: Judgement, more: readonly string[]): Judgement {
  if (verdict === 'bug' || more.length === 0) return { verdict, guarantee, caveats }
  return { verdict: verdict === 'verified' ? 'bounded' : verdict, guarantee, caveats: [...caveats, ...more] }
}

export function pointsText(points: PointSet): string {
  const rules = points.rules.map((r) => `${r.accept ? 'within' : 'without'} ${r.function}`)
  return [formatPoints(points), ...rules].join(' ')
}
