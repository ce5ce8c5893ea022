import { THREAD_LIVE } from '../../../machine/machine.js'
import type { Kernel } from './kernel.js'
import { COUNT_ZERO, NOTIFIED, PHASE_OVER, RELEASED, THREAD_ENDED, WOKEN } from './thread-states.js'

/** Transitions of an execution after which it is worth a look whether it will ever end. */
export const LONG = 1000

/** More than a state takes besides what `StatePart.usedBytes` counts. */
const OVERHEAD = 1 << 16

/**
 * What a thread waits for and, once it is there, cannot be taken away by others: while somebody waits for it, it has not
 * been there in between either.
 */
const lasting: readonly number[] = [WOKEN, THREAD_ENDED, RELEASED, NOTIFIED, COUNT_ZERO, PHASE_OVER]

/**
 * Who goes round for ever. A thread that is alone, all others having ended or waiting for something only it could do, and
 * comes back to a loop header with all memory as it was the last time will do the same again: nothing changes any more.
 * Unlike a spin, it may have written in between (taken a lock and given it back). While others can run that would prove
 * nothing: one of them could come in between and see what was written.
 *
 * A state is kept and compared with those after it; a later one takes its place when the execution is twice as long, so
 * that a cycle of any length is found in the end. Only long executions are looked at, and they make no checkpoints: where
 * the cycle is noticed depends on the execution alone.
 */
export class Endless {
  private site = -1
  private depth = 0
  /** Where on the tape the state kept begins, and how long it is; 0 when there is none. */
  private start = 0
  private length = 0
  private begun = 0
  /** A loop that was begun anew inside another one: that other one is the one to look at. */
  private inner = -1

  constructor(private readonly kernel: Kernel) {}

  forget(): void {
    this.length = 0
    this.inner = -1
  }

  /** The running thread is at a loop header. True when it has been there before, in the same state and alone. */
  visitHeader(site: number, again: boolean, words: number): boolean {
    const { kernel } = this
    if (kernel.own !== undefined || kernel.heap.mode !== 'fresh') return false
    const depth = kernel.glue.shadow()
    if (this.length > 0) {
      if (depth < this.depth) this.forget()
      else if (site === this.site && depth === this.depth) {
        if (again) return this.compare(site, words)
        this.length = 0
        this.inner = site
      } else return false
    }
    if (site !== this.inner && this.isAlone()) this.keep(site, depth, words)
    return false
  }

  private compare(site: number, words: number): boolean {
    const { kernel, start, length } = this
    const isSame = this.isBackAt(start, length, words)
    if (isSame && this.isAlone()) return true
    if (!this.isAlone()) this.length = 0
    else if (kernel.begun >= 2 * this.begun) this.keep(site, this.depth, words)
    return false
  }

  /** Most rounds differ in what the thread itself knows: the rest is written only if they do not. */
  private isBackAt(start: number, length: number, words: number): boolean {
    const again = start + length
    const own = this.writeOwn(again, words) - again
    if (own <= 0 || own > length || !this.isEqual(start, again, own)) return false
    const end = this.write(again, words)
    return end - start === 2 * length && this.isEqual(start, again, length)
  }

  private keep(site: number, depth: number, words: number): void {
    this.start = this.kernel.checkpoints.end
    this.length = Math.max(0, this.write(this.start, words) - this.start)
    this.site = site
    this.depth = depth
    this.begun = this.kernel.begun
  }

  /** Writes the state to the tape; where it ends, 0 if it cannot be written. */
  private write(at: number, words: number): number {
    const { kernel } = this
    const { tape } = kernel.checkpoints
    if (this.writeOwn(at, words) === 0 || !tape.hasRoom(kernel.state.usedBytes() + OVERHEAD)) return 0
    return kernel.state.saveBehaviour(tape) ? tape.at : 0
  }

  /** The part of it that the running thread knows by itself; as `write`. */
  private writeOwn(at: number, words: number): number {
    const { kernel } = this
    const { tape } = kernel.checkpoints
    kernel.log.drain(kernel.running)
    tape.at = at
    const { spill } = kernel.artifact.layout
    const { shadow, stackTop } = kernel.states.slots[kernel.running]
    const pointer = kernel.glue.stackPointer()
    const stack = pointer > 0 && pointer < stackTop ? stackTop - pointer : 0
    if (!tape.hasRoom(8 * words + stack + kernel.glue.shadow() - shadow + OVERHEAD)) return 0
    tape.putMemory(spill, spill + 8 * words)
    tape.put(pointer)
    tape.put(kernel.preemption.forced ? 1 : 0)
    tape.putMemory(shadow, kernel.glue.shadow())
    tape.putMemory(stackTop - stack, stackTop)
    return tape.at
  }

  private isEqual(a: number, b: number, length: number): boolean {
    const { words } = this.kernel.memory
    const from = a >>> 2
    const distance = (b - a) >>> 2
    for (let i = from; i < from + (length >>> 2); i++) if (words[i] !== words[i + distance]) return false
    return true
  }

  private isAlone(): boolean {
    const { kernel } = this
    const { pending, states, spins, set } = kernel
    for (const thread of set.created) {
      if (thread === kernel.running || pending.status[thread] !== THREAD_LIVE) continue
      if (kernel.alternatives(thread) > 0) return false
      if (spins.blocked[thread] === 1) continue
      const condition = states.condition[thread]
      if (!lasting.includes(condition) || (condition === WOKEN && states.signalled[thread] === 1))
        return false
    }
    return true
  }
}
