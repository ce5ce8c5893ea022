import { MOST_EVENTS, THREAD_LIVE } from '../../../machine/machine.js'
import { Mode, Op } from '../../../machine/operation.js'
import { Endless, LONG } from './endless.js'
import { refuseWaiting } from './interrupts.js'
import type { Kernel, LoopHeaderPart } from './kernel.js'
import type { LoopWatch } from './loop-watch.js'
import { spinCandidates } from './spin-candidates.js'
import { ALWAYS } from './thread-states.js'

/** A thread that has done less than this in a transition computes, whatever loops it is in. */
const FEWEST_IN_A_LOOP = 32

/** What happens at the headers of loops: a thread that spins is stopped there, and one that goes round for ever. */
export class LoopHeaders implements LoopHeaderPart {
  watch!: LoopWatch
  private readonly endless: Endless
  /** By site of a loop. */
  private readonly canSpin: Uint8Array
  /** What threads had done when the transition began. */
  private doneBefore = 0
  private readonly state = { pointer: 0, top: 0, spill: 0, spillWords: 0 }

  constructor(private readonly kernel: Kernel) {
    this.endless = new Endless(kernel)
    this.canSpin = spinCandidates(kernel.artifact)
    this.state.spill = kernel.artifact.layout.spill
  }

  beginExecution(): void {
    this.forget()
  }

  forget(): void {
    this.endless.forget()
  }

  beginTransition(thread: number): void {
    const { paused, rounds } = this.kernel.states
    if (paused[thread] === 0) this.watch.beginTransition(0, 0)
    else this.watch.beginTransition(paused[thread] - 1, rounds[thread])
    paused[thread] = 0
    this.doneBefore = this.kernel.log.taken + this.kernel.journal.records
  }

  /** `fl.loop`: the running thread is at a loop header. */
  arrive(site: number, again: boolean, words: number): void {
    const { kernel } = this
    const thread = kernel.running
    if (kernel.coroutines.rewinding) {
      kernel.phase()
      if (kernel.pending.kind[thread] === Op.pause) kernel.journal.recordIdle(Op.pause)
      else this.skipNext(kernel.spins.firstKind(thread))
      return
    }
    if (kernel.checks.isRunning) {
      kernel.checks.loop(site)
      return
    }
    const mustLook = this.watch.arrive()
    if (kernel.transactions?.isOpen) {
      kernel.transactions.loop(this.watch.visits)
      return
    }
    if (!mustLook) {
      if (!kernel.constructing) kernel.driver.pause?.()
      if (this.watch.isExhausted) this.reportRunaway(site)
      kernel.spins.ignore(thread)
      this.endless.forget()
      if (this.mustPause(thread)) this.pause(thread, site)
      return
    }
    if (kernel.constructing) return
    if (kernel.begun > LONG && kernel.weak === null && this.endless.visitHeader(site, again, words))
      this.reportCycle(site)
    if (this.canSpin[site] === 0) return
    if (kernel.log.drain(thread)) kernel.preemption.skip = false
    kernel.transactions?.look()
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
    if (!spins.visit(thread, site, again, glue.shadow(), kernel.memory.words, state)) return
    refuseWaiting(kernel, 'waits in a loop', site)
    kernel.follower?.spun()
    const kind = spins.firstKind(thread)
    // It stops there in any case, since it may abort.
    if (kind === Op.txBegin) return
    pending.kind[thread] = kind < 0 ? Op.userPoint : kind
    pending.location[thread] = spins.firstLocation(thread)
    pending.site[thread] = kind < 0 ? site : spins.firstSite(thread)
    kernel.states.condition[thread] = ALWAYS
    if (!kernel.preemption.ask(1)) this.skipNext(kind)
  }

  /** The thread has stopped in the name of its next operation. Under a weak memory model that has a choice of its own. */
  private skipNext(kind: number): void {
    const { preemption, weak } = this.kernel
    preemption.skip = kind >= 0 && weak === null
  }

  /** Whether the running thread has gone round for long, and has done something that others may see. */
  private mustPause(thread: number): boolean {
    const { kernel } = this
    const { states, events } = kernel
    if (kernel.constructing || states.sections[thread] > 0) return false
    kernel.log.drain(thread)
    if (events.count > MOST_EVENTS) return true
    // Not by who else could run, though it matters only then: reductions exchange steps of others, and must find as many.
    return kernel.log.taken + kernel.journal.records - this.doneBefore >= FEWEST_IN_A_LOOP
  }

  private canOthersRun(thread: number): boolean {
    const { kernel } = this
    const { status, kind } = kernel.pending
    return kernel.set.created.some(
      (other) =>
        other !== thread &&
        status[other] === THREAD_LIVE &&
        kind[other] !== Op.processExit &&
        kernel.alternatives(other) > 0,
    )
  }

  /** See `Op.pause`. */
  private pause(thread: number, site: number): void {
    const { pending, states, preemption, journal } = this.kernel
    pending.kind[thread] = Op.pause
    pending.location[thread] = -1
    pending.site[thread] = site
    states.condition[thread] = ALWAYS
    states.paused[thread] = 1 + this.watch.doubled
    states.rounds[thread] = this.watch.visits
    if (!preemption.ask(1)) journal.recordIdle(Op.pause)
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
    kernel.weak?.freshen(thread)
    spins.resume(thread)
  }

  private reportCycle(site: number): never {
    return this.kernel.fail(
      'livelock',
      'a loop makes no progress: a round of it leaves everything as it was, and no other thread can go on',
      site,
    )
  }

  /** While others can run, one of them may be what the loop waits for: nothing is known of it. */
  private reportRunaway(site: number): never {
    const { kernel } = this
    refuseWaiting(kernel, 'is in a loop for too long', site)
    if (this.canOthersRun(kernel.running)) {
      kernel.driver.cut?.()
      return kernel.failures.leave()
    }
    const times = this.watch.maxVisits.toLocaleString('en')
    return this.kernel.fail(
      'livelock',
      `a loop makes no progress: ${times} times round without a preemption point`,
      site,
    )
  }
}
