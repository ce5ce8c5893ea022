import type { ListedPoint } from '../jobs/list-points.js'
import { count } from './words.js'

/** The points of a run as a table, one line each. */
export function writePoints(points: readonly ListedPoint[]): string {
  const rows = points.map((p) => [
    p.operation,
    p.location || '-',
    p.function || '-',
    `${p.times}×`,
    p.threads.join(' '),
  ])
  const heads = ['operation', 'place', 'function', 'times', 'threads']
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i].length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd()
  return `${[line(heads), ...rows.map(line), '', `${count(points.length, 'place')}, in the default schedule.`].join('\n')}\n`
}
