import type { BugKind, Stack } from '../../../machine/bug.js'
import { LogWord } from '../artifact.js'
import type { FailurePart, Kernel } from './kernel.js'
import { failedAssertion, trapBug } from './traps.js'

/** Thrown to leave a program; its bug, if it has one, has been noted. */
const FAILED = { outcome: 'failed' }

/** How an execution ends with a bug. */
export class Failures implements FailurePart {
  constructor(private readonly kernel: Kernel) {}

  /** Turns what was thrown out of the program into a bug; throws again what is no fault of the program. */
  take(error: unknown): void {
    const { kernel } = this
    const switching = kernel.coroutines.settle(kernel.running)
    if (error === FAILED) return
    const trap = trapBug(error, {
      site: kernel.program.fl_site.value as number,
      call: kernel.callSite(),
      access: this.lastAccess(),
      switching,
    })
    if (trap === null) throw error
    const assertion = kernel.own && failedAssertion(kernel.printed())
    try {
      if (assertion) this.fail('assertion', assertion, trap.site)
      this.fail(trap.kind, trap.message, trap.site)
    } catch (failure) {
      if (failure !== FAILED) throw failure
    }
  }

  private lastAccess(): number {
    const { kernel } = this
    const length = kernel.glue.logLength()
    if (length === 0) return -1
    const last = (kernel.artifact.layout.log + length) >> 2
    const word = kernel.memory.words[last - 2]
    // The second half of a range has no address.
    return (
      (kernel.memory.words[last - 1] === 0 && length > 8 ? kernel.memory.words[last - 4] : word) &
      LogWord.siteMask
    )
  }

  note(kind: BugKind, message: string, site: number, stacks: readonly Stack[] = []): void {
    const { kernel } = this
    kernel.bug ??= { kind, message, thread: kernel.running, site, ...(stacks.length > 0 ? { stacks } : {}) }
    const { blockStacks, running } = kernel
    if (blockStacks.isOn && running >= 0 && blockStacks.callsAt(running, site) === undefined) {
      blockStacks.noteAccess(kernel.placeOf(site))
    }
  }

  /** Ends the execution with a bug of the running thread; what it logged before comes first. */
  fail(kind: BugKind, message: string, site: number, stacks?: readonly Stack[]): never {
    const { kernel } = this
    if (kernel.bug === null && !kernel.constructing) kernel.log.drain(kernel.running)
    return this.failNow(kind, message, site, stacks)
  }

  failNow(kind: BugKind, message: string, site: number, stacks?: readonly Stack[]): never {
    this.note(kind, message, site, stacks)
    throw FAILED
  }

  /** Ends the execution without a bug. */
  leave(): never {
    throw FAILED
  }

  /** `fl.overflow`. */
  overflow(site: number): void {
    const { kernel } = this
    if (kernel.own) this.fail('trap', 'stack overflow: the stack pointer has left memory', site)
    kernel.glue.setStackEnd(kernel.faults.overflow(site, kernel.glue.stackPointer(), kernel.glue.shadow()))
  }
}
