import { kinds, Mode, Op, operations } from '../../../machine/operation.js'
import { rulesAccept } from '../../../machine/points.js'
import { LogWord } from '../artifact.js'
import { UnsupportedError } from '../toolchain/errors.js'
import { refuseWaiting } from './interrupts.js'
import type { Kernel, PreemptionPart, WeakPart } from './kernel.js'
import { STOP, STOP_ALWAYS } from './stops.js'
import { ALWAYS, MAY_WAKE, SOURCES, WOKEN } from './thread-states.js'

/**
 * By operation kind: 1 when doing it shows that a thread does not spin. A thread about to do it cannot go on otherwise,
 * so it can be taken as done.
 */
const isChange = kinds(({ mode, varies, idle }) => mode !== Mode.read && !varies && !idle)

// Whether a transaction changes anything shows when it has ended.
isChange[Op.txBegin] = 0

/** A store may leave what is there: `Spins` finds out. */
function isStore(kind: number): boolean {
  return kind === Op.store || kind === Op.atomicStore
}

/** Where the running thread stops, and lets the driver say who goes on. */
export class Preemption implements PreemptionPart {
  /** Who goes on after the thread that was just left. */
  next = -1
  /** The running thread must stop before whatever visible operation it does next. */
  forced = false
  /** The running thread was stopped at a loop header in the name of its next operation, which must not stop again. */
  skip = false

  constructor(private readonly kernel: Kernel) {}

  /**
   * Announces an operation of the running thread and stops before it, if it is a preemption point or cannot be done
   * now. True when the thread was left: the caller must return at once, and is called again later in phase `phase`.
   */
  stopsBefore(kind: number, location: number, condition: number, object: number, phase = 1): boolean {
    const { kernel } = this
    const thread = kernel.running
    const { pending, states } = kernel
    if (kernel.checks.isRunning) kernel.checks.refuse(kind)
    pending.kind[thread] = kind
    pending.location[thread] = location
    const site = (pending.site[thread] = kernel.glue.callSite())
    states.condition[thread] = condition
    states.object[thread] = object
    kernel.value = 0
    if (kernel.transactions?.isOpen) {
      kernel.transactions.pass(kind, location)
      return false
    }
    if (isChange[kind] === 1 && !kernel.journal.isPassing) kernel.disturb()
    if (this.skip) {
      this.skip = false
      if (kernel.glue.logLength() === 0 && condition !== MAY_WAKE) return false
    }
    const wanted = !this.isInSection(kind) && (this.forced || this.isPoint(kind, site))
    if ((!wanted || kernel.constructing) && kernel.alternatives(thread) === 1) return false
    if (kernel.constructing) {
      kernel.fail('deadlock', `a constructor waits for ever: ${operations[kind].name}`, site)
    }
    if (!wanted) this.probe(thread)
    return this.ask(phase)
  }

  /**
   * Whether the running thread is in an atomic section, in which it stops only if it has to wait. Another thread could
   * come in where it has a choice, so there must be none.
   */
  private isInSection(kind: number): boolean {
    const { kernel } = this
    const thread = kernel.running
    if (kernel.states.sections[thread] === 0) return false
    if (kernel.alternatives(thread) === 0)
      refuseWaiting(kernel, `has to wait (${operations[kind].name})`, kernel.pending.site[thread])
    if (kind === Op.join || kind === Op.condReturn) return false
    if (kernel.alternatives(thread) > 1) {
      const what = `${operations[kind].name} with several outcomes in an atomic section`
      throw new UnsupportedError(`the program uses ${what}, which Faultline does not provide`, [what])
    }
    return true
  }

  /** The transition ends here because of the state of an object: see `Op.probe`. */
  private probe(thread: number): void {
    const { kernel } = this
    const location = kernel.pending.location[thread]
    const isWaiting = kernel.states.condition[thread] === WOKEN && kernel.states.signalled[thread] === 0
    if (location < 0 || isWaiting) return
    kernel.record(Op.probe, Mode.read, location, -1)
    if (kernel.states.cancellable[thread] === 1) kernel.cancellation.look(Op.probe)
    kernel.disturb()
  }

  private isPoint(kind: number, site: number): boolean {
    const { kernel } = this
    const { stops } = kernel
    const before = stops.before[kind]
    if (before === STOP_ALWAYS) return true
    if (before !== STOP && !(site >= 0 && this.isFlagged(site))) return false
    return this.rulesAccept()
  }

  private isFlagged(site: number): boolean {
    const { kernel } = this
    const flag = kernel.stops.flags[site]
    return (
      flag !== 0 && ((flag & 1) !== 0 || kernel.stops.holdsFor(site, kernel.threads.names[kernel.running]))
    )
  }

  private rulesAccept(): boolean {
    const { kernel } = this
    const { rules } = kernel.stops
    return rules.length === 0 || rulesAccept(rules, kernel.stackOf(kernel.running))
  }

  /** Whether a library function reads what nobody can write: most of what is printed. */
  private isConstant(word: number, address: number, size: number): boolean {
    const { log, artifact } = this.kernel
    return (
      log.isConstant(address, size) &&
      (word & LogWord.wrote) === 0 &&
      artifact.sites[word & LogWord.siteMask].kind === 'call'
    )
  }

  /** `fl.point`: the running thread is about to access memory. */
  point(word: number, address: number, size: number): void {
    const { kernel } = this
    if (kernel.coroutines.rewinding) {
      kernel.phase()
      kernel.weak?.perform(kernel.value)
      return
    }
    const site = word & LogWord.siteMask
    const thread = kernel.running
    const { pending } = kernel
    if (kernel.own && size !== 0 && !kernel.own.holds(site, address >>> 0, size >>> 0)) {
      kernel.fail('trap', 'access outside memory', site)
    }
    if (kernel.checks.isRunning) {
      if (kernel.glue.logLength() >= kernel.artifact.layout.logSize) kernel.checks.takeReads('of the program')
      return
    }
    if (kernel.blockStacks.isOn) kernel.blockStacks.noteAccess(kernel.placeOf(site))
    if (this.isConstant(word, address, size)) {
      this.makeRoom()
      return
    }
    if (kernel.weak !== null && kernel.transactions?.isOpen) {
      kernel.weak.touch(word, address >>> 0, size)
      this.makeRoom()
      return
    }
    if (kernel.weak !== null && !kernel.constructing) {
      this.weakPoint(kernel.weak, word, address >>> 0, size)
      return
    }
    const inSection = kernel.states.sections[thread] > 0
    if (inSection || (!this.forced && (kernel.constructing || !this.isFlagged(site)))) {
      this.makeRoom()
      return
    }
    if (this.skip) {
      this.skip = false
      if (kernel.glue.logLength() === 0) return
    }
    pending.kind[thread] = kernel.log.kindOf(word)
    pending.location[thread] = kernel.log.locationOf(address, size)
    pending.site[thread] = site
    kernel.states.condition[thread] = ALWAYS
    if (isChange[pending.kind[thread]] === 1 && !isStore(pending.kind[thread])) kernel.disturb()
    if (!this.forced && !this.rulesAccept()) {
      this.makeRoom()
      return
    }
    this.ask(1)
  }

  /** The same under a weak memory model: every access asks, whether or not it is a point. */
  private weakPoint(weak: WeakPart, word: number, address: number, size: number): void {
    const { kernel } = this
    const { pending } = kernel
    const thread = kernel.running
    const site = word & LogWord.siteMask
    kernel.log.drain(thread)
    // Every thread has its own, at one address.
    if (address === kernel.artifact.layout.errno && address !== 0) return
    weak.announce(word, address, size)
    pending.kind[thread] = kernel.log.kindOf(word)
    pending.location[thread] = kernel.log.locationOf(address, size)
    pending.site[thread] = site
    kernel.states.condition[thread] = weak.hasChoice(thread) ? SOURCES : ALWAYS
    if (isChange[pending.kind[thread]] === 1 && !isStore(pending.kind[thread])) kernel.disturb()
    const isPoint = !weak.isMute(thread) && (this.forced || (this.isFlagged(site) && this.rulesAccept()))
    if (isPoint || kernel.alternatives(thread) !== 1) {
      if (this.ask(1)) return
    } else kernel.value = 0
    weak.perform(kernel.value)
  }

  private makeRoom(): void {
    const { kernel } = this
    if (kernel.glue.logLength() < kernel.artifact.layout.logSize) return
    if (kernel.constructing) kernel.glue.takeLog()
    else if (kernel.log.drain(kernel.running)) this.skip = false
  }

  /** Lets a thread waiting at a loop header, or any other, run first; see `point` and `stopsBefore`. */
  ask(phase: number): boolean {
    const { kernel } = this
    const thread = kernel.running
    if (this.forced) this.release()
    // Faults are found in the log: it is looked at before each choice, so that a failure ends the same transition
    // whether footprints are on or off.
    kernel.log.drain(thread)
    kernel.checks.afterTransition()
    const next = kernel.decide()
    if (next === thread) {
      kernel.value = kernel.driver.value
      this.beginTransition(thread)
      return false
    }
    this.skip = false
    this.next = next
    kernel.coroutines.leave(thread, phase)
    return true
  }

  beginTransition(thread: number): void {
    const { kernel } = this
    kernel.loopHeaders.beginTransition(thread)
    kernel.log.lookBefore(kernel.pending.kind[thread], kernel.pending.location[thread])
    if (kernel.spins.blocked[thread] === 1) kernel.loopHeaders.resume(thread)
  }

  /** The running thread has let another one run: it stops before its next visible operation. */
  stopNext(): void {
    const { kernel } = this
    if (this.forced || kernel.stops.everywhere || kernel.constructing) return
    this.forced = true
    kernel.memory.bytes.set(kernel.stops.forced, kernel.artifact.layout.flags)
  }

  /** The running thread has released a lock. */
  released(): void {
    if (this.kernel.stops.afterUnlock && this.rulesAccept()) this.stopNext()
  }

  release(): void {
    this.forced = false
    this.writeFlags()
  }

  writeFlags(): void {
    const { kernel } = this
    const { flags } = kernel.artifact.layout
    const isAsked = kernel.keepsStacks || kernel.weak !== null
    kernel.memory.bytes.set(isAsked ? kernel.stops.forced : kernel.stops.flags, flags)
  }
}
