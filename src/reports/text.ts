import { bugText } from './bug-text.js'
import { mishapLines, raceHint, writeDeepening } from './deepening.js'
import { notDoneLines } from './not-done.js'
import { type Paint, painter } from './paint.js'
import { racesText } from './races.js'
import type { BugReport, Report, TreeReport } from './report.js'
import { count, formatBytes, formatSeconds, grouped, roughNumber, roughShare, roughTime } from './words.js'
import { indented, wrap } from './wrap.js'

export interface TextOptions {
  /** Columns of the terminal. */
  readonly width: number
  readonly colour: boolean
  /** How the command is called here. */
  readonly command: string
  /** Also what only some people want to know. */
  readonly verbose?: boolean
}

export const minimumWidth = 60

/** The report of a check, for people. Ends with a newline. */
export function writeText(report: Report, options: TextOptions): string {
  const width = Math.max(minimumWidth, options.width)
  const paint = painter(options.colour)
  const parts = report.bugs.map(
    (bug) => `${bugText(bug, width, paint)}\n\n${replayText(bug, options.command)}`,
  )
  if (report.races.length > 0 && report.raceDetector !== null) parts.push(racesText(report, width, paint))
  parts.push(
    report.bugs.length > 0
      ? foundText(report, width)
      : passText(report, width, paint, options.verbose ?? false),
  )
  if (report.deepening && report.deepening.mishaps.length > 0) {
    parts.push(mishapLines(report.deepening, width).join('\n'))
  }
  return `${parts.join('\n\n')}\n`
}

/** The line to paste. */
export function replayText(bug: BugReport, command: string): string {
  return `  Replay it with\n    ${command} replay ${quoted(bug.schedule)}`
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

function costText({ executions, blocked, stoppedByAssume, cut, seconds, phases }: Report): string {
  const ran = phases.length > 1 ? ` (${phases.map((p) => `${p.executions} ${p.strategy}`).join(', ')})` : ''
  const parts = [`${count(executions, 'execution')}${ran} in ${formatSeconds(seconds)}`]
  if (blocked > 0) parts.push(`${blocked} more cut short as redundant`)
  if (stoppedByAssume > 0) parts.push(`${stoppedByAssume} more stopped by an assumption`)
  if (cut > 0) parts.push(`${cut} more cut at the step limit`)
  return parts.join(', ')
}

/** Follows what a search cost, if it ended early and an estimate of the rest is known. */
function outlookText({ outlook }: Report): string {
  if (outlook === null) return ''
  const { share, executions, secondsLeft, bound } = outlook
  const what = bound === undefined ? '' : ` of bound ${bound}`
  const done = share * 100 < 1 ? `${roughShare(share)}${what}` : `about ${roughShare(share)}${what}`
  return ` By estimate ${done} is done, about ${roughTime(secondsLeft)} left (about ${roughNumber(executions)} executions).`
}

function passText(report: Report, width: number, paint: Paint, isVerbose: boolean): string {
  const heads = {
    verified: paint.good('VERIFIED'),
    bounded: paint.good('NO BUG FOUND'),
    budget: paint.warn('NO BUG FOUND, NOT DONE'),
    bug: '',
  }
  const head = `${heads[report.verdict]} ${report.program}`
  const caveats = report.caveats.flatMap((caveat) =>
    wrap(`${paint.warn('But:')} ${caveat}.`, width - 2).map(indented(2)),
  )
  if (report.verdict === 'budget' && report.notDone && !isVerbose) {
    return [head, ...notDoneLines(report, width), ...caveats].join('\n')
  }
  const text = (report.guarantee ?? '').replace(/^./, (c) => c.toUpperCase())
  const lines = [head, ...wrap(`${text}.`, width - 2).map(indented(2))]
  if (report.scope.length > 0) {
    lines.push(...wrap(`Holds for: ${report.scope.join(', ')}.`, width - 2).map(indented(2)))
  }
  lines.push(...caveats)
  lines.push(...wrap(`${costText(report)}.${outlookText(report)}`, width - 2).map(indented(2)))
  if (report.tree) lines.push(...wrap(treeText(report.tree), width - 2).map(indented(2)))
  if (report.hitBound) lines.push(...wrap(hitBoundText(report), width - 2).map(indented(2)))
  if (report.races.length > 0 && report.raceDetector === null) {
    lines.push(...wrap(raceHint(report.races), width - 2).map(indented(2)))
  }
  if (report.deepening && report.verdict !== 'verified') {
    lines.push('', ...writeDeepening(report.deepening, width))
  }
  return lines.join('\n')
}

function treeText({ peak, live, bytes, spilled }: TreeReport): string {
  const left = live > 0 ? `, ${grouped(live)} left` : ''
  const disk = spilled > 0 ? `, ${grouped(spilled)} of them on disk for a while` : ''
  return `At most ${grouped(peak)} nodes in the tree${left}${disk}; ${formatBytes(bytes)} in memory.`
}

function hitBoundText({ hitBound, executions, strategy }: Report): string {
  const { threads, events, races, probability, ofAll } = hitBound!
  return (
    `An order of events like those seen (up to ${count(threads, 'thread')}, ${count(events, 'event')}, ` +
    `${count(races, 'race')}) shows in one sample of ${strategy} with probability ${atLeast(probability)}, in ` +
    `${executions} with ${atLeast(ofAll)}.`
  )
}

/** `at least 0.012`, rounded down. */
function atLeast(probability: number): string {
  if (probability >= 0.999) return 'at least 0.999'
  const [digits, exponent] = probability.toExponential(6).split('e')
  const down = Math.floor(Number(digits) * 10) / 10
  return `at least ${Number(exponent) < -3 ? `${down}e${exponent}` : Number(`${down}e${exponent}`)}`
}

/** A path as the shell takes it. */
function quoted(path: string): string {
  return /^[\w./+:@%-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
