import { createHash } from 'node:crypto'
import type { Bug, Wait } from '../../../machine/bug.js'
import type { Driver, Inspection, Machine, Output, RunnableThreads } from '../../../machine/machine.js'
import { operations } from '../../../machine/operation.js'
import { platformMark, waitAlternatives } from '../../../machine/platform.js'
import { everywhere, type PointRule, type PointSet } from '../../../machine/points.js'
import { startsApart, stepsMark } from '../../../machine/transactions.js'
import type { GraphSource } from '../../../memory/graph-source.js'
import type { Annotations } from './annotations.js'
import { callFrames, openCalls, withLibrary } from './call-stack.js'
import { describeWait, localAt } from './describe.js'
import { finalState } from './final-state.js'
import { findLeak } from './leaks.js'
import type { LeftOut } from './left-out.js'
import { asksForWritersFirst, platformOf, takesReadLocks } from './platform-control.js'
import type { ProgramKernel } from './program-kernel.js'
import type { Recall } from './recall.js'
import type { ReaderWriterLocks } from './rwlocks.js'
import type { Signals } from './signals.js'
import type { StartTypes } from './start-types.js'
import { subset } from './subsets.js'
import type { System } from './system.js'
import { BEGINS, MAY_WAKE, SOURCES, SUBSETS, WAITERS } from './thread-states.js'
import { valueAt } from './values.js'
import { graphSourceOf } from './weak/graph-source.js'

/** A machine that also tells which threads had not ended when the program did. */
export interface WasmMachine extends Machine {
  /** Canonical names, in order of creation. */
  readonly unfinished: readonly string[]
  /** Rules about points that the program brings along; they come before those of the user. */
  readonly rules: readonly PointRule[]
  /** What the author of the program should know, as far as it has shown. */
  readonly warnings: readonly string[]
}

/** A program as the machine that searches drive. */
export class ProgramMachine implements WasmMachine {
  readonly threads
  readonly locations
  readonly pending
  readonly events
  readonly sites
  readonly checkpoints
  readonly platform
  readonly longAccesses
  readonly inspection
  readonly graphSource: GraphSource

  private wantsFootprints = true

  constructor(
    private readonly kernel: ProgramKernel,
    private readonly recall: Recall,
    private readonly system: System,
    private readonly annotations: Annotations,
    private readonly signals: Signals,
    private readonly startTypes: StartTypes,
    private readonly rwlocks: ReaderWriterLocks,
    private readonly leftOut: LeftOut | undefined,
    readonly name: string,
    private readonly baseHash: string,
    private readonly traits: {
      readonly leaks: boolean
      readonly isCompound: boolean
      readonly hasInvariants: boolean
      readonly hasRegions: boolean
      /** What the program uses that weak memory models know nothing of, in words. */
      readonly notWeak: readonly string[]
    },
  ) {
    this.threads = kernel.threads
    this.locations = kernel.locations
    this.pending = kernel.pending
    this.events = kernel.events
    this.sites = withLibrary(kernel.artifact.sites)
    this.checkpoints = {
      goBack: (driver: Driver, shared: number) =>
        recall.serves(driver) ? recall.goBack(driver, shared) : kernel.goBack(driver, shared),
    }
    this.platform = platformOf(kernel, recall, rwlocks, leftOut, traits.notWeak)
    this.longAccesses = kernel.log.longAccesses
    this.inspection = inspectionOf(kernel, recall)
    this.graphSource = graphSourceOf(kernel, recall)
  }

  get hash(): string {
    const { transactions, weak } = this.kernel
    const startsAreSteps = transactions !== null && weak === null && startsApart(transactions.causes)
    const mark = platformMark(this.platform.settings) + (startsAreSteps ? stepsMark : '')
    return mark === '' ? this.baseHash : createHash('sha256').update(`${this.baseHash}${mark}`).digest('hex')
  }

  /** Rules about points that the program brings along. */
  get rules(): readonly PointRule[] {
    return this.annotations.rules
  }

  get warnings(): readonly string[] {
    const complaint = this.leftOut?.complaint
    return complaint ? [...this.startTypes.warnings, complaint] : this.startTypes.warnings
  }

  get needsEverywhere(): boolean {
    // Who waits to write matters to readers, though it takes no lock yet.
    const { kernel } = this
    const isQueueing = (this.rwlocks.preferWriters || asksForWritersFirst(kernel)) && takesReadLocks(kernel)
    // Regions without interrupts commute: the order of two of them is not explored, and may hide a race.
    const { hasInvariants, hasRegions } = this.traits
    return this.kernel.heap.mode === 'reuse' || hasInvariants || hasRegions || isQueueing
  }

  get isCompound(): boolean | 'transactions' {
    const { transactions, weak, heap, stops } = this.kernel
    if (weak !== null || heap.mode === 'reuse' || this.traits.isCompound || stops.hasVaryingWords) return true
    return transactions !== null && (startsApart(transactions.causes) ? 'transactions' : true)
  }

  get footprints(): boolean {
    return this.wantsFootprints
  }

  set footprints(on: boolean) {
    this.wantsFootprints = on
    this.recall.areEventsRead = on
    // To do things from memory, what they do must be known.
    this.kernel.footprints = on || this.recall.isWorthwhile
  }

  get bug(): Bug | null {
    return this.kernel.bug
  }

  get assumptionFailed(): boolean {
    return this.recall.isHere && (this.annotations.assumptionFailed || this.signals.isDue)
  }

  get output(): string {
    this.recall.catchUp()
    return this.system.output
  }

  get outputs(): readonly Output[] {
    this.recall.catchUp()
    return this.system.outputs
  }

  get unfinished(): readonly string[] {
    this.recall.catchUp()
    return this.kernel.unfinished()
  }

  set mayRecall(may: boolean) {
    this.recall.isAllowed = may
  }

  points: PointSet = everywhere

  usePoints(points: PointSet): void {
    this.points = points
    this.recall.usePoints(JSON.stringify(points))
    this.kernel.usePoints(points)
  }

  run(driver: Driver): void {
    if (this.recall.serves(driver)) this.recall.run(driver)
    else {
      this.recall.leave()
      this.kernel.run(driver)
    }
  }

  alternatives(thread: number): number {
    return this.recall.isHere ? this.kernel.alternatives(thread) : this.recall.alternatives(thread)
  }

  get ableThreads(): number {
    return this.recall.isHere ? 0 : this.recall.ableThreads
  }

  get goesAlone(): boolean {
    return !this.recall.isHere
  }

  collect(into: RunnableThreads): boolean {
    return !this.recall.isHere && this.recall.collect(into)
  }

  alternativeName(thread: number, value: number): string {
    // Threads that have another choice are never left to memory.
    if (!this.recall.isHere && this.recall.isAboutToAccess(thread)) this.recall.catchUp()
    if (!this.recall.isHere) return String(value)
    const { states, waiters } = this.kernel
    const condition = states.condition[thread]
    if (condition === MAY_WAKE) return waitAlternatives[value]
    if (condition === BEGINS) return this.kernel.transactions!.alternativeName(value)
    if (condition === SOURCES) return this.kernel.weak!.alternativeName(thread, value)
    if (condition !== WAITERS && condition !== SUBSETS) return String(value)
    const object = states.object[thread]
    const places =
      condition === WAITERS ? [value] : subset(waiters.count(object), states.wanted[thread], value)
    const woken = places.map((place) => waiters.at(object, place)).filter((waiter) => waiter >= 0)
    return woken.length === 0
      ? 'wakes nobody'
      : `wakes ${woken.map((waiter) => this.threads.names[waiter]).join(' and ')}`
  }

  checkEnd(): Bug | null {
    // A program with checks at the end is never done from memory.
    if (!this.recall.isHere) return null
    return this.kernel.checks.atEnd() ?? (this.traits.leaks ? findLeak(this.kernel) : null)
  }

  waitOf(thread: number): Wait {
    this.recall.catchUp()
    if (this.alternatives(thread) > 0) {
      const what = operations[this.pending.kind[thread]].name
      throw new Error(`thread ${this.threads.names[thread]} does not wait: it can ${what} now`)
    }
    return describeWait(this.kernel, thread)
  }

  stackOf(thread: number): readonly string[] {
    this.recall.catchUp()
    return this.kernel.stackOf(thread)
  }

  describeLocation(location: number): string {
    return this.kernel.describe(location)
  }

  finalState(): string {
    this.recall.catchUp()
    return finalState(this.kernel, this.system.output, this.footprints)
  }
}

function inspectionOf(kernel: ProgramKernel, recall: Recall): Inspection {
  return {
    get keepsStacks() {
      return kernel.keepsStacks
    },
    set keepsStacks(on) {
      recall.forget()
      kernel.keepsStacks = on
    },
    framesOf(thread, site = kernel.pending.site[thread]) {
      recall.catchUp()
      // An access is found to be wrong only when the log is read, when its thread may be elsewhere.
      const then = site === kernel.bug?.site ? kernel.blockStacks.callsAt(thread, site) : undefined
      return callFrames(kernel.artifact.sites, site, then ?? openCalls(kernel, thread))
    },
    valueAt(location) {
      recall.catchUp()
      return valueAt(kernel, location)
    },
    localAt(location) {
      recall.catchUp()
      return localAt(kernel, location)
    },
  }
}
