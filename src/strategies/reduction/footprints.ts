import { locationsMeet, modesConflict } from '../../ordering/dependence.js'
import type { HappensBefore } from '../../ordering/happens-before.js'
import { grown } from '../../program/growing.js'
import type { LocationTable } from '../../program/names.js'
import { announcedMode, Mode } from '../../program/operation.js'

/** The empty footprint: independent of everything. */
export const NO_FOOTPRINT = -1
/** Stands for every location: a transition in which a thread failed ends the execution, so nothing commutes with it. */
const EVERYTHING = -2

/**
 * What transitions touched, kept after the execution that showed it is gone: lists of (location, mode) cells in one
 * pool with a free list. A footprint is the index of its first cell.
 */
export class Footprints {
  private location = new Int32Array(16)
  private mode = new Uint8Array(16)
  private next = new Int32Array(16)
  private used = 0
  private free = NO_FOOTPRINT

  constructor(private readonly locations: LocationTable) {}

  /** Memory held by the pool. */
  get bytes(): number {
    return this.location.byteLength + this.mode.byteLength + this.next.byteLength
  }

  /** Copies what a transition did. */
  of(hb: HappensBefore, transition: number, fatal = false): number {
    return fatal ? this.everything() : this.ofTransition(hb, transition)
  }

  /** Depends on whatever it is compared with. */
  everything(): number {
    return this.cell(EVERYTHING, Mode.write, NO_FOOTPRINT)
  }

  /**
   * What transition f would do had transition e, and all that happens after it, not been there. Its first operation
   * is predicted; what it did after that may come out differently, and is taken with the modes it announced.
   */
  predicted(hb: HappensBefore, f: number, e: number): number {
    let head = NO_FOOTPRINT
    const start = hb.eventStart(f)
    for (let i = hb.eventEnd[f] - 1; i >= start; i--) {
      if (hb.mode[i] === Mode.none) continue
      head = this.cell(hb.location[i], i === start ? hb.predictMode(i, e) : announcedMode[hb.kind[i]], head)
    }
    return head
  }

  /** A single announced operation. */
  announced(kind: number, location: number): number {
    return location < 0 ? NO_FOOTPRINT : this.cell(location, announcedMode[kind], NO_FOOTPRINT)
  }

  /** The same once more, in the same order. */
  copy(footprint: number): number {
    return footprint < 0
      ? footprint
      : this.cell(this.location[footprint], this.mode[footprint], this.copy(this.next[footprint]))
  }

  release(footprint: number): void {
    let cell = footprint
    while (cell >= 0) {
      const next = this.next[cell]
      this.next[cell] = this.free
      this.free = cell
      cell = next
    }
  }

  /** Whether the footprint depends on what a transition of the current execution did. */
  dependsOn(footprint: number, hb: HappensBefore, transition: number): boolean {
    const start = hb.eventStart(transition)
    const end = hb.eventEnd[transition]
    const { mode: modes, location: places } = hb
    const overlapping = this.locations.anyOverlap
    for (let cell = footprint; cell >= 0; cell = this.next[cell]) {
      const location = this.location[cell]
      if (location === EVERYTHING) return true
      const mode = this.mode[cell]
      for (let i = start; i < end; i++) {
        if (location !== places[i] && !overlapping) continue
        if (modesConflict(mode, modes[i]) && locationsMeet(this.locations, location, places[i])) return true
      }
    }
    return false
  }

  /** Whether two footprints depend on each other. */
  conflict(a: number, b: number): boolean {
    if (this.isEverything(a) || this.isEverything(b)) return true
    const overlapping = this.locations.anyOverlap
    for (let x = a; x >= 0; x = this.next[x]) {
      for (let y = b; y >= 0; y = this.next[y]) {
        if (this.location[x] !== this.location[y] && !overlapping) continue
        if (
          modesConflict(this.mode[x], this.mode[y]) &&
          locationsMeet(this.locations, this.location[x], this.location[y])
        ) {
          return true
        }
      }
    }
    return false
  }

  private isEverything(footprint: number): boolean {
    return footprint >= 0 && this.location[footprint] === EVERYTHING
  }

  /** Plain data, for saving. */
  save(footprint: number): number[] {
    const cells: number[] = []
    for (let cell = footprint; cell >= 0; cell = this.next[cell])
      cells.push(this.location[cell], this.mode[cell])
    return cells
  }

  load(cells: readonly number[], locationHere: (saved: number) => number): number {
    let head = NO_FOOTPRINT
    for (let i = cells.length - 2; i >= 0; i -= 2) {
      head = this.cell(cells[i] < 0 ? cells[i] : locationHere(cells[i]), cells[i + 1], head)
    }
    return head
  }

  private ofTransition(hb: HappensBefore, transition: number): number {
    let head = NO_FOOTPRINT
    const start = hb.eventStart(transition)
    for (let i = hb.eventEnd[transition] - 1; i >= start; i--) {
      if (hb.mode[i] !== Mode.none) head = this.cell(hb.location[i], hb.mode[i], head)
    }
    return head
  }

  private cell(location: number, mode: number, next: number): number {
    let cell = this.free
    if (cell >= 0) this.free = this.next[cell]
    else {
      cell = this.used++
      if (cell === this.location.length) {
        this.location = grown(this.location, cell * 2)
        this.mode = grown(this.mode, cell * 2)
        this.next = grown(this.next, cell * 2)
      }
    }
    this.location[cell] = location
    this.mode[cell] = mode
    this.next[cell] = next
    return cell
  }
}
