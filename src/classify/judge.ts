import type { RaceClass } from './classes.js'
import { type Attempt, type Comparison, type EnforceOptions, enforce } from './enforce.js'
import type { Pair, Sighting } from './find.js'
import type { Trials } from './trials.js'

export interface JudgeOptions extends EnforceOptions {
  /** Executions that show the race from which the other order is tried (Mp). */
  readonly primaries: number
  readonly outOfTime: () => boolean
}

/** What is known of one pair of accesses, and from what. */
export interface Judgement {
  readonly class: RaceClass
  /** Why it is unknown, or how a single ordering was shown. */
  readonly reason: Reason
  /** Pairs of executions that were compared and came to the same, each counted once. */
  readonly witnesses: number
  /** Pairs of executions that failed in the same way, whichever access came first. */
  readonly bothFail: number
  /** Pairs of executions of which one did not run to an end. */
  readonly inconclusive: number
  /** Primary executions. */
  readonly primaries: number
  /** What the class rests on most: the evidence. */
  readonly attempt: Attempt | null
  readonly comparison: Comparison | null
  readonly attempts: readonly Attempt[]
  /** Keys of the witnesses. */
  readonly keys: ReadonlySet<string>
}

export type Reason =
  | 'compared'
  /** Single ordering: the second thread waits for the one held back. */
  | 'waits'
  /** Single ordering: it went round a loop for long, which ended when the one held back went on. */
  | 'loops'
  /** The second thread did something else. Single ordering if every schedule was run. */
  | 'elsewhere'
  | 'both-fail'
  | 'inconclusive'
  /** Both orders were seen, but neither could be made of the other. */
  | 'not-enforced'
  | 'timeout'
  | 'out-of-time'
  | 'never-seen'

/** What the order of two accesses does, from several executions that show them. */
export function judge(trials: Trials, pair: Pair, isComplete: boolean, options: JudgeOptions): Judgement {
  const attempts: Attempt[] = []
  // An attempt of which nothing can be compared does not count, up to a point.
  let compared = 0
  for (const sighting of primariesIn(pair.sightings)) {
    if (compared >= options.primaries || attempts.length >= 2 * options.primaries || options.outOfTime())
      break
    const seed = options.seed + attempts.length + 1
    const attempt = enforce(trials, sighting, { ...options, seed })
    attempts.push(attempt)
    if (attempt.comparisons.some(({ result }) => result === 'same' || result === 'output')) compared++
    if (attempt.comparisons.some(({ result }) => result === 'bug')) break
  }
  return conclude(pair, attempts, isComplete)
}

/** What attempts say together. */
export function conclude(pair: Pair, attempts: readonly Attempt[], isComplete: boolean): Judgement {
  const all = attempts.flatMap((attempt) =>
    attempt.comparisons.map((comparison) => ({ attempt, comparison })),
  )
  const reached = all.filter(({ attempt }) => attempt.hold === 'reached')
  const same = reached.filter(({ comparison }) => comparison.result === 'same')
  const keys = new Set(same.map(({ comparison }) => keyOf(comparison)))
  const countOf = (result: Comparison['result']) =>
    new Set(
      all.filter(({ comparison }) => comparison.result === result).map(({ comparison }) => keyOf(comparison)),
    ).size
  const verdict = (
    name: RaceClass,
    reason: Reason,
    by: { attempt: Attempt; comparison: Comparison } | undefined,
  ): Judgement => ({
    class: name,
    reason,
    witnesses: keys.size,
    bothFail: countOf('both-fail'),
    inconclusive: countOf('inconclusive'),
    primaries: attempts.length,
    attempt: by?.attempt ?? null,
    comparison: by?.comparison ?? null,
    attempts,
    keys,
  })
  const bug = all.find(({ comparison }) => comparison.result === 'bug')
  if (bug) return verdict('spec-violated', 'compared', bug)
  const output = reached.find(({ comparison }) => comparison.result === 'output')
  if (output) return verdict('output-differs', 'compared', output)
  if (same.length > 0) return verdict('harmless', 'compared', same[0])
  const [first] = all
  if (first === undefined) return verdict('unknown', 'out-of-time', undefined)
  const failing = all.find(({ comparison }) => comparison.result === 'both-fail')
  if (reached.length > 0)
    return verdict('unknown', failing ? 'both-fail' : 'inconclusive', failing ?? reached[0])
  return notReached(pair, attempts, isComplete, verdict, failing !== undefined)
}

/** The other order never came about. */
function notReached(
  pair: Pair,
  attempts: readonly Attempt[],
  isComplete: boolean,
  verdict: (
    name: RaceClass,
    reason: Reason,
    by: { attempt: Attempt; comparison: Comparison } | undefined,
  ) => Judgement,
  hasFailed: boolean,
): Judgement {
  const by = (attempt: Attempt) => ({ attempt, comparison: attempt.comparisons[0] })
  const like = (isSuch: (attempt: Attempt) => boolean) => attempts.find(isSuch)
  const ended = like(({ hold }) => hold === 'ended')
  if (ended) return verdict('unknown', hasFailed ? 'both-fail' : 'inconclusive', by(ended))
  const endless = like(({ hold, awaited }) => hold === 'timeout' && awaited.length === 0)
  if (endless) return verdict('unknown', 'timeout', by(endless))
  if (pair.aFirst > 0 && pair.bFirst > 0) return verdict('unknown', 'not-enforced', by(attempts[0]))
  const elsewhere = like(({ hold }) => hold === 'elsewhere')
  if (elsewhere && !isComplete) return verdict('unknown', 'elsewhere', by(elsewhere))
  const waits = like(({ hold }) => hold === 'blocked')
  if (waits) return verdict('single-ordering', 'waits', by(waits))
  const loops = like(({ hold }) => hold === 'timeout')
  if (loops) return verdict('single-ordering', 'loops', by(loops))
  return verdict('single-ordering', 'elsewhere', by(elsewhere!))
}

export function keyOf({ primary, alternate }: Comparison): string {
  return `${primary.fingerprint} ${alternate.fingerprint}`
}

/**
 * Executions to begin from, in the order to be tried: failing ones, since it may be this race that makes them fail, and
 * others by turns; those first in which the accesses are close to each other and few others touch the object, and one of
 * each kind before a second of any.
 */
export function primariesIn(sightings: readonly Sighting[]): Sighting[] {
  const genuine = sightings.filter(({ isIdle }) => !isIdle)
  const groups = new Map<string, Sighting[]>()
  for (const sighting of genuine.length > 0 ? genuine : sightings) {
    const group = groups.get(sighting.group)
    if (group === undefined) groups.set(sighting.group, [sighting])
    else group.push(sighting)
  }
  const close = [...groups.values()].sort(([a], [b]) => a.distance - b.distance)
  const rounds = Array.from({ length: Math.max(0, ...close.map((group) => group.length)) }, (_, round) =>
    close.flatMap((group) => (round < group.length ? [group[round]] : [])),
  )
  return rounds.flatMap((round) =>
    byTurns(
      round.filter(fails),
      round.filter((one) => !fails(one)),
    ),
  )
}

function byTurns<T>(some: readonly T[], others: readonly T[]): T[] {
  return Array.from({ length: Math.max(some.length, others.length) }, (_, i) => [
    ...some.slice(i, i + 1),
    ...others.slice(i, i + 1),
  ]).flat()
}

function fails({ outcome }: Sighting): boolean {
  return outcome.bug !== null
}
