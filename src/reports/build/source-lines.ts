import { SourceText } from '../../explain/source-text.js'
import type { Explanation } from '../../files/explanation.js'
import type { BugReport, SourceLine } from '../report.js'

/** Lines before and after the place of a failure that nothing explains. */
const context = 2
const mostLines = 8

/**
 * The lines that a reader needs to see: those that the explanation names and the one that failed; where nothing is
 * explained, the one that failed and those around it.
 */
export function sourceLines(
  { location, waits }: Pick<BugReport, 'location' | 'waits'>,
  explanation: Explanation,
  directory: string,
): SourceLine[] {
  const sources = new SourceText(directory)
  const named = explanation.steps.map((step) => placeOf(step.location)).filter((place) => place !== null)
  // Where the first of several threads waits is not where it went wrong.
  const failed = waits.length > 0 && named.length > 0 ? null : placeOf(location)
  const places = [...named, ...(failed ? [failed] : [])]
  if (named.length === 0 && failed) {
    const around = Array.from({ length: 2 * context + 1 }, (_, i) => failed.line - context + i)
    places.push(...around.map((line) => ({ ...failed, line })))
  }
  const shown = new Map<string, SourceLine>()
  for (const { file, line } of places) {
    const text = sources.line(file, line)
    if (text === undefined) continue
    shown.set(`${file}:${line}`, {
      file,
      line,
      text,
      isPlace: failed?.file === file && failed.line === line,
      isExplained: named.some((place) => place.file === file && place.line === line),
    })
  }
  const inOrder = [...shown.values()].sort((a, b) => compare(a.file, b.file) || a.line - b.line)
  return dropBlankEnds(inOrder).slice(0, mostLines)
}

function placeOf(location: string | null): { file: string; line: number } | null {
  const [, file, line] = /^(.+):(\d+)$/.exec(location ?? '') ?? []
  return file === undefined ? null : { file, line: Number(line) }
}

function dropBlankEnds(lines: SourceLine[]): SourceLine[] {
  const isBlank = ({ text, isPlace, isExplained }: SourceLine) =>
    text.trim() === '' && !isPlace && !isExplained
  const from = lines.findIndex((line) => !isBlank(line))
  const to = lines.findLastIndex((line) => !isBlank(line))
  return from < 0 ? [] : lines.slice(from, to + 1)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
