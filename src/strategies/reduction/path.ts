import type { ChoicePoint } from '../../execution/strategy.js'
import { grown } from '../../machine/growing.js'
import type { PartStart } from '../parallel/part.js'

/**
 * The path a depth-first reduction is on: per depth, which thread and alternative was taken, and per thread how many
 * alternatives there are (0: not enabled), how many have been started, and whether it is to be explored.
 */
export class Path {
  depth = 0
  thread = new Int32Array(64)
  value = new Int32Array(64)
  /** Depths before this one belong to the whole search: marks there are told to `onMarkAbove`. */
  root = 0
  onMarkAbove: (depth: number, thread: number) => void = () => {}
  private stride = 8
  /** Per depth: the threads that can run, each in one way, as bits; 0 where rows tell of alternatives. */
  private ableAt = new Int32Array(64)
  private alternativesAt = new Int32Array(64 * 8)
  private startedAt = new Int32Array(64 * 8)
  private markedAt = new Uint8Array(64 * 8)

  /** Without marks, only alternatives are kept: nobody asks what was started or marked. */
  constructor(private readonly hasMarks = true) {}

  /** Number of threads the rows have room for. */
  get threads(): number {
    return this.stride
  }

  /** Records the options of a new depth, the deepest now; nothing is marked or taken yet. */
  open(point: ChoicePoint): void {
    const d = point.depth
    if (point.machine.threads.count > this.stride) this.widen(point.machine.threads.count)
    if (d === this.thread.length) this.grow()
    const row = d * this.stride
    const end = row + point.machine.threads.count
    for (let t = row; t < end; t++) this.alternativesAt[t] = 0
    if (this.hasMarks) {
      for (let t = row; t < end; t++) {
        this.startedAt[t] = 0
        this.markedAt[t] = 0
      }
    }
    for (let i = 0; i < point.count; i++) this.alternativesAt[row + point.thread[i]]++
    this.ableAt[d] = 0
    this.depth = d + 1
  }

  /** The same where these threads can run, as bits, each in one way. For paths without marks. */
  openAble(d: number, able: number): void {
    if (d === this.thread.length) this.grow()
    this.ableAt[d] = able
    this.depth = d + 1
  }

  /** The same for a depth where only this thread was left, which was taken. */
  openAlone(d: number, thread: number): void {
    if (thread >= this.stride) this.widen(thread + 1)
    if (d === this.thread.length) this.grow()
    const row = d * this.stride
    this.alternativesAt.fill(0, row, row + this.stride)
    this.startedAt.fill(0, row, row + this.stride)
    this.markedAt.fill(0, row, row + this.stride)
    this.alternativesAt[row + thread] = 1
    this.ableAt[d] = 0
    this.depth = d + 1
    this.take(d, thread, 0)
  }

  private grow(): void {
    const size = this.thread.length * 2
    this.thread = grown(this.thread, size)
    this.value = grown(this.value, size)
    this.ableAt = grown(this.ableAt, size)
    this.alternativesAt = grown(this.alternativesAt, size * this.stride)
    this.startedAt = grown(this.startedAt, size * this.stride)
    this.markedAt = grown(this.markedAt, size * this.stride)
  }

  take(d: number, thread: number, value: number): void {
    this.thread[d] = thread
    this.value[d] = value
    if (this.hasMarks) this.startedAt[d * this.stride + thread] = value + 1
  }

  alternatives(d: number, thread: number): number {
    const able = this.ableAt[d]
    if (able !== 0) return thread < 31 ? (able >>> thread) & 1 : 0
    return thread < this.stride ? this.alternativesAt[d * this.stride + thread] : 0
  }

  /** Of the step that was taken there: beyond the path nobody was asked, since there was nothing to choose. */
  arity(d: number, thread: number): number {
    return d < this.depth ? this.alternatives(d, thread) : 1
  }

  /** Alternatives of the thread already taken at this depth. */
  started(d: number, thread: number): number {
    return this.startedAt[d * this.stride + thread]
  }

  isMarked(d: number, thread: number): boolean {
    return this.markedAt[d * this.stride + thread] === 1
  }

  mark(d: number, thread: number): void {
    const at = d * this.stride + thread
    if (d < this.root && this.markedAt[at] === 0) this.onMarkAbove(d, thread)
    this.markedAt[at] = 1
  }

  marked(d: number): number[] {
    const threads: number[] = []
    for (let t = 0; t < this.stride; t++) if (this.isMarked(d, t)) threads.push(t)
    return threads
  }

  markEnabled(d: number): void {
    for (let t = 0; t < this.stride; t++) if (this.alternatives(d, t) > 0) this.mark(d, t)
  }

  /** Rows of [thread, alternatives] of the threads that can run there. */
  enabled(d: number): number[][] {
    const rows: number[][] = []
    for (let t = 0; t < Math.max(this.stride, 31); t++)
      if (this.alternatives(d, t) > 0) rows.push([t, this.alternatives(d, t)])
    return rows
  }

  save(): PathData {
    const S = this.stride
    return {
      thread: [...this.thread.subarray(0, this.depth)],
      value: [...this.value.subarray(0, this.depth)],
      rows: Array.from({ length: this.depth }, (_, d) =>
        Array.from({ length: Math.max(S, 31) }, (_, t) => [
          this.alternatives(d, t),
          t < S ? this.startedAt[d * S + t] : 0,
          t < S ? this.markedAt[d * S + t] : 0,
        ]).flatMap((cell, t) => (cell[0] > 0 || cell[2] > 0 ? [[t, ...cell]] : [])),
      ),
    }
  }

  /** The first steps that lead to a part of a search. */
  openPart(start: PartStart, steps: number, threadHere: (saved: number) => number): void {
    const rows = start.alternatives.slice(0, steps).map((row, d) => {
      const marked = new Set(start.marked[d])
      return row.map(([t, n]) => [t, n, 0, marked.has(t) ? 1 : 0])
    })
    this.load({ thread: start.thread.slice(0, steps), value: start.value.slice(0, steps), rows }, threadHere)
  }

  load(data: PathData, threadHere: (saved: number) => number): void {
    this.depth = data.thread.length
    const threads = Math.max(this.stride, 1 + Math.max(-1, ...data.rows.flat().map(([t]) => threadHere(t))))
    if (threads > this.stride) this.widen(threads)
    const size = Math.max(64, this.depth * 2)
    const S = this.stride
    this.thread = grown(Int32Array.from(data.thread, threadHere), size)
    this.value = grown(Int32Array.from(data.value), size)
    this.ableAt = new Int32Array(size)
    this.alternativesAt = new Int32Array(size * S)
    this.startedAt = new Int32Array(size * S)
    this.markedAt = new Uint8Array(size * S)
    data.rows.forEach((row, d) => {
      for (const [t, alternatives, started, marked] of row) {
        this.alternativesAt[d * S + threadHere(t)] = alternatives
        this.startedAt[d * S + threadHere(t)] = started
        this.markedAt[d * S + threadHere(t)] = marked
      }
    })
  }

  private widen(threads: number): void {
    const old = this.stride
    const stride = Math.max(threads, old * 2)
    const wider = <T extends Int32Array | Uint8Array>(array: T, fresh: T): T => {
      for (let r = 0; r * old < array.length; r++)
        fresh.set(array.subarray(r * old, (r + 1) * old), r * stride)
      return fresh
    }
    const size = this.thread.length * stride
    this.alternativesAt = wider(this.alternativesAt, new Int32Array(size))
    this.startedAt = wider(this.startedAt, new Int32Array(size))
    this.markedAt = wider(this.markedAt, new Uint8Array(size))
    this.stride = stride
  }
}

/** Plain data, for saving: per depth, rows of [thread, alternatives, started, marked]. */
export interface PathData {
  readonly thread: readonly number[]
  readonly value: readonly number[]
  readonly rows: readonly (readonly (readonly number[])[])[]
}
