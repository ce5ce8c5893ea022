import type { Bug } from '../../../machine/bug.js'
import { Mode, Op, operations } from '../../../machine/operation.js'
import { UnsupportedError } from '../toolchain/errors.js'
import type { CheckPart, Kernel } from './kernel.js'

const WORD_BITS = 2
/** A check that goes round loops more often than this has no end. */
const MAX_ROUNDS = 10_000_000
const ROUNDS_PER_FUEL = 10_000

interface Check {
  /** Function pointer. */
  readonly holds: number
  readonly name: string
  /** Where it was registered. */
  readonly site: number
}

/**
 * Checks that the program brings along: invariants that must hold whenever threads can be switched, and conditions at
 * the end. They run inside the call that the running thread is in, as a part of no thread: without preemption points.
 *
 * An invariant is looked at again only after a transition that wrote something it read. What it reads is then logged as
 * read by that transition. So any two transitions that write to what an invariant reads are dependent, and reductions
 * try them in both orders; and a write to something that an invariant came to read only later is dependent on the
 * transition after which it did. The order of all else cannot change what the invariant sees.
 */
export class ProgramChecks implements CheckPart {
  /** A check is running. */
  isRunning = false
  private readonly invariants: Check[] = []
  private readonly conditions: Check[] = []
  /** Words that invariants read when they were looked at last. */
  private readonly watched = new Set<number>()
  private isDirty = false
  private writer = -1
  private rounds = 0
  /** By table slot: name of the function. */
  private readonly names = new Map<number, string>()

  constructor(private readonly kernel: Kernel) {
    for (const { name, pointers } of kernel.artifact.functions) {
      for (const slot of pointers) this.names.set(slot, name)
    }
    kernel.hasState({
      reset: () => this.goBack(0),
      // Conditions are only ever added; what invariants have read so far is too much to keep.
      mark: () => (this.isWatching ? -1 : this.conditions.length),
      goBack: (conditions) => this.goBack(conditions),
    })
  }

  readonly calls = {
    fl_invariant: (holds: number): void => {
      this.invariants.push(this.check(holds, 'an invariant'))
      this.isDirty = true
      this.writer = this.kernel.callSite()
      this.kernel.journal.drain()
      this.afterTransition()
    },

    fl_at_end: (holds: number): void => {
      this.conditions.push(this.check(holds, 'a check at the end'))
    },
  }

  private goBack(conditions: number): void {
    this.isRunning = false
    this.isDirty = false
    if (this.conditions.length > conditions) this.conditions.length = conditions
    if (!this.isWatching) return
    this.invariants.length = 0
    this.watched.clear()
  }

  private check(holds: number, what: string): Check {
    const { kernel } = this
    const site = kernel.callSite()
    if (kernel.constructing) {
      throw new UnsupportedError(`${what} is registered before main`, ['constructor'])
    }
    return { holds, name: this.names.get(holds) ?? 'a function', site }
  }

  /** Whether writes have to be told. */
  get isWatching(): boolean {
    return this.invariants.length > 0
  }

  /** The running thread wrote there; objects outside memory have no bytes. */
  wrote(address: number, size: number, site: number): void {
    if (this.isDirty || size === 0) return
    for (let word = address >>> WORD_BITS; word <= (address + size - 1) >>> WORD_BITS; word++) {
      if (!this.watched.has(word)) continue
      this.isDirty = true
      this.writer = site
      return
    }
  }

  /** The running thread has come to where threads can be switched; its log has been read. */
  afterTransition(): void {
    if (!this.isDirty) return
    this.isDirty = false
    this.watched.clear()
    for (const { holds, name } of this.invariants) {
      const result = this.run(holds)
      this.takeReads(name)
      if (result === 0)
        this.kernel.failures.failNow('invariant', `the invariant ${name} does not hold`, this.writer)
    }
  }

  /** What the program's conditions have to say about its end. */
  atEnd(): Bug | null {
    const { kernel } = this
    for (const { holds, name, site } of this.conditions) {
      const bug = kernel.asMain(() => {
        const result = this.run(holds)
        kernel.log.takeAccesses(() => {})
        if (result === 0)
          kernel.failures.failNow('invariant', `the check ${name} does not hold at the end`, site)
      })
      if (bug) return bug
    }
    return null
  }

  private run(holds: number): number {
    const { kernel } = this
    this.isRunning = true
    this.rounds = 0
    kernel.glue.setFuel(ROUNDS_PER_FUEL)
    const result = kernel.program.fl_check(holds)
    kernel.glue.setFuel(1)
    this.isRunning = false
    return result
  }

  /** A running check is at a loop header. */
  loop(site: number): void {
    this.rounds += ROUNDS_PER_FUEL
    if (this.rounds > MAX_ROUNDS)
      this.kernel.failures.failNow('livelock', 'a check of the program does not end', site)
    this.kernel.glue.setFuel(ROUNDS_PER_FUEL)
  }

  /** A running check is about to do something that is not its business. */
  refuse(kind: number): never {
    const what = `${operations[kind].name} in an invariant or a check at the end`
    throw new UnsupportedError(`the program uses ${what}, which Faultline does not provide`, [what])
  }

  takeReads(name: string): void {
    const { kernel, watched } = this
    const { events, addresses, states, running, footprints } = kernel
    const { stackEnd } = states.slots[running]
    const pointer = kernel.glue.stackPointer()
    const seen = new Set<number>()
    kernel.log.takeAccesses((address, size, site, wrote) => {
      // Its own variables.
      if (address >= stackEnd && address < pointer) return
      if (wrote) {
        throw new UnsupportedError(`the invariant ${name} writes to memory: it may only read`, [name])
      }
      for (let word = address >>> WORD_BITS; word <= (address + size - 1) >>> WORD_BITS; word++)
        watched.add(word)
      const location = addresses.locate(address, size)
      if (!footprints || seen.has(location)) return
      seen.add(location)
      events.push(Op.watch, Mode.read, location, site, -1)
    })
  }
}
