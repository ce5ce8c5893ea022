import { outsideOf } from '../../symbolic/input-names.js'
import { about, count, formatSeconds, roughNumber, roughShare, roughTime } from '../../words/words.js'
import type { BugReport, Report } from '../report.js'
import { bugText } from './bug-text.js'
import { raceHint, writeDeepening } from './deepening.js'
import { incompleteLines } from './incomplete.js'
import { type Paint, painter } from './paint.js'
import { racesText } from './races.js'
import { indented, wrap } from './wrap.js'
import type { ReportWriter, WriterOptions } from './writer.js'

export const minimumWidth = 60

/** The report of a check, for people. */
function writeText(report: Report, options: WriterOptions): string {
  const width = Math.max(minimumWidth, options.width)
  const paint = painter(options.colour)
  const parts = report.bugs.map(
    (bug) =>
      `${bugText(bug, width, paint)}\n\n${replayText(bug, options.command)}${inputText(bug, report, options.command)}`,
  )
  if (report.races.length > 0 && report.raceDetector !== null) parts.push(racesText(report, width, paint))
  parts.push(
    report.bugs.length > 0
      ? foundText(report, width)
      : passText(report, width, paint, options.verbose ?? false),
  )
  if (report.problems.length > 0) parts.push(problemLines(report, width).join('\n'))
  return `${parts.join('\n\n')}\n`
}

/** The line to paste. */
export function replayText(bug: BugReport, command: string): string {
  return `  Replay it with\n    ${command} replay ${quoted(bug.schedule)}`
}

/** How to check the program with the input of a bug alone. */
function inputText(
  { input = {}, args = [], environment = {} }: BugReport,
  { program }: Report,
  command: string,
): string {
  const entries = Object.entries(input)
  if (entries.length === 0) return ''
  const given = entries.flatMap(([name, value]) => {
    const outside = outsideOf(name)
    if (outside?.kind === 'argument') return []
    return outside?.kind === 'environment'
      ? `--env ${quoted(`${outside.variable}=${environment[outside.variable] ?? ''}`)}`
      : `--input ${quoted(`${name}=${value}`)}`
  })
  const words = [
    command,
    'check',
    program,
    ...given,
    ...(args.length > 0 ? ['--', ...args.map((arg) => quoted(arg))] : []),
  ]
  return `\n  Check other schedules of that input with\n    ${words.join(' ')}`
}

function foundText(report: Report, width: number): string {
  const { bugs } = report
  const [{ strategy, execution, count: times }] = bugs
  const first = report.strategy === 'auto' && execution === 1 ? ', the default schedule' : ''
  const found =
    bugs.length === 1 ? `Found by ${strategy} in execution ${execution}${first}` : `Found ${bugs.length} bugs`
  const often = bugs.length === 1 && times > 1 ? `; ${times} executions showed it` : ''
  const more = report.keepGoing ? '' : ' The search stopped there; --keep-going looks for other bugs.'
  return wrap(`${found}${often}; ${costText(report)}.${outlookText(report)}${more}`, width - 2)
    .map(indented(2))
    .join('\n')
}

export function costText(report: Report): string {
  const { executions, blocked, postponed, stoppedByAssume, cut, seconds, phases } = report
  const ran = phases.length > 1 ? ` (${phases.map((p) => `${p.executions} ${p.strategy}`).join(', ')})` : ''
  const parts = [`${count(executions, 'execution')}${ran} in ${formatSeconds(seconds)}`]
  if (blocked > 0) parts.push(`${blocked} more cut short as redundant`)
  if (postponed > 0) parts.push(`${postponed} more cut for now and explored again`)
  if (stoppedByAssume > 0) parts.push(`${stoppedByAssume} more stopped by an assumption`)
  if (cut > 0) parts.push(`${cut} more cut at the step limit`)
  return parts.join(', ')
}

/** Follows what a search cost, if it ended early and an estimate of the rest is known. */
export function outlookText({ outlook }: Report): string {
  if (outlook === null) return ''
  const { share, executions, secondsLeft, bound } = outlook
  const what = bound === undefined ? '' : ` of bound ${bound}`
  const done = `${about(roughShare(share))}${what}`
  return ` By estimate ${done} is done, ${about(roughTime(secondsLeft))} left (${about(roughNumber(executions))} executions).`
}

function passText(report: Report, width: number, paint: Paint, isVerbose: boolean): string {
  const heads = {
    verified: paint.good('VERIFIED'),
    bounded: paint.good('NO BUG FOUND'),
    budget: paint.warn('NO BUG FOUND (INCOMPLETE)'),
    bug: '',
  }
  const head = `${heads[report.verdict]} ${report.program}`
  const caveats = report.caveats.flatMap((caveat) =>
    wrap(`${paint.warn('But:')} ${caveat}.`, width - 2).map(indented(2)),
  )
  if (report.verdict === 'budget' && report.incomplete && !isVerbose) {
    return [head, ...incompleteLines(report, width), ...caveats].join('\n')
  }
  const text = (report.guarantee ?? '').replace(/^./, (c) => c.toUpperCase())
  const lines = [head, ...wrap(`${text}.`, width - 2).map(indented(2))]
  if (report.scope.length > 0) {
    lines.push(...wrap(`Holds for: ${report.scope.join(', ')}.`, width - 2).map(indented(2)))
  }
  lines.push(...caveats)
  lines.push(...wrap(`${costText(report)}.${outlookText(report)}`, width - 2).map(indented(2)))
  for (const { text } of Object.values(report.statistics)) {
    lines.push(...wrap(text, width - 2).map(indented(2)))
  }
  if (report.races.length > 0 && report.raceDetector === null) {
    lines.push(...wrap(raceHint(report.races), width - 2).map(indented(2)))
  }
  if (report.deepening && report.verdict !== 'verified') {
    lines.push('', ...writeDeepening(report.deepening, width))
  }
  return lines.join('\n')
}

/** What went wrong with workers or with saving: said whatever the verdict is. */
function problemLines({ problems }: Report, width: number): string[] {
  return problems.flatMap((text) => wrap(`Note: ${text}.`, width - 2).map(indented(2)))
}

/** A word as the shell takes it. */
export function quoted(path: string): string {
  return /^[\w./+:@%=-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

export const textWriter: ReportWriter = { name: 'text', write: writeText }
