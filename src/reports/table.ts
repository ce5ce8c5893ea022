import { basename } from 'node:path'
import type { Paint } from './paint.js'
import type { Action, Interleaving, Stretch } from './report.js'
import { shorten, wrap } from './wrap.js'

export interface TableOptions {
  readonly width: number
  readonly paint: Paint
}

/** A cell: what it says and how it is painted. */
interface Cell {
  readonly text: string
  readonly look: 'plain' | 'preempted' | 'failed'
}

const narrowestColumn = 17
/** A stretch with more lines than this is shortened in the middle. */
const longestStretch = 9

/**
 * The interleaving as a table: a column per thread, time runs downwards, a row per stretch. Where columns would get
 * too narrow, the rows are one below the other with the thread in front.
 */
export function writeTable(interleaving: Interleaving, options: TableOptions): string[] {
  const { threads } = interleaving
  const column = Math.floor((options.width - 2) / threads.length)
  return column >= narrowestColumn
    ? columnTable(interleaving, Math.min(column, 40), options.paint)
    : listTable(interleaving, options)
}

function columnTable({ threads, stretches }: Interleaving, column: number, paint: Paint): string[] {
  const place = placer(stretches)
  const row = (cells: (Cell | undefined)[]) => {
    let line = '  '
    for (let i = 0; i <= cells.findLastIndex((c) => c !== undefined); i++) {
      const cell = cells[i] ?? { text: '', look: 'plain' }
      line += painted(cell, paint) + ' '.repeat(column - cell.text.length)
    }
    return line.trimEnd()
  }
  const lines = [
    paint.strong(row(threads.map((text) => ({ text: shorten(text, column - 1), look: 'plain' })))),
    paint.faint(`  ${threads.map(() => '─'.repeat(column - 1)).join(' ')}`),
  ]
  for (const stretch of stretches) {
    for (const cell of cellsOf(stretch, place, column - 1)) {
      const cells: (Cell | undefined)[] = threads.map(() => undefined)
      cells[stretch.thread] = cell
      lines.push(row(cells))
    }
  }
  return lines
}

function listTable({ threads, stretches }: Interleaving, { width, paint }: TableOptions): string[] {
  const place = placer(stretches)
  const head = Math.min(16, Math.max(...threads.map((t) => t.length)))
  return stretches.flatMap((stretch) =>
    cellsOf(stretch, place, width - head - 5).map((cell, i) => {
      const thread = i === 0 ? shorten(threads[stretch.thread], head) : ''
      return `  ${paint.strong(thread)}${' '.repeat(head - thread.length)} ${paint.faint('│')} ${painted(cell, paint)}`
    }),
  )
}

function painted({ text, look }: Cell, paint: Paint): string {
  if (text === '' || look === 'plain') return text
  return look === 'failed' ? paint.bad(text) : paint.warn(text)
}

function cellsOf(stretch: Stretch, place: (action: Action) => string, width: number): Cell[] {
  let lines = joinSamePlace(stretch.actions, place)
  if (lines.length > longestStretch) {
    const keep = Math.floor((longestStretch - 1) / 2)
    const left = lines.length - 2 * keep
    const more = { place: '', text: `… ${left} more`, failed: false }
    lines = [...lines.slice(0, keep), more, ...lines.slice(-keep)]
  }
  const cells = lines.flatMap(({ text, failed }) =>
    wrap(text, width - 2).map((line, i): Cell => {
      const hanging = i === 0 ? line : `  ${line}`
      return { text: shorten(hanging, width), look: failed ? 'failed' : 'plain' }
    }),
  )
  if (stretch.preempted) cells.push({ text: '── preempted ──', look: 'preempted' })
  return cells
}

/** One line per place: `7 read x, write x`. */
function joinSamePlace(actions: readonly Action[], place: (action: Action) => string) {
  const lines: { place: string; text: string; failed: boolean }[] = []
  for (const action of actions) {
    const where = place(action)
    const last = lines.at(-1)
    const failed = action.failed ?? false
    if (last && last.place === where && where !== '' && !failed && !last.failed)
      last.text += `, ${action.text}`
    else
      lines.push({
        place: where,
        text: `${failed ? '✗ ' : ''}${where ? `${where} ` : ''}${action.text}`,
        failed,
      })
  }
  return lines
}

/** How places are written: the line alone where all lines are of one file. */
function placer(stretches: readonly Stretch[]): (action: Action) => string {
  const files = new Set(stretches.flatMap((s) => s.actions.map((a) => a.file)).filter((f) => f !== null))
  return (action) => {
    if (action.line === null) return action.place ?? ''
    return files.size > 1 && action.file !== null
      ? `${basename(action.file)}:${action.line}`
      : `${action.line}`
  }
}
