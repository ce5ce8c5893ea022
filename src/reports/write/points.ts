import { count } from '../../words/words.js'
import type { ListedPoint } from '../build/list-points.js'

const gap = 2
/** Columns narrower than this are of no use. */
const least = 8

/** The points of a run as a table, one line each, no wider than the terminal: long cells lose their middle. */
export function writePoints(points: readonly ListedPoint[], width: number): string {
  const rows = points.map((p) => [
    p.operation,
    p.location || '-',
    p.function || '-',
    `${p.times}×`,
    p.threads.join(' '),
  ])
  const heads = ['operation', 'place', 'function', 'times', 'threads']
  const widths = fitted(
    heads.map((head, i) => rows.reduce((most, row) => Math.max(most, row[i].length), head.length)),
    width,
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => shortened(cell, widths[i]).padEnd(widths[i]))
      .join(' '.repeat(gap))
      .trimEnd()
  return `${[line(heads), ...rows.map(line), '', `${count(points.length, 'place')}, in the default schedule.`].join('\n')}\n`
}

/** Takes from the widest column until all fit. */
function fitted(wanted: readonly number[], width: number): number[] {
  const widths = [...wanted]
  const all = () => widths.reduce((sum, w) => sum + w, gap * (widths.length - 1))
  for (let over = all() - width; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths))
    if (widths[widest] <= least) break
    widths[widest]--
  }
  return widths
}

/** The end of a place or a name tells more than its middle. */
function shortened(text: string, width: number): string {
  if (text.length <= width) return text
  const head = Math.floor((width - 1) / 2)
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`
}
