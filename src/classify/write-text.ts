import { inputLine } from '../reports/write/bug-text.js'
import type { Paint } from '../reports/write/paint.js'
import { capital, sideText } from '../reports/write/races.js'
import { quoted } from '../reports/write/text.js'
import { indented, wrap } from '../reports/write/wrap.js'
import { count, formatSeconds } from '../words/words.js'
import { type RaceClass, raceClasses } from './classes.js'
import type { ClassifiedRace, PrintedPiece, RacesBug, RacesReport } from './report.js'

export interface TextOptions {
  readonly width: number
  readonly paint: Paint
  /** How the command was called. */
  readonly command: string
}

/** The races of a program and what they do, for people. */
export function racesReportText(report: RacesReport, options: TextOptions): string {
  const parts = report.races.map((race, i) => raceText(race, i, options))
  const stray = report.bugs.filter((bug) => bug.races.length === 0)
  parts.push(...stray.map((bug) => strayText(bug, options)), summaryText(report, options))
  return `${parts.join('\n\n')}\n`
}

function title({ class: name, witnesses }: ClassifiedRace, paint: Paint): string {
  switch (name) {
    case 'spec-violated':
      return paint.bad('SPEC VIOLATED')
    case 'output-differs':
      return paint.bad('OUTPUT DIFFERS')
    case 'harmless':
      return paint.good(
        `HARMLESS as far as ${count(witnesses, 'witness', 'witnesses')} show${witnesses === 1 ? 's' : ''}`,
      )
    case 'single-ordering':
      return paint.good('SINGLE ORDERING')
    case 'unknown':
      return paint.warn('UNKNOWN')
  }
}

function raceText(race: ClassifiedRace, index: number, options: TextOptions): string {
  const { width, paint } = options
  const [first, second] = race.sides
  const times = race.count > 1 ? ` (${count(race.count, 'pair')} of accesses)` : ''
  const paragraph = (text: string) => wrap(text, width - 2).map(indented(2))
  const lines = [
    ...wrap(`RACE ${index + 1} ${paint.strong(race.object)}${times}: ${title(race, paint)}`, width),
    ...sideText(first, width, paint),
    ...sideText(second, width, paint),
    ...(race.input ? paragraph(inputLine(race.input)) : []),
    ...paragraph(capital(race.why)),
    ...consequenceLines(race, width, paint),
  ]
  if (race.evidence.length > 0) lines.push(...evidenceLines(race, options))
  return lines.join('\n')
}

function consequenceLines({ consequence, orders }: ClassifiedRace, width: number, paint: Paint): string[] {
  if (consequence?.kind !== 'output') return []
  const { stream, index, printed } = consequence
  const lines = printed.map((piece, k) => `${pieceText(piece)} with ${orders[k]}`)
  return [
    `  First difference, piece ${index + 1} of ${stream}:`,
    ...lines.flatMap((line, k) => [
      ...wrap(line, width - 4, 2).map(indented(4)),
      ...callersOf(printed[k]).map((caller) => `      ${paint.faint(caller)}`),
    ]),
  ]
}

function pieceText(piece: PrintedPiece | null): string {
  if (piece === null) return 'nothing'
  const who = piece.thread === '' ? '' : ` by ${piece.thread}`
  return `${JSON.stringify(piece.text)}${who}${piece.location ? ` at ${piece.location}` : ''}`
}

function callersOf(piece: PrintedPiece | null): string[] {
  const callers = piece?.stack.slice(1, 4) ?? []
  return callers.map(
    (frame) => `called from ${frame.function}${frame.location ? ` at ${frame.location}` : ''}`,
  )
}

function evidenceLines({ evidence }: ClassifiedRace, { command }: TextOptions): string[] {
  return [
    '  See both executions with',
    `    ${command} replay --compare ${quoted(evidence[0])}`,
    `    ${command} replay ${quoted(evidence[0])}`,
    `    ${command} replay ${quoted(evidence[1])}`,
  ]
}

/** A failure that no race explains. */
function strayText(
  { kind, message, location, schedule }: RacesBug,
  { width, paint, command }: TextOptions,
): string {
  const where = location === null || message.includes(location) ? '' : ` at ${location}`
  return [
    ...wrap(`${paint.bad('BUG')} ${paint.strong(kind)}: ${message}${where}`, width),
    ...wrap('No order of two racing accesses was found to make the difference.', width - 2).map(indented(2)),
    `  Replay it with\n    ${command} replay ${quoted(schedule)}`,
  ].join('\n')
}

const names: Readonly<Record<RaceClass, string>> = {
  'spec-violated': 'spec violated',
  'output-differs': 'output differs',
  unknown: 'unknown',
  harmless: 'harmless as far as witnesses show',
  'single-ordering': 'single ordering',
}

function summaryText(report: RacesReport, { width, paint }: TextOptions): string {
  const { races, counts, executions, trials, seconds, isComplete, isOutOfTime } = report
  const classes = raceClasses
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${names[name]}`)
  const without = report.whatIf === null ? '' : ` without the synchronisation at ${report.whatIf}`
  const head =
    races.length === 0
      ? `${paint.good('NO RACE FOUND')} ${report.program}${without}`
      : `${paint.strong(count(races.length, 'race'))} in ${report.program}${without}: ${classes.join(', ')}`
  const others =
    report.otherPairs === 0
      ? ''
      : ` ${capital(count(report.otherPairs, 'pair'))} of accesses ${report.otherPairs === 1 ? 'races' : 'race'} with it, too, and ${report.otherPairs === 1 ? 'is' : 'are'} not listed.`
  const of = report.inputs === undefined ? '' : ` of ${count(report.inputs, 'input')}`
  const searched = isComplete
    ? `all ${executions} schedules were run`
    : `${executions} executions${of} were searched`
  const more = report.hasMoreInputs ? ' Other inputs may decide otherwise, and were not looked at.' : ''
  const late = isOutOfTime ? ' The budget was used up: --budget gives more time.' : ''
  const text = `${capital(searched)} for races, ${trials} more to find out what they do, in ${formatSeconds(seconds)}; ${report.memoryModel === 'sc' ? 'under sequential consistency' : `under the memory model ${report.memoryModel}`}.${more}${others}${late}`
  return [...wrap(head, width), ...wrap(text, width - 2).map(indented(2))].join('\n')
}
