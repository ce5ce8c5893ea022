import { about, formatSeconds, roughShare, roughTime } from '../../words/words.js'
import type { Report } from '../report.js'
import { indented, wrap } from './wrap.js'

/** Seconds of compiling, or of anything but exploring, that are worth a word. */
const notable = 1

/** A run that did not complete its task, for people: what was covered, what was not, what to try next. */
export function incompleteLines(report: Report, width: number): string[] {
  const { covered, missing } = report.incomplete!
  const parts = [
    `Covered: ${covered}; none shows a bug. ${timeText(report)}`,
    `Not covered: ${missing}.${estimateText(report)}`,
    `Try: ${advice(report).join(', ')}; --verbose says more.`,
  ]
  return parts.flatMap((text) => wrap(text, width - 2).map(indented(2)))
}

/** Where the time went. */
function timeText({ seconds, time }: Report): string {
  const parts = [`exploring took ${formatSeconds(seconds)}`]
  if (time !== undefined) {
    const rest = time.all - time.building - seconds
    if (time.building >= notable) parts.push(`compiling ${formatSeconds(time.building)}`)
    if (rest >= notable) parts.push(`all else ${formatSeconds(rest)}`)
  }
  return `${parts.join(', ').replace(/^e/, 'E')}.`
}

function left(report: Report): { share: number; seconds: number } | undefined {
  const { outlook, deepening } = report
  if (outlook !== null) return { share: outlook.share, seconds: outlook.secondsLeft }
  const maximal = deepening?.jobs.findLast((job) => job.origin === 'maximal')
  if (maximal === undefined || maximal.secondsLeft === null) return undefined
  return { share: maximal.share, seconds: maximal.secondsLeft }
}

function estimateText(report: Report): string {
  const rest = left(report)
  if (rest === undefined) return ''
  return ` By estimate ${roughShare(rest.share)} is done, ${about(roughTime(rest.seconds))} left.`
}

function advice(report: Report): string[] {
  const isCompiled = report.scope.some((text) => text === 'compiled at -O0')
  const isRacy = report.races.some((race) => (race.known ?? 'untested') === 'untested')
  const more = { executions: 'more --executions', memory: 'a larger --memory-limit' }
  const stopped = report.incomplete!.stopped
  return [
    stopped === 'executions' || stopped === 'memory' ? more[stopped] : 'a larger --budget',
    'fewer threads or rounds',
    ...(isCompiled ? ['-O1'] : []),
    ...(isRacy ? ['--trust NAME for functions or variables known to be right'] : []),
  ]
}
