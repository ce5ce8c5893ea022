import type { ThreadTable } from '../../../program/names.js'
import type { Layout } from '../artifact.js'
import { OWN_GLOBALS } from './glue.js'
import type { Image } from './image.js'
import { MAX_THREADS, type MemoryMap, SlotAssignment } from './memory-map.js'
import type { ProgramMemory } from './program.js'
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
    for (const thread of this.created) {
      const { stackTop, stackEnd } = this.states.slots[thread]
      bytes.fill(0, Math.max(this.lowStack[thread] - RED_ZONE, stackEnd), stackTop)
    }
  }

  clear(): void {
    for (const thread of this.created) this.threadOfSlot[this.states.slot[thread]] = -1
    this.created.length = 0
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
