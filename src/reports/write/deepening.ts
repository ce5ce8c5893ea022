import { about, count, formatSeconds, grouped, roughShare, roughTime } from '../../words/words.js'
import type { BackgroundReport, DeepeningReport, JobReport, RaceKnowledge, RaceReport } from '../report.js'
import { indented, wrap } from './wrap.js'

const shownJobs = 12

/** The state spaces of a run and what became of each, for people: those that were worked on, largest last. */
export function writeDeepening(report: DeepeningReport, width: number): string[] {
  const { jobs } = report
  const begun = jobs.filter(isBegun)
  if (begun.length === 0) return []
  const rows = begun.slice(-shownJobs).map((job) => [`{${job.points}}`, statusText(job)])
  const left = begun.length - rows.length
  const idle = jobs.length - begun.length
  const first = Math.min(Math.max(...rows.map(([points]) => points.length)), Math.max(20, width - 44))
  const lines = rows.flatMap(([points, status]) => rowText(points, status, first, width))
  const more = [
    ...(left > 0 ? [`${count(left, 'smaller set')} before these`] : []),
    ...(idle > 0 ? [`${count(idle, 'set')} not begun: part of another, or no time`] : []),
  ]
  return [
    '  Switching threads only at',
    ...lines,
    ...(more.length > 0 ? [`    … ${more.join('; ')}`] : []),
    ...report.background.filter((b) => b.executions > 0).map((b) => `    ${backgroundText(b)}`),
  ]
}

export function isBegun({ executions, status }: JobReport): boolean {
  return executions > 0 || status === 'complete'
}

function rowText(points: string, status: string, first: number, width: number): string[] {
  if (points.length <= first) return [`    ${points.padEnd(first)}  ${status}`]
  return [
    ...wrap(points.replaceAll(',', ', '), width - 4).map(indented(4)),
    `    ${' '.repeat(first)}  ${status}`,
  ]
}

export function statusText({
  status,
  executions,
  seconds,
  share,
  secondsLeft,
  bug,
  reason,
}: JobReport): string {
  const ran = `${grouped(executions)} in ${formatSeconds(seconds)}`
  if (bug) return `BUG, ${ran}`
  switch (status) {
    case 'complete':
      return executions === 0 ? reason : `all explored, ${ran}`
    case 'pruned':
      return `${ran}, then ${reason}`
    case 'crashed':
      return `given up: ${reason}`
    default:
      return secondsLeft === null
        ? `begun, ${ran}`
        : `${about(roughShare(share))} done, ${ran}, ${about(roughTime(secondsLeft))} left`
  }
}

export function backgroundText({ strategy, executions, completedBound }: BackgroundReport): string {
  if (completedBound === undefined) return `anywhere, ${grouped(executions)} schedules sampled by ${strategy}`
  if (completedBound === null) return 'anywhere, however many preemptions: all explored'
  if (completedBound < 0) return `anywhere, without preemptions: begun`
  return `anywhere, with at most ${count(completedBound, 'preemption')}: all explored`
}

/** One line about races that nobody asked for. */
export function raceHint(races: readonly RaceReport[]): string {
  const groups = (Object.keys(knowledgeText) as RaceKnowledge[]).flatMap((known) => {
    const n = races.filter((race) => (race.known ?? 'untested') === known).length
    return n === 0 ? [] : [races.length === 1 ? knowledgeText[known] : `${n} ${knowledgeText[known]}`]
  })
  return `${count(races.length, 'data race')} seen: ${groups.join('; ')}. --races shows them.`
}

/** What is known of a race, in words. */
export const knowledgeText: Readonly<Record<RaceKnowledge, string>> = {
  'both-orders-pass': 'in both orders, and no schedule of a completed state space fails',
  'both-orders-bug': 'in both orders, and a schedule fails',
  'one-order': 'only ever in one order',
  'no-race': 'ruled out in every schedule',
  untested: 'not tested to the end',
}
