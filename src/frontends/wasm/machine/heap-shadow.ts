import { grown } from '../../../machine/growing.js'
import type { Piece } from './memory-map.js'

const PAGE_BITS = 12
const PAGE = 1 << PAGE_BITS
/** A cell speaks for eight bytes. */
const CELL_BITS = 3
const CELL = 1 << CELL_BITS
const ROW_BITS = PAGE_BITS - CELL_BITS
const ROW_SIZE = 1 << ROW_BITS
const ROW_MASK = ROW_SIZE - 1
const PAGES = 2 ** (32 - PAGE_BITS)

/** Values of a cell: 0 when all of it may be accessed, 1 to 7 when only so many of its first bytes may. */
const OPEN = 0
const CLOSED = 0x80

/** Rows that many pages share: all open (what is not heap), all closed (heap that nobody has). */
const OPEN_ROW = 0
const CLOSED_ROW = 1

/**
 * Which bytes of the heap may be accessed: those of live blocks. Between blocks, in freed ones and where nothing was
 * allocated yet it is closed. Two array reads decide on nearly every access; memory that is not heap is open.
 */
export class HeapShadow {
  /** By page: its row of cells. */
  private readonly rows = new Int32Array(PAGES)
  private cells = new Uint8Array(ROW_SIZE * 16).fill(CLOSED, ROW_SIZE, 2 * ROW_SIZE)
  private rowCount = 2
  /** Everything before this address is open, and always was. */
  openBefore = 0

  /** The heap is made of these stretches of memory, in whole pages; all of it is closed. */
  constructor(heap: readonly Piece[]) {
    for (const { start, end } of heap) this.rows.fill(CLOSED_ROW, start >>> PAGE_BITS, Math.ceil(end / PAGE))
    this.openBefore = heap[0].start
  }

  /** Whether an access touches a byte that is closed. */
  isClosed(address: number, size: number): boolean {
    const cell =
      this.cells[(this.rows[address >>> PAGE_BITS] << ROW_BITS) | ((address >>> CELL_BITS) & ROW_MASK)]
    const last = (address & (CELL - 1)) + size
    if (cell !== OPEN) return cell === CLOSED || last > cell
    return last > CELL && this.isClosedFurther(address + CELL - (address & (CELL - 1)), address + size)
  }

  /** The same for a stretch that begins with a cell. */
  private isClosedFurther(start: number, end: number): boolean {
    while (start < end) {
      const row = this.rows[start >>> PAGE_BITS]
      const pageEnd = start - (start % PAGE) + PAGE
      if (row === OPEN_ROW) {
        start = pageEnd
        continue
      }
      const cell = this.cells[(row << ROW_BITS) | ((start >>> CELL_BITS) & ROW_MASK)]
      if (cell !== OPEN && (cell === CLOSED || end - start > cell)) return true
      start += CELL
    }
    return false
  }

  /** Opens a block; it begins at a multiple of 8. */
  open(start: number, size: number): void {
    this.fill(start, start + size, OPEN)
    const rest = size & (CELL - 1)
    if (rest !== 0) this.cells[this.place(start + size)] = rest
  }

  /** Closes a stretch that begins at a multiple of 8. */
  close(start: number, end: number): void {
    this.fill(start, end + CELL - 1, CLOSED)
  }

  /** Opens every cell that shares bytes with a stretch. */
  openCells(start: number, end: number): void {
    this.fill(start - (start & (CELL - 1)), end + CELL - 1, OPEN)
  }

  /** Closes every cell that lies in a stretch. */
  closeCells(start: number, end: number): void {
    this.openBefore = Math.min(this.openBefore, start)
    this.fill(Math.ceil(start / CELL) * CELL, end, CLOSED)
  }

  /** All cells that lie entirely before `end`. */
  private fill(start: number, end: number, value: number): void {
    const last = end - (end & (CELL - 1))
    while (start < last) {
      const at = this.place(start)
      const count = Math.min((last - start) >>> CELL_BITS, ROW_SIZE - (at & ROW_MASK))
      this.cells.fill(value, at, at + count)
      start += count << CELL_BITS
    }
  }

  /** Index of the cell of an address, which gets a row of its own if need be. */
  private place(address: number): number {
    const page = address >>> PAGE_BITS
    if (this.rows[page] === OPEN_ROW || this.rows[page] === CLOSED_ROW) this.addRow(page)
    return (this.rows[page] << ROW_BITS) | ((address >>> CELL_BITS) & ROW_MASK)
  }

  private addRow(page: number): void {
    const row = this.rowCount++
    if (this.rowCount * ROW_SIZE > this.cells.length) this.cells = grown(this.cells, this.cells.length * 2)
    this.cells.fill(this.rows[page] === CLOSED_ROW ? CLOSED : OPEN, row * ROW_SIZE, (row + 1) * ROW_SIZE)
    this.rows[page] = row
  }
}
