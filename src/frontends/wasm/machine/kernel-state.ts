import { THREAD_ABSENT } from '../../../machine/machine.js'
import type { ExecutionState } from './execution-state.js'
import type { Image } from './image.js'
import type { Kernel, StatePart } from './kernel.js'
import type { Tape } from './tape.js'

/** More than a snapshot takes besides what `usedBytes` counts. */
const OVERHEAD = 1 << 16

/** All that an execution changes, the program's memory included: as at the beginning, written to a tape, and brought back. */
export class KernelState implements StatePart {
  /** Parts with a state of their own. */
  readonly parts: ExecutionState[] = []
  image!: Image
  /** The program can read a clock. */
  seesClocks = true

  constructor(private readonly kernel: Kernel) {}

  /** As at the beginning of an execution. */
  reset(): void {
    const { kernel } = this
    const { bytes } = kernel.memory
    if (kernel.preemption.forced) kernel.preemption.release()
    kernel.heap.reset(bytes)
    kernel.blockStacks.reset()
    this.image.restore(bytes)
    kernel.set.cleanStacks(bytes)
    for (const thread of kernel.set.created) kernel.pending.status[thread] = THREAD_ABSENT
    kernel.set.clear()
    kernel.spins.reset()
    const left = kernel.glue.takeLog()
    if (kernel.own) {
      const log = kernel.artifact.layout.log >>> 2
      kernel.own.scan(log, log + (left >>> 2))
      kernel.own.restore()
    }
    kernel.events.count = 0
    kernel.bug = null
    kernel.running = -1
    kernel.preemption.skip = false
    for (const part of this.parts) part.reset()
  }

  usedBytes(): number {
    const { set, heap, states, spins, memory } = this.kernel
    return (
      this.image.size +
      set.usedBytes(memory.words) +
      heap.usedBytes() +
      states.size +
      spins.usedBytes(set.created)
    )
  }

  save(tape: Tape): boolean {
    if (!this.saveBehaviour(tape)) return false
    const { pending, spins, set, events } = this.kernel
    tape.put(events.count)
    for (const thread of set.created) {
      tape.put(pending.status[thread])
      tape.put(pending.kind[thread])
      tape.put(pending.location[thread])
      tape.put(pending.site[thread])
      spins.save(thread, tape)
    }
    return true
  }

  saveBehaviour(tape: Tape): boolean {
    for (const part of this.parts) {
      const mark = part.mark()
      if (mark < 0) return false
      tape.put(mark)
    }
    tape.put(this.kernel.set.created.length)
    this.saveProgram(tape)
    return true
  }

  saveProgram(tape: Tape): void {
    const { states, set, glue, heap } = this.kernel
    states.save(set.created, tape)
    for (const thread of set.created) set.save(thread, glue, tape)
    this.image.save(tape)
    heap.save(tape)
  }

  loadProgram(tape: Tape): void {
    const { states, set, glue, heap, preemption } = this.kernel
    const { bytes } = this.kernel.memory
    if (preemption.forced) preemption.release()
    states.load(set.created, tape)
    for (const thread of set.created) set.load(thread, glue, bytes, tape)
    this.image.load(tape)
    heap.load(bytes, tape)
    glue.takeLog()
    preemption.skip = false
  }

  /** See `Driver.switched`. */
  readonly snapshot = (): Int32Array | null => {
    const { own, heap, states, pending, set, memory, checkpoints, weak } = this.kernel
    if (own !== undefined || heap.mode !== 'fresh' || weak !== null) return null
    const { tape, end } = checkpoints
    tape.at = end
    if (!tape.hasRoom(this.usedBytes() + OVERHEAD) || !this.saveBehaviour(tape)) return null
    states.hide(tape, end + 4 * (this.parts.length + 1), this.seesClocks)
    for (const thread of set.created) {
      tape.put(pending.status[thread])
      tape.put(pending.kind[thread])
      tape.put(pending.location[thread])
      tape.put(pending.site[thread])
    }
    return memory.words.slice(end >>> 2, tape.at >>> 2)
  }

  load(tape: Tape): void {
    const { kernel } = this
    const { pending, spins, set } = kernel
    const marks = tape.at
    tape.at += 4 * this.parts.length
    set.keepFirst(tape.take(), kernel.memory.bytes, pending)
    this.loadProgram(tape)
    kernel.events.count = tape.take()
    spins.reset()
    for (const thread of set.created) {
      pending.status[thread] = tape.take()
      pending.kind[thread] = tape.take()
      pending.location[thread] = tape.take()
      pending.site[thread] = tape.take()
      spins.load(thread, tape)
    }
    tape.at = marks
    for (const part of this.parts) part.goBack(tape.take())
    kernel.bug = null
    kernel.running = -1
  }
}
