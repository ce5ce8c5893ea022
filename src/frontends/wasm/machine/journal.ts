import { Mode, Op } from '../../../machine/operation.js'
import { WORD_SIZE } from '../artifact.js'
import type { JournalPart, Kernel } from './kernel.js'

/** What the running thread did: tells the event log, spin detection and the program's invariants. */
export class Journal implements JournalPart {
  /** The running thread is in a wait that it will leave as if nothing had been: see `Spins`. */
  isPassing = false
  /** Operations told of so far; never goes back. */
  records = 0

  constructor(private readonly kernel: Kernel) {}

  /** Logs an operation of the running thread on an object; `aux` as in the event log. */
  record(kind: number, mode: number, location: number, aux: number): void {
    const { kernel } = this
    const thread = kernel.running
    const { spins } = kernel
    this.records++
    kernel.log.drain(thread)
    kernel.preemption.skip = false
    const site = kernel.pending.site[thread]
    if (mode === Mode.read) {
      if (spins.watching[thread] === 1) spins.read(thread, location, kernel.events.count, kind, site)
    } else {
      if (this.isPassing && location >= 0) {
        spins.passThrough(thread, location, kernel.events.count, kind, site)
      } else {
        if (spins.watching[thread] === 1) spins.disturb(thread)
        if (location >= 0 && spins.open > 0) spins.changed(location)
      }
      if (location >= 0 && kernel.checks.isWatching) {
        kernel.checks.wrote(kernel.addresses.start[location], kernel.addresses.size[location], site)
      }
    }
    kernel.weak?.recorded(kind, mode, location, aux)
    if (kernel.footprints) kernel.events.push(kind, mode, location, site, aux)
  }

  /** Logs an operation that changes nothing at all, so that a spinning thread may do it. */
  recordIdle(kind: number): void {
    const { kernel } = this
    const thread = kernel.running
    this.records++
    kernel.log.drain(thread)
    kernel.preemption.skip = false
    const site = kernel.pending.site[thread]
    if (kernel.spins.watching[thread] === 1) kernel.spins.read(thread, -1, kernel.events.count, kind, site)
    if (kernel.footprints) kernel.events.push(kind, Mode.none, -1, site, -1)
  }

  /** The host reads or writes the program's memory for the running thread, if the program can tell. */
  hostAccess(what: string, address: number, size: number, wrote: boolean): void {
    const { kernel } = this
    if (kernel.own === undefined || size === 0) return
    kernel.faults.checkRange(what, address, size)
    if (wrote) kernel.own.touch(address, size)
    if (kernel.constructing) return
    kernel.pending.site[kernel.running] = kernel.glue.callSite()
    const location = kernel.addresses.locate(address, size)
    if (size > WORD_SIZE) kernel.log.sawLong(kernel.glue.callSite())
    this.record(wrote ? Op.store : Op.load, wrote ? Mode.write : Mode.read, location, -1)
  }

  /** The running thread changed something only it can see, so it is not spinning. */
  disturb(): void {
    const { kernel } = this
    if (kernel.spins.watching[kernel.running] === 1) kernel.spins.disturb(kernel.running)
  }

  /** Takes in what the running thread has logged, before something that changes what it means. */
  drain(): void {
    const { kernel } = this
    if (kernel.log.drain(kernel.running)) kernel.preemption.skip = false
  }
}
