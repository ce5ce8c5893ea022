import { basename } from 'node:path'
import { isNameless } from '../../explain/object-names.js'
import type { Action, Interleaving, Stretch } from '../report.js'
import type { Paint } from './paint.js'
import { shorten, wrap } from './wrap.js'

export interface TableOptions {
  readonly width: number
  readonly paint: Paint
  /** Everything, however long; otherwise long stretches and long tables are shortened in the middle. */
  readonly isWhole?: boolean
  /** Steps that the explanation names: they are marked. */
  readonly told?: ReadonlySet<number>
}

/** A cell: what it says and how it is painted. */
interface Cell {
  readonly text: string
  readonly look: 'plain' | 'told' | 'preempted' | 'reason' | 'failed'
}

const narrowestColumn = 17
/** A stretch with more lines than this is shortened in the middle. */
const longestStretch = 9
/** Of a table with more rows than this the beginning and, rather more, the end are shown. */
const mostRows = 50
const firstRows = 15

/**
 * The interleaving as a table: a column per thread, time runs downwards, a row per stretch. Where columns would get
 * too narrow, the rows are one below the other with the thread in front.
 */
export function writeTable(interleaving: Interleaving, options: TableOptions): string[] {
  const { threads } = interleaving
  const column = Math.floor((options.width - 2) / threads.length)
  return column >= narrowestColumn
    ? columnTable(interleaving, Math.min(column, 40), options)
    : shortened(listRows(interleaving, options), options)
}

function shortened(rows: string[], { isWhole, paint }: TableOptions): string[] {
  const left = rows.length - mostRows
  if (isWhole || left <= 1) return rows
  const more = paint.faint(`  … ${left} rows more, all of them in the replay`)
  return [...rows.slice(0, firstRows), more, ...rows.slice(firstRows + left)]
}

function columnTable({ threads, stretches }: Interleaving, column: number, options: TableOptions): string[] {
  const { paint } = options
  const place = placer(stretches)
  const row = (cells: (Cell | undefined)[]) => {
    let line = '  '
    for (let i = 0; i <= cells.findLastIndex((c) => c !== undefined); i++) {
      const cell = cells[i] ?? { text: '', look: 'plain' }
      line += painted(cell, paint) + ' '.repeat(column - cell.text.length)
    }
    return line.trimEnd()
  }
  const head = [
    paint.strong(row(threads.map((text) => ({ text: shorten(text, column - 1), look: 'plain' })))),
    paint.faint(`  ${threads.map(() => '─'.repeat(column - 1)).join(' ')}`),
  ]
  const rows: string[] = []
  for (const stretch of stretches) {
    for (const cell of cellsOf(stretch, place, column - 1, options)) {
      const cells: (Cell | undefined)[] = threads.map(() => undefined)
      cells[stretch.thread] = cell
      rows.push(row(cells))
    }
  }
  return [...head, ...shortened(rows, options)]
}

function listRows({ threads, stretches }: Interleaving, options: TableOptions): string[] {
  const { width, paint } = options
  const place = placer(stretches)
  const head = Math.min(16, Math.max(...threads.map((t) => t.length)))
  return stretches.flatMap((stretch) =>
    cellsOf(stretch, place, width - head - 5, options).map((cell, i) => {
      const thread = i === 0 ? shorten(threads[stretch.thread], head) : ''
      return `  ${paint.strong(thread)}${' '.repeat(head - thread.length)} ${paint.faint('│')} ${painted(cell, paint)}`
    }),
  )
}

function painted({ text, look }: Cell, paint: Paint): string {
  if (text === '' || look === 'plain') return text
  const looks = { told: paint.strong, preempted: paint.warn, reason: paint.faint, failed: paint.bad }
  return looks[look](text)
}

function cellsOf(
  stretch: Stretch,
  place: (action: Action) => string,
  width: number,
  { isWhole, told = new Set() }: TableOptions,
): Cell[] {
  let lines = joinSamePlace(stretch.actions, place, told)
  if (!isWhole && lines.length > longestStretch) lines = shortenedStretch(lines)
  const cells = lines.flatMap(({ text, look }) =>
    wrap(text, width, 2).map((line): Cell => ({ text: shorten(line, width), look })),
  )
  if (stretch.reason !== null) {
    const look = stretch.preempted ? 'preempted' : 'reason'
    const whole = `── ${stretch.reason} ──`
    cells.push({ text: whole.length <= width ? whole : shorten(`── ${stretch.reason}`, width), look })
  }
  return cells
}

/** Keeps beginning and end, and what the explanation names. */
function shortenedStretch(lines: readonly Line[]): Line[] {
  const keep = Math.floor((longestStretch - 1) / 2)
  const isKept = (line: Line, i: number) => i < keep || i >= lines.length - keep || line.look === 'told'
  const shown: Line[] = []
  let left = 0
  lines.forEach((line, i) => {
    if (!isKept(line, i)) left++
    else {
      if (left > 0) shown.push({ place: '', text: `… ${left} more`, look: 'plain' })
      left = 0
      shown.push(line)
    }
  })
  return shown
}

interface Line {
  readonly place: string
  readonly text: string
  readonly look: 'plain' | 'told' | 'failed'
}

/** Values up to this many digits are shown: longer ones are mostly addresses. */
const longestValue = 3

/** Between an operation and what was chosen there: the object is named before it. */
const arrow = ' → '

/** One line per place: `7 read x (0), write (1)`, `9 unlock m, read y`. */
function joinSamePlace(
  actions: readonly Action[],
  place: (action: Action) => string,
  told: ReadonlySet<number>,
): Line[] {
  interface Group {
    readonly object: string
    readonly operations: { readonly operation: string; readonly shown: string }[]
  }
  const lines: { place: string; groups: Group[]; look: Line['look'] }[] = []
  for (const action of actions) {
    const { operation, object, failed = false, value, step } = action
    const where = place(action)
    let line = lines.at(-1)
    if (!line || line.place !== where || where === '' || failed || line.look === 'failed') {
      line = { place: where, groups: [], look: failed ? 'failed' : 'plain' }
      lines.push(line)
    }
    const isTold = step !== null && told.has(step)
    if (isTold) line.look = 'told'
    // Long runs of library code in one line of the user's speak of memory that has no name, and repeat themselves.
    if (isNameless(object) && line.groups.length > 0 && !isTold) continue
    const isShort = value !== undefined && value.replace('-', '').length <= longestValue
    const shown = isShort ? `(${value})` : ''
    const isSame = (one: Group['operations'][number]) => one.operation === operation && one.shown === shown
    const last = line.groups.at(-1)
    let group = last?.object === object ? last : undefined
    // What was said of the object before may be said for both; anything else would change the order.
    if (value === undefined && object !== '')
      group ??= line.groups.find((one) => one.object === object && one.operations.some(isSame))
    if (group === undefined) line.groups.push({ object, operations: [{ operation, shown }] })
    else if (!group.operations.some(isSame)) group.operations.push({ operation, shown })
  }
  const textOf = ({ object, operations }: Group) =>
    operations
      .map(({ operation, shown }, i) => {
        const [done, chosen] = operation.split(arrow)
        const parts = [done, i === 0 ? object : '', shown]
        return parts.filter(Boolean).join(' ') + (chosen === undefined ? '' : arrow + chosen)
      })
      .join(', ')
  return lines.map(({ place: where, groups, look }) => {
    const what = groups.map(textOf)
    const mark = look === 'failed' ? '✗' : look === 'told' ? '•' : ''
    return { place: where, text: [mark, where, what.join(', ')].filter(Boolean).join(' '), look }
  })
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
