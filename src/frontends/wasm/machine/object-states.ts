import { grown } from '../../../machine/growing.js'
import { Mode, Op } from '../../../machine/operation.js'
import type { Value } from '../../../memory/graph.js'
import type { ProgramKernel } from './program-kernel.js'
import { ofBlock, ofLocation, type RecallTree, UNTOUCHED } from './recall-tree.js'
import { readCell } from './weak/cells.js'

/** A mutex whose owner is not known. */
const UNKNOWN = -1
/** Contents of up to so many bytes are told apart by what they are. */
const WIDEST = 8

/**
 * States of objects, as small numbers. Equal numbers mean that the object is the same to whoever comes to it: a memory
 * location that holds the same bytes, a mutex that is free or has the same owner and was last set up by the same
 * transition. Everything else is in a state of its own after each transition that changed it.
 */
export class ObjectStates {
  /** By object: see `ofLocation`, `ofBlock`. */
  state = new Int32Array(64)
  /** By location: whether a mutex that nobody has touched yet was found to be free. */
  private wasFree = new Uint8Array(64)
  private count = 1
  private readonly contents = new Map<string, number>()
  /** By state of a mutex: its owner's index + 1, 0 if it is free; and the state it was in when it was free. */
  private owner = new Int32Array(64).fill(UNKNOWN)
  private base = new Int32Array(64)
  private readonly owned = new Map<number, number>()
  /** Numbers of blocks of the heap, by where they begin. */
  private readonly blocks = new Map<number, number>()
  /** Under a weak memory model: by state, what is there; by location, what was there before anything was written. */
  private readonly values: (Value | undefined)[] = []
  private readonly untouched: (Value | undefined)[] = []

  constructor(private readonly kernel: ProgramKernel) {}

  clear(): void {
    this.state.fill(UNTOUCHED)
    this.wasFree.fill(0)
    this.count = 1
    this.contents.clear()
    this.owned.clear()
    this.values.length = this.untouched.length = 0
  }

  /** What a location holds, of those that were said to hold something; undefined where that is not known. */
  valueAt(location: number): Value | undefined {
    const state = this.stateOf(location)
    return state === UNTOUCHED ? this.untouched[location] : this.values[state]
  }

  /** A location holds that now. False if that contradicts what is known: something else changes it than operations. */
  holds(location: number, value: Value): boolean {
    if (this.stateOf(location) === UNTOUCHED) this.untouched[location] ??= value
    return this.valueAt(location) === value
  }

  stateOf(location: number): number {
    if (location >= this.wasFree.length) this.wasFree = grown(this.wasFree, 2 * location)
    const object = this.known(ofLocation(location))
    return this.state[object]
  }

  /** That object, for which there is room. */
  private known(object: number): number {
    if (object >= this.state.length) this.state = grown(this.state, 2 * object)
    return object
  }

  /** The block of the heap that begins at an address, whether there is one or not. */
  blockAt(start: number): number {
    let block = this.blocks.get(start)
    if (block === undefined) {
      block = this.blocks.size
      this.blocks.set(start, block)
    }
    return this.known(ofBlock(block))
  }

  /** The block that a location lies in, if there is one. */
  blocksAt(location: number): number[] {
    const { addresses, heap, map } = this.kernel
    const address = location < 0 ? 0 : (addresses.start[location] ?? 0)
    if (address === 0 || map.slotOfHeap(address) < 0) return []
    const block = heap.blockAt(address)
    return block === undefined ? [] : [this.blockAt(block.start)]
  }

  /** Index + 1 of the thread that holds a mutex, 0 for none, negative if that is not known. */
  ownerOf(location: number): number {
    const state = this.stateOf(location)
    if (state === UNTOUCHED) return this.wasFree[location] === 1 ? 0 : UNKNOWN
    return this.owner[state]
  }

  /**
   * Adds to a tree what the transition of a thread that has just ended changed, by its events from `start` on; `written`:
   * what the first of these left, where that need not be what is there now.
   */
  addChanges(tree: RecallTree, thread: number, start: number, written?: Value): void {
    const { events, locations } = this.kernel
    for (let i = start; i < events.count; i++) {
      const location = events.location[i]
      this.learn(i, location, start)
      if (location < 0 || events.mode[i] !== Mode.write || this.isTouchedAgain(i, location)) continue
      const isEvent = i === start && written !== undefined
      const state = isEvent ? this.holding(location, written) : this.stateAfter(i, location, thread, start)
      tree.addChange(this.known(ofLocation(location)), state)
      for (const other of locations.overlaps[location] ?? [])
        tree.addChange(this.known(ofLocation(other)), this.fresh())
    }
    this.addBlocks(tree)
  }

  /** What became of blocks: how large they are, and whether they were freed. */
  private addBlocks(tree: RecallTree): void {
    const { heap } = this.kernel
    const { touched } = heap
    for (let i = 0; i < touched.length; i++) {
      if (touched.indexOf(touched[i]) < i) continue
      const block = heap.blockAt(touched[i])
      if (block === undefined || block.start !== touched[i]) continue
      const state = this.stateOfContent(`block of ${block.size}${block.freed ? ', freed' : ''}`)
      tree.addChange(this.blockAt(block.start), state)
    }
  }

  /** Whether the thread cannot tell in what state the object was: it replaced what was there, or found a mutex as it must be. */
  isBlind(kind: number, location: number, thread: number, start: number): boolean {
    if (kind === Op.store || kind === Op.atomicStore) return true
    if (this.kernel.locations.kinds[location] !== 'mutex' || !this.isOnly(location, start)) return false
    if (kind === Op.lock) return this.ownerOf(location) === 0
    return kind === Op.unlock && this.ownerOf(location) === thread + 1
  }

  private learn(i: number, location: number, start: number): void {
    const { kind, aux, location: places } = this.kernel.events
    if (
      (kind[i] !== Op.lock && kind[i] !== Op.tryLock) ||
      aux[i] !== 0 ||
      this.stateOf(location) !== UNTOUCHED
    )
      return
    for (let k = start; k < i; k++) if (places[k] === location) return
    this.wasFree[location] = 1
  }

  /** Whether the same transition changes the object once more. */
  private isTouchedAgain(i: number, location: number): boolean {
    const { events } = this.kernel
    for (let k = i + 1; k < events.count; k++) {
      if (events.location[k] === location && events.mode[k] === Mode.write) return true
    }
    return false
  }

  private stateAfter(i: number, location: number, thread: number, start: number): number {
    const { events, locations, addresses } = this.kernel
    const kind = events.kind[i]
    const isPlain = locations.kinds[location] === 'memory' && locations.overlaps[location] === null
    if (isPlain && kind !== Op.free && addresses.size[location] <= WIDEST) return this.content(location)
    if (locations.kinds[location] === 'mutex' && this.isOnly(location, start)) {
      const before = this.stateOf(location)
      if ((kind === Op.lock || kind === Op.tryLock) && this.ownerOf(location) === 0)
        return this.ownedBy(before, thread + 1)
      if (kind === Op.unlock && before !== UNTOUCHED && this.owner[before] === thread + 1)
        return this.base[before]
    }
    const state = this.fresh()
    if (kind === Op.mutexSetup && this.isOnly(location, start)) this.owner[state] = 0
    return state
  }

  /** Whether the transition has a single event on that object. */
  private isOnly(location: number, start: number): boolean {
    const { events } = this.kernel
    let count = 0
    for (let k = start; k < events.count; k++) if (events.location[k] === location) count++
    return count === 1
  }

  /** By the bytes that are there now. */
  private content(location: number): number {
    const { addresses, memory, weak } = this.kernel
    const start = addresses.start[location]
    const size = addresses.size[location]
    if (weak !== null && isScalar(start, size)) return this.holding(location, readCell(memory, start, size))
    return this.stateOfContent(`${memory.bytes.subarray(start, start + size)}`)
  }

  private holding(location: number, value: Value): number {
    const state = this.stateOfContent(`${this.kernel.addresses.size[location]}: ${value}`)
    this.values[state] = value
    return state
  }

  private stateOfContent(key: string): number {
    let state = this.contents.get(key)
    if (state === undefined) {
      state = this.fresh()
      this.contents.set(key, state)
    }
    return state
  }

  private ownedBy(base: number, owner: number): number {
    const key = base * 4096 + owner
    let state = this.owned.get(key)
    if (state === undefined) {
      state = this.fresh()
      this.owner[state] = owner
      this.base[state] = base
      this.owned.set(key, state)
    }
    return state
  }

  private fresh(): number {
    const state = this.count++
    if (state === this.owner.length) {
      this.owner = grown(this.owner, state * 2).fill(UNKNOWN, state)
      this.base = grown(this.base, state * 2)
    }
    this.owner[state] = UNKNOWN
    return state
  }
}

function isScalar(start: number, size: number): boolean {
  return (size === 1 || size === 2 || size === 4 || size === 8) && start % size === 0
}
