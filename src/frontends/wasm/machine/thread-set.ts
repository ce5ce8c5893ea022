import { type PendingOperations, THREAD_ABSENT } from '../../../machine/machine.js'
import type { ThreadTable } from '../../../machine/names.js'
import type { Layout } from '../artifact.js'
import { type Glue, OWN_GLOBALS } from './glue.js'
import type { Image } from './image.js'
import { MAX_THREADS, type MemoryMap, SlotAssignment } from './memory-map.js'
import type { ProgramMemory } from './program.js'
import type { Tape } from './tape.js'
import type { ThreadStates } from './thread-states.js'

/** Stack used before the low-water mark is moved, and by how much it moves. */
const STACK_STEP = 512
/** Leaf functions may use this much below the stack pointer. */
const RED_ZONE = 128

/** The threads of the current execution: where they live in memory, and their handles. */
export class ThreadSet {
  /** In order of creation. */
  readonly created: number[] = []
  /** By slot; -1 where there is none. */
  private readonly threadOfSlot = new Int32Array(MAX_THREADS).fill(-1)
  /** By thread: lowest address its stack may have reached. */
  private readonly lowStack: number[] = []
  private readonly slots: SlotAssignment

  constructor(
    names: ThreadTable,
    private readonly states: ThreadStates,
    private readonly layout: Layout,
    private readonly map: MemoryMap,
  ) {
    this.slots = new SlotAssignment(names)
  }

  /** Gives a thread its stacks, its control block and its thread-local data. */
  place(thread: number, start: number, argument: number, memory: ProgramMemory, image: Image): void {
    const index = this.slots.of(thread)
    const slot = this.map.slot(index)
    memory.reserve(slot.unwindEnd)
    this.states.begin(thread, slot, index, start, argument)
    this.threadOfSlot[index] = thread
    this.created.push(thread)
    const low = (this.lowStack[thread] = slot.stackTop - STACK_STEP)
    const isMain = thread === 0
    if (!isMain) image.placeThreadLocals(memory.bytes, slot.tls)
    const { words } = memory
    const control = slot.control >>> 2
    words[control] = slot.stackTop
    words[control + 1] = slot.shadow + 4
    words[control + 2] = low
    words[control + 3] = slot.shadowEnd
    words[control + 4] = isMain ? this.layout.tls.base : slot.tls
    words[control + 5] = 0
    if (this.layout.own) {
      const from = (isMain ? this.map.first.main : this.map.first.others) + OWN_GLOBALS
      memory.bytes.copyWithin(slot.control + OWN_GLOBALS, from, from + 16 * this.layout.own.globals.length)
    }
    // What is below the first call: nobody.
    words[slot.shadow >>> 2] = -1
    words[slot.unwind >>> 2] = slot.unwind + 8
    words[(slot.unwind >>> 2) + 1] = slot.unwindEnd
  }

  /** Moves the low-water mark of a stack down to where the pointer is now; -1 when the stack is full. */
  lowerMark(thread: number, pointer: number): number {
    const { stackTop, stackEnd } = this.states.slots[thread]
    if (pointer >>> 0 > stackTop || pointer < stackEnd + 2 * RED_ZONE) return -1
    return (this.lowStack[thread] = Math.max(stackEnd, pointer - STACK_STEP))
  }

  /** Fills with zeros what the threads used of their stacks. */
  cleanStacks(bytes: Uint8Array): void {
    for (const thread of this.created) this.cleanStack(thread, bytes)
  }

  clear(): void {
    for (const thread of this.created) this.threadOfSlot[this.states.slot[thread]] = -1
    this.created.length = 0
  }

  /** Bytes in use by what `save` writes. */
  usedBytes(words: Int32Array): number {
    let bytes = 0
    const { size } = this.layout.tls
    for (const thread of this.created) {
      const { stackTop, shadow, unwind, control } = this.states.slots[thread]
      bytes += stackTop - this.stackFrom(thread) + size + OWN_GLOBALS
      bytes += words[(control >>> 2) + 1] - shadow + words[unwind >>> 2] - unwind
    }
    return bytes
  }

  /** Writes down where a thread is: its stacks, its control block and its thread-local data. */
  save(thread: number, glue: Glue, tape: Tape): void {
    const { stackTop, control, shadow, unwind } = this.states.slots[thread]
    const from = this.stackFrom(thread)
    tape.put(this.lowStack[thread])
    const { size } = this.layout.tls
    const local = this.localsOf(thread)
    tape.endAt(glue.saveThread(tape.at, control, from, stackTop - from, shadow, unwind, local, size))
  }

  /** Reads back what `save` wrote; the stack was zero where it was not in use yet. */
  load(thread: number, glue: Glue, bytes: Uint8Array, tape: Tape): void {
    const { stackTop, control, shadow, unwind } = this.states.slots[thread]
    const from = this.stackFrom(thread)
    this.lowStack[thread] = tape.take()
    const kept = this.stackFrom(thread)
    if (from < kept) bytes.fill(0, from, kept)
    const { size } = this.layout.tls
    const local = this.localsOf(thread)
    tape.at = aligned(glue.loadThread(tape.at, control, kept, stackTop - kept, shadow, unwind, local, size))
  }

  /** Forgets the threads created after the first so many. */
  keepFirst(count: number, bytes: Uint8Array, pending: PendingOperations): void {
    const { created, states } = this
    for (let i = created.length - 1; i >= count; i--) {
      const thread = created[i]
      this.cleanStack(thread, bytes)
      this.threadOfSlot[states.slot[thread]] = -1
      pending.status[thread] = THREAD_ABSENT
    }
    if (created.length > count) created.length = count
  }

  private localsOf(thread: number): number {
    return thread === 0 ? this.layout.tls.base : this.states.slots[thread].tls
  }

  /** Lowest address of the stack that may have been written. */
  private stackFrom(thread: number): number {
    return Math.max(this.lowStack[thread] - RED_ZONE, this.states.slots[thread].stackEnd)
  }

  private cleanStack(thread: number, bytes: Uint8Array): void {
    bytes.fill(0, this.stackFrom(thread), this.states.slots[thread].stackTop)
  }

  /** The thread a `pthread_t` stands for in this execution, or -1. */
  threadOf(handle: number): number {
    const slot = handle - 1
    return slot >= 0 && slot < MAX_THREADS ? this.threadOfSlot[slot] : -1
  }

  /** Small, never zero, and the same in every interleaving. */
  handleOf(thread: number): number {
    return this.states.slot[thread] + 1
  }
}

function aligned(address: number): number {
  return (address + 3) & ~3
}
