import { formatPoints, includesPoints, type PointSet } from '../machine/points.js'
import { count, list } from '../words/words.js'
import type { Evidence, Extent, SearchEvidence } from './evidence.js'
import type { StopReason } from './search.js'

export type Verdict =
  | 'bug'
  /** Every schedule was explored. */
  | 'verified'
  /** The part asked for (a PP set, a bound, a number of samples) was completed. */
  | 'bounded'
  /** It was not: time or executions ran out, or the user ended it. */
  | 'budget'

export interface Judgement {
  readonly verdict: Verdict
  /** What is known now, in one sentence; null when a bug was found. */
  readonly guarantee: string | null
  /** What weakens the guarantee further. */
  readonly caveats: readonly string[]
  /** Of a run that did not complete what was asked for: what was covered and what was not, in few words. */
  readonly incomplete?: Incomplete
}

/** What a run that did not complete its task has covered, and what it has not. */
export interface Incomplete {
  readonly covered: string
  readonly missing: string
  /** What ended it. */
  readonly stopped: StopReason
}

/** Every visible operation of every function is a point. */
export function coversEverything(points: PointSet): boolean {
  return points.kinds.includes('everywhere') && points.rules.length === 0
}

/**
 * Says what is known and no more. "Verified" needs all of: a search that stands for every schedule ran out of work, the
 * points were everywhere, no bound was given, no execution was cut and every thread had ended when the program did.
 */
export function judge(evidence: Evidence): Judgement {
  if (evidence.foundBug) return { verdict: 'bug', guarantee: null, caveats: [] }
  const { goal, searches } = evidence
  const proof = searches.find((search) => search.isDone && search.reachesGoal && !isBlind(search))
  const caveats = caveatsOf(evidence, proof)
  if (goal.promise === 'sample') return judgeSample(evidence, caveats)
  if (proof === undefined) return { verdict: 'budget', ...partial(evidence), caveats }
  const isWhole = coversEverything(goal.points) && goal.bound === undefined
  return {
    verdict: isWhole && caveats.length === 0 ? 'verified' : 'bounded',
    guarantee: guaranteeOf(evidence, proof),
    caveats,
  }
}

/**
 * Whether what was cut leaves nothing to be said about schedules that were not run. A reduction learns from what an
 * execution does which other ones there are; of one that was cut it has seen the beginning only, and whatever would have
 * come later might have shown more of them, shorter than the limit too. Without reduction, every prefix up to the limit was
 * seen, unless something was cut before it.
 */
function isBlind({ cut, cutEarly, everyPrefix }: SearchEvidence): boolean {
  return cut > 0 && (everyPrefix !== true || cutEarly > 0)
}

function guaranteeOf(evidence: Evidence, proof: SearchEvidence): string {
  const { goal, maxSteps } = evidence
  const limit = proof.cut > 0 ? ` up to ${maxSteps} steps long` : ''
  // A bound that left nothing out is worth saying.
  const isAll = goal.bound !== undefined && proof.completedBound === Infinity
  const scope = `${scopeOf(goal)}${limit}${isAll ? ' (none needs more)' : ''}`
  return includesPoints(proof.points, { ...goal.points, races: [] })
    ? `${scope} was explored; none shows a bug`
    : `${scope} was covered; none shows a bug: ${groundOf(proof)}`
}

/** Why a state space with fewer points stands for every schedule. */
function groundOf({ points, executions }: SearchEvidence): string {
  const racy =
    points.races.length === 0
      ? 'no two accesses race'
      : `${count(points.races.length, 'racing access was', 'racing accesses were')} split`
  const explored = executions > 0 ? `in ${count(executions, 'execution')} ` : ''
  return `all orders of synchronisation and atomics were explored ${explored}and ${racy}`
}

function judgeSample(evidence: Evidence, caveats: string[]): Judgement {
  const { executions, goal, seed, stopped } = evidence
  const where = coversEverything(goal.points) ? '' : ` with preemption points ${pointsText(goal.points)}`
  return {
    verdict: stopped === 'executions' || stopped === 'exhausted' ? 'bounded' : 'budget',
    guarantee: `${count(executions, 'schedule')} sampled by ${goal.strategy} (seed ${seed})${where}; none shows a bug, others may`,
    caveats,
  }
}

function scopeOf({ points, boundUnit = 'preemption', ...extent }: Extent, bound = extent.bound): string {
  const parts = ['every schedule']
  if (bound !== undefined && bound !== Infinity) parts.push(`with at most ${count(bound, boundUnit)}`)
  if (!coversEverything(points)) parts.push(`that switches threads only at ${pointsText(points)}`)
  return parts.join(' ')
}

const endings: Readonly<Record<StopReason, string>> = {
  executions: 'the number of executions asked for was reached',
  budget: 'the budget ran out',
  memory: 'its memory ran out (--memory-limit)',
  interrupted: 'it was interrupted',
  patience: 'its time was over',
  bug: 'it stopped at a bug',
  exhausted: 'it had nothing left to explore',
}

function partial(evidence: Evidence): Pick<Judgement, 'guarantee' | 'incomplete'> {
  const { stopped, goal, maxSteps, searches } = evidence
  const all = scopeOf(goal)
  const blind = searches.find((search) => search.isDone && search.reachesGoal)
  const missing = blind
    ? `what executions do after ${maxSteps} steps decides which other schedules ${blind.strategy} would explore`
    : `not ${all} was explored when ${endings[stopped]}`
  return {
    guarantee: `${coveredBy(evidence, formatPoints)}; none shows a bug, others may: ${missing}`,
    incomplete: {
      covered: coveredBy(evidence, briefPoints),
      missing: blind
        ? missing
        : `${all === 'every schedule' ? 'other schedules' : `the rest of: ${all}`}, because ${endings[stopped]}`,
      stopped,
    },
  }
}

/** The points, or how many accesses are among them where they are many. */
function briefPoints(points: PointSet): string {
  const { races } = points
  if (races.length <= 2) return formatPoints(points)
  return `${formatPoints({ ...points, races: [] })} and ${races.length} racing accesses`
}

/** What was explored, from the largest part that was completed to what was merely sampled. */
function coveredBy({ executions, searches }: Evidence, text: (points: PointSet) => string): string {
  const parts: string[] = []
  const done = searches.filter((s) => s.isDone && !s.reachesGoal && s.promise === 'all' && s.cut === 0)
  const sets = largest(done).map((search) => `{${text(search.points)}}`)
  if (sets.length > 0) {
    parts.push(
      `every schedule that switches threads only at ${list(sets.slice(0, 4), 'or only at')} was explored`,
    )
  }
  const [bounded] = searches
    .filter((search) => search.completedBound >= 0)
    .sort((a, b) => b.completedBound - a.completedBound)
  if (bounded) parts.push(`${scopeOf(bounded, bounded.completedBound)} was explored`)
  const samplers = searches.filter(({ promise }) => promise === 'sample')
  for (const strategy of new Set(samplers.map((search) => search.strategy))) {
    const samples = samplers.reduce((sum, s) => sum + (s.strategy === strategy ? s.executions : 0), 0)
    if (samples > 0) parts.push(`${count(samples, 'schedule was', 'schedules were')} sampled by ${strategy}`)
  }
  const isCut = searches.some((search) => search.isDone && search.reachesGoal)
  const explored = `${count(executions, 'schedule')} explored`
  const end = isCut ? ` to ${executions === 1 ? 'its' : 'their'} end` : ''
  return parts.length > 0 ? `${parts.join('; ')}; in all ${explored}${end}` : `${explored}${end}`
}

/** Those that are part of no other. */
function largest(searches: readonly SearchEvidence[]): SearchEvidence[] {
  return searches.filter(
    (search) =>
      !searches.some(
        (other) =>
          other !== search &&
          includesPoints(other.points, search.points) &&
          !includesPoints(search.points, other.points),
      ),
  )
}

/** What weakens a guarantee, whatever it is. */
function caveatsOf(evidence: Evidence, proof: SearchEvidence | undefined): string[] {
  const { cut, unfinished, unfinishedThreads, maxSteps, coarse, goal, searches, needsEverywhere } = evidence
  const caveats: string[] = []
  if (evidence.executions === 0 && evidence.stoppedByAssume > 0) {
    caveats.push('assumptions stopped every execution, and what comes after them was not seen')
  }
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
  if (coarse && coversEverything(goal.points)) {
    caveats.push(
      'an access of more than 8 bytes that races with another thread ran as one step, because it cannot be split: ' +
        'interrupting it in the middle was not tried',
    )
  }
  for (const { title, points, givenUp } of searches) {
    if (givenUp !== undefined)
      caveats.push(`${title} (${pointsText(points)}) was given up: ${givenUp}, twice`)
  }
  const isNarrow = ({ points }: Extent) => !points.kinds.includes('everywhere')
  if (needsEverywhere && !isNarrow(goal) && searches.some(isNarrow) && (!proof || isNarrow(proof))) {
    caveats.push(
      'an invariant is watched, freed memory reused, interrupts turned off or writers preferred, which depends on ' +
        'more orders than were split here: those need --strategy optimal',
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
