import { grown } from '../../machine/growing.js'
import type { LocationTable } from '../../machine/names.js'
import { announcedMode, Mode, Op } from '../../machine/operation.js'
import { locationsMeet, modesConflict } from '../../ordering/dependence.js'
import type { HappensBefore } from '../../ordering/happens-before.js'

/** The empty footprint: independent of everything. */
export const NO_FOOTPRINT = -1
/**
 * Stands for every location. Written: a transition in which a thread failed ends the execution, so nothing commutes with
 * it. Read: what it touches is not known.
 */
export const EVERYTHING = -2

/** Whether these are the cells of a transition in which a thread failed. */
export function isOfFailure(cells: readonly number[]): boolean {
  return cells[0] === EVERYTHING && cells[1] === Mode.write
}

/** The event with which the body of a transaction begins in that transition; -1 if none does. */
export function beginOfBody(hb: HappensBefore, transition: number): number {
  const { kind } = hb
  const end = hb.eventEnd[transition]
  let first = hb.eventStart(transition)
  while (first < end && kind[first] === Op.resume) first++
  const isBody = first + 1 < end && kind[first] === Op.txBegin && kind[first + 1] !== Op.txAbort
  return isBody ? first : -1
}

/** A stretch of an execution. */
export interface Touches {
  /** Whether something before transition d may touch the location with a mode that conflicts with this one. */
  touches(location: number, mode: number, d: number): boolean
}

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
    return fatal ? this.failure() : this.ofTransition(hb, transition)
  }

  /** Of a transition in which a thread failed: depends on whatever it is compared with. */
  failure(): number {
    return this.cell(EVERYTHING, Mode.write, NO_FOOTPRINT)
  }

  /** Of a transition of which it is not known what it touches: taken to depend on whatever it is compared with. */
  unknown(): number {
    return this.cell(EVERYTHING, Mode.read, NO_FOOTPRINT)
  }

  /**
   * What transition f would do had transition e, and all that happens after it, not been there. Its first operation is
   * predicted (and the one that a thread goes on with after a spin); what it did after that may come out differently,
   * and is taken with the modes it announced. Invariants look at what it changes.
   */
  predicted(hb: HappensBefore, f: number, e: number): number {
    let head = NO_FOOTPRINT
    const start = hb.eventStart(f)
    const end = hb.eventEnd[f]
    let first = start
    while (first < end - 1 && hb.kind[first] === Op.resume) first++
    for (let i = end - 1; i >= start; i--) {
      if (hb.mode[i] === Mode.none || this.isWatchOf(hb, first, i)) continue
      const mode = i <= first ? hb.predictMode(i, e) : announcedMode[hb.kind[i]]
      head = this.cell(hb.location[i], mode, head)
      if (i === first) head = this.watched(hb.location[i], mode, head)
    }
    return head
  }

  /**
   * The same of the body of a transaction. What it does up to the first read that would find something else is known; what
   * comes after that only if it does the same whatever it reads (`Op.txBegin`). Otherwise it may be anything.
   */
  predictedBody(hb: HappensBefore, f: number, e: number): number {
    const end = hb.eventEnd[f]
    const begin = beginOfBody(hb, f)
    const isStraight = hb.aux[begin] === 1
    let head = NO_FOOTPRINT
    for (let i = hb.eventStart(f); i < end; i++) {
      const kind = hb.kind[i]
      const location = hb.location[i]
      if (hb.mode[i] === Mode.none) continue
      if (!(isStraight && i > begin) && kind !== Op.atomicStore && this.wouldFindElse(hb, i, e)) {
        this.release(head)
        return this.unknown()
      }
      head = this.watched(location, announcedMode[kind], this.cell(location, announcedMode[kind], head))
    }
    return head
  }

  /** Whether event i reads what its transition has not written, and what e or something after it has. */
  private wouldFindElse(hb: HappensBefore, i: number, e: number): boolean {
    const location = hb.location[i]
    const start = hb.eventStart(hb.transitionOf[i])
    for (let k = i - 1; k >= start; k--) {
      if (hb.location[k] === location && hb.mode[k] === Mode.write) return false
    }
    for (let k = hb.eventStart(e); k < start; k++) {
      if (!modesConflict(hb.mode[k], Mode.read)) continue
      if (!locationsMeet(this.locations, location, hb.location[k])) continue
      if (hb.ordered(e, hb.transitionOf[k])) return true
    }
    return false
  }

  /** A single announced operation. */
  announced(kind: number, location: number): number {
    if (location < 0) return NO_FOOTPRINT
    const mode = announcedMode[kind]
    return this.watched(location, mode, this.cell(location, mode, NO_FOOTPRINT))
  }

  /** What an operation of that mode does to the invariants that look at its object. */
  private watched(location: number, mode: number, next: number): number {
    const watchers = /* mutant: invariants */ mode === Mode.write ? this.locations.watchers[location] : null
    let head = next
    if (watchers !== null) for (const watcher of watchers) head = this.cell(watcher, Mode.write, head)
    return head
  }

  /** Whether event i is logged only because event `first` changed what an invariant looks at. */
  private isWatchOf(hb: HappensBefore, first: number, i: number): boolean {
    return (
      i > first &&
      hb.kind[i] === Op.watch &&
      (this.locations.watchers[hb.location[first]]?.includes(hb.location[i]) ?? false)
    )
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
    for (let cell = footprint; cell >= 0; cell = this.next[cell]) {
      const location = this.location[cell]
      if (location === EVERYTHING) return true
      const mode = this.mode[cell]
      const overlapping = this.isOverlapping(location)
      for (let i = start; i < end; i++) {
        if (location !== places[i] && !overlapping) continue
        if (modesConflict(mode, modes[i]) && locationsMeet(this.locations, location, places[i])) return true
      }
    }
    return false
  }

  /** Whether a footprint may depend on what comes before d, of which it is known where it touches what. */
  mayMeet(footprint: number, sequence: Touches, d: number): boolean {
    for (let cell = footprint; cell >= 0; cell = this.next[cell]) {
      const location = this.location[cell]
      if (location === EVERYTHING || this.isOverlapping(location)) return true
      if (sequence.touches(location, this.mode[cell], d)) return true
    }
    return false
  }

  /** Whether two footprints depend on each other. */
  conflict(a: number, b: number): boolean {
    if (this.isEverything(a) || this.isEverything(b)) return true
    for (let x = a; x >= 0; x = this.next[x]) {
      const overlapping = this.isOverlapping(this.location[x])
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

  private isOverlapping(location: number): boolean {
    return this.locations.anyOverlap && this.locations.overlaps[location] !== null
  }

  isEverything(footprint: number): boolean {
    return footprint >= 0 && this.location[footprint] === EVERYTHING
  }

  isFailure(footprint: number): boolean {
    return this.isEverything(footprint) && this.mode[footprint] === Mode.write
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
