import { grown } from '../../../machine/growing.js'
import type { Tape } from './tape.js'

/** Stacks up to this many bytes are kept at every visit of a loop header, larger ones only once a loop looks idle. */
export const SMALL_STACK = 1024

/** The state of a thread at an earlier visit of a loop header. */
export class LoopVisit {
  site = 0
  /** Depth of the call stack: tells activations of a function apart. */
  depth = 0
  /** Number of the visit made last, among those that changed nothing. */
  visit = 0
  stamp = 0
  /** The same without what was only chosen: see `Spins.choose`. */
  standing = 0
  /** The visit whose state is kept, and after how many more another one takes its place. */
  anchor = 0
  span = 1
  /** Rows of the thread when that visit was made, and its waits that timed out. */
  from = 0
  waits = 0
  /** Words kept in `words`, or -1 when the state was not kept. */
  length = -1
  words = new Int32Array(64)

  /** Keeps the private state of the thread. */
  keep(memory: Int32Array, stack: PrivateState): void {
    const from = stack.pointer >> 2
    const n = (stack.top >> 2) - from
    const spill = stack.spill >> 2
    const spilled = stack.spillWords * 2
    if (n + spilled > this.words.length) this.words = new Int32Array((n + spilled) * 2)
    const { words } = this
    for (let i = 0; i < n; i++) words[i] = memory[from + i]
    for (let i = 0; i < spilled; i++) words[n + i] = memory[spill + i]
    this.length = n + spilled
  }

  /** Whether the thread's private state is the one that was kept. */
  isUnchanged(memory: Int32Array, stack: PrivateState): boolean {
    const from = stack.pointer >> 2
    const n = (stack.top >> 2) - from
    const spill = stack.spill >> 2
    const spilled = stack.spillWords * 2
    if (this.length !== n + spilled) return false
    const { words } = this
    for (let i = 0; i < n; i++) if (words[i] !== memory[from + i]) return false
    for (let i = 0; i < spilled; i++) if (words[n + i] !== memory[spill + i]) return false
    return true
  }
}

/** Where a thread's private state is: its stack, and the wasm locals carried round the loop. */
export interface PrivateState {
  readonly pointer: number
  readonly top: number
  readonly spill: number
  readonly spillWords: number
}

/** Of each thread, the loops it is in, outermost first. */
export class LoopVisits {
  private readonly lists: LoopVisit[][] = []
  private count = new Int32Array(16)

  ensure(threads: number): void {
    if (threads > this.count.length) this.count = grown(this.count, Math.max(threads, this.count.length * 2))
  }

  begin(thread: number): void {
    this.lists[thread] ??= []
    this.count[thread] = 0
  }

  /** The record of a loop; those of loops left since are dropped. */
  enter(thread: number, site: number, depth: number): LoopVisit {
    const list = this.lists[thread]
    let n = this.count[thread]
    while (n > 0 && list[n - 1].depth > depth) n--
    let i = n
    while (i > 0 && list[i - 1].depth === depth && list[i - 1].site !== site) i--
    const known = i > 0 && list[i - 1].depth === depth
    if (!known) {
      i = n + 1
      if (list.length < i) list.push(new LoopVisit())
      list[i - 1].stamp = list[i - 1].standing = -1
    }
    this.count[thread] = i
    return list[i - 1]
  }

  /** A new iteration of the innermost loop begins, and nothing that was read before counts. */
  restart(thread: number): void {
    const list = this.lists[thread]
    const last = this.count[thread] - 1
    list[last].from = 0
    // What enclosing loops read before is forgotten, so their iterations no longer count as idle.
    for (let i = 0; i < last; i++) list[i].stamp = list[i].standing = -1
  }

  /** Words that `save` writes, about. */
  usedWords(thread: number): number {
    let words = 0
    for (let i = 0; i < this.count[thread]; i++) words += 9 + Math.max(0, this.lists[thread][i].length)
    return words
  }

  save(thread: number, tape: Tape): void {
    const count = this.count[thread]
    tape.put(count)
    for (let i = 0; i < count; i++) saveVisit(this.lists[thread][i], tape)
  }

  load(thread: number, tape: Tape): void {
    const count = (this.count[thread] = tape.take())
    for (let i = 0; i < count; i++) loadVisit(this.lists[thread][i], tape)
  }
}

function saveVisit(visit: LoopVisit, tape: Tape): void {
  tape.put(visit.site)
  tape.put(visit.depth)
  tape.put(visit.visit)
  tape.put(visit.stamp)
  tape.put(visit.standing)
  tape.put(visit.anchor)
  tape.put(visit.span)
  tape.put(visit.from)
  tape.put(visit.waits)
  tape.put(visit.length)
  if (visit.length > 0) tape.putFirst(visit.words, visit.length)
}

function loadVisit(visit: LoopVisit, tape: Tape): void {
  visit.site = tape.take()
  visit.depth = tape.take()
  visit.visit = tape.take()
  visit.stamp = tape.take()
  visit.standing = tape.take()
  visit.anchor = tape.take()
  visit.span = tape.take()
  visit.from = tape.take()
  visit.waits = tape.take()
  visit.length = tape.take()
  if (visit.length > 0) tape.takeFirst(visit.words, visit.length)
}
