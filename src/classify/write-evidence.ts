import type { EvidenceFile } from '../files/evidence.js'
import type { Replayed } from '../reports/build/replay.js'
import type { WalkStep } from '../reports/report.js'
import type { Paint } from '../reports/write/paint.js'
import { writeTable } from '../reports/write/table.js'
import { indented, shorten, wrap } from '../reports/write/wrap.js'
import { count } from '../words/words.js'

export interface EvidenceTextOptions {
  readonly width: number
  readonly paint: Paint
}

interface Shown {
  readonly file: EvidenceFile
  readonly shown: Replayed
}

/** One execution that shows what a race does. */
export function evidenceText(
  { race }: EvidenceFile,
  { bug, output, interleaving }: Replayed,
  { width, paint }: EvidenceTextOptions,
): string {
  const lines = [
    ...wrap(`RACE ${paint.strong(race.object)} (${race.class}): ${race.order}`, width),
    ...wrap(race.why, width - 2).map(indented(2)),
    '',
    ...writeTable(interleaving, { width, paint, isWhole: true }),
    '',
    ...endLines(bug, output, width, paint),
  ]
  return `${lines.join('\n')}\n`
}

function endLines(bug: Replayed['bug'], output: string, width: number, paint: Paint): string[] {
  const end =
    bug === null
      ? paint.good('It ends without a failure.')
      : paint.bad(`It fails: ${bug.kind}: ${bug.message}`)
  const printed =
    output === '' ? [] : ['  It prints:', ...output.replace(/\n$/, '').split('\n').map(indented(4))]
  return [...wrap(end, width - 2).map(indented(2)), ...printed]
}

/** Steps shown of what both have in common, and of what follows. */
const mostCommon = 6
const mostRows = 60

/** Two executions side by side: what they have in common, then how each goes on, up to the first difference in effect. */
export function compareText(pair: readonly [Shown, Shown], { width, paint }: EvidenceTextOptions): string {
  const [left, right] = pair.map(({ shown }) => shown)
  const steps = [left, right].map(({ walk }) => walk.steps.map((step) => stepText(walk.threads, step)))
  let common = 0
  while (common < steps[0].length && common < steps[1].length && steps[0][common] === steps[1][common])
    common++
  const column = Math.floor((width - 5) / 2)
  const row = (a: string, b: string) =>
    `  ${shorten(a, column).padEnd(column)} │ ${shorten(b, column)}`.trimEnd()
  const rest = [steps[0].slice(common), steps[1].slice(common)]
  const rows = Math.max(rest[0].length, rest[1].length)
  const lines = [
    ...wrap(`RACE ${paint.strong(pair[0].file.race.object)} (${pair[0].file.race.class})`, width),
    ...wrap(pair[0].file.race.why, width - 2).map(indented(2)),
    '',
    `  ${count(common, 'step')} in common${common > mostCommon ? `, the last ${mostCommon} of them:` : ':'}`,
    ...steps[0]
      .slice(Math.max(0, common - mostCommon), common)
      .map((text) => `    ${shorten(text, width - 4)}`),
    '',
    paint.strong(row(pair[0].file.race.order, pair[1].file.race.order)),
    paint.faint(row('─'.repeat(column), '─'.repeat(column))),
  ]
  for (let i = 0; i < Math.min(rows, mostRows); i++) lines.push(row(rest[0][i] ?? '', rest[1][i] ?? ''))
  if (rows > mostRows) lines.push(paint.faint(`  … ${rows - mostRows} steps more`))
  lines.push('', ...differenceLines(left, right, column, row))
  return `${lines.join('\n')}\n`
}

function differenceLines(
  left: Replayed,
  right: Replayed,
  column: number,
  row: (a: string, b: string) => string,
): string[] {
  const endOf = ({ bug }: Replayed) =>
    bug === null ? 'ends without a failure' : `fails: ${bug.kind}: ${bug.message}`
  const wrapped = [left, right].map((shown) => wrap(endOf(shown), column))
  const ends = Array.from({ length: Math.max(wrapped[0].length, wrapped[1].length) }, (_, i) =>
    row(wrapped[0][i] ?? '', wrapped[1][i] ?? ''),
  )
  const outputs = [left, right].map(({ output }) => output.replace(/\n$/, '').split('\n'))
  if (left.output === right.output) {
    return [...ends, left.output === '' ? '  Neither prints anything.' : '  Both print the same.']
  }
  const differs = outputs[0].findIndex((line, i) => line !== outputs[1][i])
  const at = differs < 0 ? outputs[0].length : differs
  const shownAs = (lines: readonly string[]) =>
    at < lines.length ? `prints ${JSON.stringify(lines[at])}` : 'prints no more'
  return [
    ...ends,
    `  First difference in what they print, line ${at + 1}:`,
    row(shownAs(outputs[0]), shownAs(outputs[1])),
  ]
}

function stepText(
  threads: readonly string[],
  { thread, operation, object, value, location }: WalkStep,
): string {
  const what = [operation, object].filter(Boolean).join(' ')
  return `${threads[thread]}: ${what}${value === null ? '' : ` = ${value}`}${location === null ? '' : `  (${location})`}`
}
