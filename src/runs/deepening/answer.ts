import { formatPoints, includesPoints, type NamedPointKind, type PointSet } from '../../machine/points.js'
import { isBothOrder, type RaceRecord } from '../../races/index.js'
import type { RaceKnowledge } from '../../reports/report.js'
import { count, list } from '../../reports/words.js'
import type { Judgement } from '../verdict.js'
import { caveatsOf, pointsText } from '../verdict.js'
import type { Deepening, DeepenStop } from './deepen.js'
import { isWhole, type Job } from './job.js'

/** The maximal state space is done, and every access known to race is a point of it. */
export function coversEverySchedule({ board, needsRelease }: Deepening): boolean {
  const { maximal } = board
  const races = board.racyAccesses.map((access) => access.race)
  const kinds: NamedPointKind[] = needsRelease ? ['release'] : []
  return isWhole(maximal) && includesPoints(maximal.points, { ...maximal.points, kinds, races })
}

/** What was decided about each race, and on what ground. */
export function knowledgeAfter(run: Deepening): (race: RaceRecord) => RaceKnowledge {
  const whole = run.board.jobs.filter(isWhole)
  const isEverything = coversEverySchedule(run)
  return (race) => {
    if (isEverything && !run.isConfirmed(race)) return 'no-race'
    if (!isBothOrder(race)) return isEverything ? 'one-order' : 'untested'
    const races = [race.a, race.b].map(({ site, thread }) => ({ site, thread }))
    const tested = whole.find((job) => includesPoints(job.points, { ...job.points, kinds: [], races }))
    if (tested === undefined) return 'untested'
    return tested.hasBug ? 'both-orders-bug' : 'both-orders-pass'
  }
}

const weakestFirst: readonly RaceKnowledge[] = [
  'untested',
  'both-orders-bug',
  'both-orders-pass',
  'one-order',
  'no-race',
]

/** What holds for all of several races. */
export function weakest(known: readonly RaceKnowledge[]): RaceKnowledge {
  return weakestFirst.find((k) => known.includes(k)) ?? 'untested'
}

/**
 * Says what is known and no more. "Verified" needs: the maximal state space explored to its end, with no access racing
 * that is not a point of it, nothing cut, no thread left over, no rule that leaves points out.
 */
export function judgeDeepening(
  run: Deepening,
  stopped: DeepenStop,
  maxSteps: number,
  hadBug: boolean,
): Judgement {
  if (hadBug || run.bugs.length > 0) return { verdict: 'bug', guarantee: null, caveats: [] }
  const { board, counters } = run
  const { maximal } = board
  const { rules } = board.settings
  const isAll = coversEverySchedule(run)
  const isEverywhere = maximal.points.kinds.includes('everywhere')
  const caveats = [
    ...caveatsOf({
      ...counters,
      maxSteps,
      coarse: run.isCoarse,
      points: { kinds: ['everywhere'], races: [], rules },
    }),
    ...board.jobs
      .filter((job) => job.status === 'crashed')
      .map((job) => `job ${job.id} (${pointsText(job.points)}) was given up: ${job.reason}, twice`),
    ...(run.needsEverywhere && !(isAll && isEverywhere)
      ? [
          'an invariant is watched or freed memory reused, which depends on more orders than were split here: ' +
            'those need --strategy optimal',
        ]
      : []),
  ]
  if (isAll) {
    const scope = rules.length === 0 ? '' : ` that switches threads only ${rulesText(maximal.points)}`
    return {
      verdict: rules.length === 0 && caveats.length === 0 ? 'verified' : 'bounded',
      guarantee: isEverywhere
        ? `every schedule${scope} was explored; none shows a bug`
        : `every schedule${scope} was covered; none shows a bug: ${groundOf(maximal)}`,
      caveats,
    }
  }
  return {
    verdict: stopped === 'exhausted' ? 'bounded' : 'budget',
    ...partialOf(run, stopped),
    caveats,
  }
}

/** Why the maximal state space stands for every schedule. */
function groundOf({ points, counters }: Job): string {
  const racy =
    points.races.length === 0
      ? 'no two accesses race'
      : `${count(points.races.length, 'racing access', 'racing accesses')} were split`
  const explored = counters.executions > 0 ? `in ${count(counters.executions, 'execution')} ` : ''
  return `all orders of synchronisation and atomics were explored ${explored}and ${racy}`
}

function rulesText({ rules }: PointSet): string {
  return rules.map((r) => `${r.accept ? 'within' : 'without'} ${r.function}`).join(' ')
}

function partialOf(run: Deepening, stopped: DeepenStop): Pick<Judgement, 'guarantee' | 'notDone'> {
  const why = {
    exhausted: 'no job was left',
    executions: 'the number of executions asked for was reached',
    budget: 'the budget ran out',
    memory: 'its memory ran out (--memory-limit)',
    interrupted: 'it was interrupted',
    bug: 'it stopped at a bug',
  }[stopped]
  const whole = coveredBy(run, formatPoints)
  return {
    guarantee: `${whole}, none shows a bug, others may: not every schedule was covered when ${why}`,
    notDone: { covered: coveredBy(run, briefPoints), missing: `other schedules, since ${why}`, stopped },
  }
}

/** The points, or how many accesses are among them where they are many. */
function briefPoints(points: PointSet): string {
  const { races } = points
  if (races.length <= 2) return formatPoints(points)
  return `${formatPoints({ ...points, races: [] })} and ${races.length} racing accesses`
}

function coveredBy(run: Deepening, text: (points: PointSet) => string): string {
  const { board, backgrounds, counters } = run
  const parts: string[] = []
  const sets = largest(board.jobs.filter(isWhole)).map((job) => `{${text(job.points)}}`)
  if (sets.length > 0) {
    parts.push(
      `every schedule that switches threads only at ${list(sets.slice(0, 4), 'or only at')} was explored`,
    )
  }
  const bound = Math.max(...backgrounds.map((search) => search.completedBound), -1)
  if (bound >= 0) {
    const most =
      bound === Infinity ? 'every schedule' : `every schedule with at most ${count(bound, 'preemption')}`
    parts.push(`${most} was explored`)
  }
  const samples = backgrounds.find((search) => search.strategy === 'pos')?.counters.executions ?? 0
  if (samples > 0) parts.push(`${count(samples, 'schedule')} were sampled by pos`)
  const known = parts.length > 0 ? `${parts.join('; ')}; in all ` : ''
  return `${known}${count(counters.executions, 'schedule')} explored`
}

/** Those that are part of no other. */
function largest(jobs: readonly Job[]): Job[] {
  return jobs.filter(
    (job) =>
      !jobs.some(
        (other) =>
          other !== job &&
          includesPoints(other.points, job.points) &&
          !includesPoints(job.points, other.points),
      ),
  )
}
