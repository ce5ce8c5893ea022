import { Mode, Op } from '../../../program/operation.js'
import { Endless, LONG } from './endless.js'
import type { Kernel } from './kernel.js'
import type { LoopWatch } from './loop-watch.js'
import { spinCandidates } from './spin-candidates.js'
import { ALWAYS } from './thread-states.js'

/** What happens at the headers of loops: a thread that spins is stopped there, and one that goes round for ever. */
export class LoopHeaders {
  watch!: LoopWatch
  private readonly endless: Endless
  /** By site of a loop. */
  private readonly canSpin: Uint8Array
  private readonly state = { pointer: 0, top: 0, spill: 0, spillWords: 0 }

  constructor(private readonly kernel: Kernel) {
    this.endless = new Endless(kernel)
    this.canSpin = spinCandidates(kernel.artifact)
    this.state.spill = kernel.artifact.layout.spill
  }

  beginExecution(): void {
    this.endless.forget()
  }

  beginTransition(): void {
    this.watch.beginTransition()
  }

  /** `fl.loop`: the running thread is at a loop header. */
  arrive(site: number, visit: number, words: number): void {
    const { kernel } = this
    if (kernel.coroutines.rewinding) {
      kernel.phase()
      kernel.preemption.skip = kernel.spins.firstKind(kernel.running) >= 0
      return
    }
    const thread = kernel.running
    if (kernel.checks.isRunning) {
      kernel.checks.loop(site)
      return
    }
    if (!this.watch.arrive()) {
      if (!kernel.constructing) kernel.driver.pause?.()
      if (this.watch.isExhausted) this.reportRunaway(site)
      kernel.spins.ignore(thread)
      this.endless.forget()
      return
    }
    if (kernel.constructing) return
    if (kernel.begun > LONG && this.endless.visitHeader(site, visit, words)) this.reportCycle(site)
    if (this.canSpin[site] === 0) return
    if (kernel.log.drain(thread)) kernel.preemption.skip = false
    const { glue, spins, pending } = kernel
    const { state } = this
    if (kernel.own === undefined) {
      state.pointer = glue.stackPointer()
      state.top = kernel.states.slots[thread].stackTop
    } else {
      const { frame = 0 } = kernel.artifact.sites[site]
      state.pointer = frame === 0 ? 0 : kernel.memory.words[state.spill >>> 2]
      state.top = state.pointer + frame
    }
    state.spillWords = words
    if (!spins.visit(thread, site, visit, glue.shadow(), kernel.memory.words, state)) return
    const kind = spins.firstKind(thread)
    pending.kind[thread] = kind < 0 ? Op.userPoint : kind
    pending.location[thread] = spins.firstLocation(thread)
    pending.site[thread] = kind < 0 ? site : spins.firstSite(thread)
    kernel.states.condition[thread] = ALWAYS
    if (!kernel.preemption.ask(1)) kernel.preemption.skip = kind >= 0
  }

  /** The running thread goes on after a spin blocked it: see `Op.resume`. */
  resume(thread: number): void {
    const { kernel } = this
    const { spins } = kernel
    if (kernel.footprints) {
      const first = spins.firstEvent(thread)
      const site = kernel.pending.site[thread]
      for (const location of spins.locationsRead(thread)) {
        kernel.events.push(Op.resume, Mode.read, location, site, first)
      }
    }
    spins.resume(thread)
  }

  private reportCycle(site: number): never {
    return this.kernel.fail(
      'livelock',
      'a loop makes no progress: a round of it leaves everything as it was, and no other thread can go on',
      site,
    )
  }

  private reportRunaway(site: number): never {
    const times = this.watch.maxVisits.toLocaleString('en')
    return this.kernel.fail(
      'livelock',
      `a loop makes no progress: ${times} times round without a preemption point`,
      site,
    )
  }
}
