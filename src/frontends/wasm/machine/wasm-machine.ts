import { createHash } from 'node:crypto'
import { basename, extname } from 'node:path'
import type { Bug, Wait } from '../../../machine/bug.js'
import type {
  Driver,
  Inspection,
  Machine,
  Output,
  PlatformControl,
  RunnableThreads,
} from '../../../machine/machine.js'
import { operations } from '../../../machine/operation.js'
import { type Platform, platformMark, waitAlternatives } from '../../../machine/platform.js'
import { everywhere, type PointRule, type PointSet } from '../../../machine/points.js'
import { formatAbortCauses, parseAbortCauses } from '../../../machine/transactions.js'
import type { GraphSource } from '../../../memory/graph-source.js'
import type { Artifact } from '../artifact.js'
import { type HostCall, provided, type SystemCall } from '../provided-calls.js'
import { BuildError, UnsupportedError } from '../toolchain/errors.js'
import { unseenCalls } from '../unseen-calls.js'
import { Allocation } from './allocation.js'
import { Annotations } from './annotations.js'
import { Barriers } from './barriers.js'
import { callFrames, openCalls, withLibrary } from './call-stack.js'
import type { CheckpointPolicy } from './checkpoints.js'
import { compileModule } from './compile-module.js'
import { Conditions } from './conditions.js'
import { describeWait } from './describe.js'
import { finalState } from './final-state.js'
import { Futexes } from './futexes.js'
import { withInitialMemory } from './initial-memory.js'
import { Keys } from './keys.js'
import { Latches } from './latches.js'
import { findLeak } from './leaks.js'
import { LeftOut } from './left-out.js'
import { Lifecycle } from './lifecycle.js'
import { DEFAULT_MAX_LOOP_VISITS } from './loop-watch.js'
import { memoryMap } from './memory-map.js'
import { Mutexes } from './mutexes.js'
import { OwnLocks } from './own-locks.js'
import { PhaseBarriers } from './phase-barriers.js'
import { PAGE, type ProgramExports } from './program.js'
import { ProgramKernel } from './program-kernel.js'
import { Recall, type RecallPolicy } from './recall.js'
import { spoiling } from './recallable.js'
import { ReaderWriterLocks } from './rwlocks.js'
import { Semaphores } from './semaphores.js'
import { SpinLocks } from './spinlocks.js'
import { StartTypes } from './start-types.js'
import { subset } from './subsets.js'
import { System } from './system.js'
import { ThreadLabels } from './thread-labels.js'
import { BEGINS, MAY_WAKE, SOURCES, SUBSETS, WAITERS } from './thread-states.js'
import { Transactions } from './transactions.js'
import { valueAt } from './values.js'
import { WasiThreads } from './wasi-threads.js'
import { graphSourceOf } from './weak/graph-source.js'

export interface WasmMachineOptions {
  /** Name of the program, for people; without folder and extension it is the program's argument 0. */
  readonly name?: string
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Bytes a program may print in one execution. */
  readonly maxOutput?: number
  /** How often a transition may come to a loop header before the program is said to make no progress. */
  readonly maxLoopVisits?: number
  /** What is not given is as usual. */
  readonly platform?: Partial<Platform>
  /** Blocks that are not freed when the program ends are bugs. */
  readonly leaks?: boolean
  /** Whether executions begin where they leave the last one; makes no difference but in time. `worthwhile` unless given. */
  readonly checkpoints?: CheckpointPolicy
  /** Whether known transitions are done from memory; makes no difference but in time. `worthwhile` unless given. */
  readonly recall?: RecallPolicy
}

/** A machine that also tells which threads had not ended when the program did. */
export interface WasmMachine extends Machine {
  /** Canonical names, in order of creation. */
  readonly unfinished: readonly string[]
  /** Rules about points that the program brings along; they come before those of the user. */
  readonly rules: readonly PointRule[]
  /** What the author of the program should know, as far as it has shown. */
  readonly warnings: readonly string[]
}

/** Imports of programs whose transitions do more than they announce: atomic sections, invariants, own locks, requests to end. */
const compounding: ReadonlySet<string> = new Set([
  'fl_atomic_begin',
  'fl_invariant',
  'fl_own_lock',
  '__wrap_pthread_cancel',
])

/** Calls of programs that are refused under weak memory models, and what they are for. */
const notWeak: Readonly<Record<string, string>> = {
  fl_xbegin: 'transactions',
  fl_atomic_begin: 'atomic sections',
  fl_invariant: 'invariants',
  __wrap_pthread_cancel: 'pthread_cancel',
  fl_atomic_wait: 'waiting on atomics',
}

const DEFAULT_MAX_OUTPUT = 1 << 20

/** Makes a machine of a program: instantiates it, runs its constructors and records its initial state. */
export async function wasmMachine(
  artifact: Artifact,
  options: WasmMachineOptions = {},
): Promise<WasmMachine> {
  const module = await compileModule(withFirstMemory(artifact))
  refuseUnknownImports(module)
  const name = options.name ?? artifact.build.sources[0] ?? 'program'
  const input = {
    // Not where the program lies, so that schedules replay elsewhere.
    name: basename(name, extname(name)),
    args: options.args ?? [],
    environment: options.environment ?? {},
    stdin: options.stdin ?? '',
    maxOutput: options.maxOutput ?? DEFAULT_MAX_OUTPUT,
  }
  const kernel = new ProgramKernel(
    artifact,
    options.maxLoopVisits ?? DEFAULT_MAX_LOOP_VISITS,
    options.checkpoints ?? 'worthwhile',
  )
  kernel.cancellation.usesCancel = hasImport(module, (name) => name === '__wrap_pthread_cancel')
  kernel.state.seesClocks = hasImport(module, (name) => name.startsWith('clock_') || name === 'poll_oneoff')
  kernel.scheduling.isUsed = hasImport(module, (name) => name.startsWith('__wrap_pthread_setsched'))
  const hasTransactions = hasImport(module, (name) => name === 'fl_xbegin')
  const transactions = new Transactions(kernel)
  if (hasTransactions) {
    kernel.transactions = transactions
    if (kernel.cancellation.usesCancel)
      throw new UnsupportedError(
        'the program uses transactions and pthread_cancel, of which Faultline provides either',
        ['pthread_cancel'],
      )
  }
  const system = new System(kernel, input)
  const keys = new Keys(kernel)
  const mutexes = new Mutexes(kernel)
  const annotations = new Annotations(kernel)
  const labels = new ThreadLabels(kernel)
  const startTypes = new StartTypes(artifact.functions)
  const futexes = new Futexes(kernel)
  const semaphores = new Semaphores(kernel)
  const rwlocks = new ReaderWriterLocks(kernel)
  const env: Record<HostCall, (...args: never[]) => unknown> = {
    ...mutexes.calls,
    ...new Conditions(kernel, mutexes).calls,
    ...rwlocks.calls,
    ...new SpinLocks(kernel).calls,
    ...semaphores.calls,
    ...semaphores.libraryCalls,
    ...new Latches(kernel).calls,
    ...new PhaseBarriers(kernel).calls,
    ...new Barriers(kernel).calls,
    ...new Lifecycle(kernel, labels, startTypes).calls,
    ...keys.calls,
    ...new Allocation(kernel).calls,
    ...system.calls,
    ...futexes.libraryCalls,
    ...annotations.calls,
    ...labels.calls,
    ...kernel.cancellation.calls,
    ...kernel.scheduling.calls,
    ...kernel.checks.calls,
    ...kernel.ownBlocks.calls,
    ...kernel.objectNames.calls,
    ...new OwnLocks(kernel).calls,
    ...transactions.calls,
  }
  const wasi: Record<SystemCall, (...args: never[]) => unknown> = system.systemCalls
  const fl = {
    point: (word: number, address: number, size: number) => kernel.preemption.point(word, address, size),
    loop: (site: number, again: number, words: number) => kernel.loopHeaders.arrive(site, again !== 0, words),
    overflow: (site: number) => kernel.failures.overflow(site),
    grow: (pages: number) => kernel.own?.grow(pages >>> 0) ?? -1,
    ...futexes.calls,
  }
  // What can be done from memory is known only after the program was instantiated.
  let recall: Recall | undefined
  const spoil = () => recall?.spoil()
  const { whatIf = '' } = options.platform ?? {}
  const leftOut = whatIf === '' ? undefined : new LeftOut(kernel, whatIf)
  const inTransactions = (calls: Parameters<typeof transactions.wrap>[0]) =>
    hasTransactions ? transactions.wrap(calls) : calls
  const instance = await instantiate(module, {
    env: spoiling(inTransactions(leftOut ? leftOut.wrap(env) : env), spoil),
    wasi_snapshot_preview1: spoiling(inTransactions(wasi), spoil),
    wasi: spoiling(new WasiThreads(kernel).calls, spoil),
    fl: spoiling(fl, spoil),
  })
  kernel.attach(instance.exports as unknown as ProgramExports)
  keys.keep()
  // What a thread found must be in the event log, or two executions that differ would be taken for the same.
  const isAllSeen = unseenCalls(artifact).length === 0
  const canRecall =
    kernel.own === undefined && options.leaks !== true && isAllSeen && kernel.transactions === null
  recall = new Recall(
    kernel,
    canRecall ? (options.recall ?? 'worthwhile') : 'off',
    () => annotations.assumptionFailed,
  )
  const machine = new ProgramMachine(
    kernel,
    recall,
    system,
    annotations,
    startTypes,
    rwlocks,
    leftOut,
    name,
    hashOf(artifact, input),
    {
      leaks: options.leaks ?? false,
      isCompound: hasImport(module, (name) => compounding.has(name)),
      hasInvariants: hasImport(module, (name) => name === 'fl_invariant'),
      notWeak: Object.keys(notWeak)
        .filter((call) => hasImport(module, (name) => name === call))
        .map((call) => notWeak[call]),
    },
  )
  machine.platform.use(options.platform ?? {})
  return machine
}

/** A module with a memory of its own can tell how large it is. */
function withFirstMemory({ wasm, layout }: Artifact): Uint8Array<ArrayBuffer> {
  return layout.own ? wasm : withInitialMemory(wasm, memoryMap(layout).firstEnd / PAGE)
}

function hasImport(module: WebAssembly.Module, isWanted: (name: string) => boolean): boolean {
  return WebAssembly.Module.imports(module).some(({ name }) => isWanted(name))
}

/** Segments that do not fit are the fault of whoever made the module. */
async function instantiate(module: WebAssembly.Module, imports: object): Promise<WebAssembly.Instance> {
  try {
    return await WebAssembly.instantiate(module, imports as WebAssembly.Imports)
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof WebAssembly.LinkError)) throw error
    throw new BuildError(`the module cannot be instantiated: ${error.message}`)
  }
}

function refuseUnknownImports(module: WebAssembly.Module): void {
  const unknown = WebAssembly.Module.imports(module).filter(
    (item) => item.module !== 'fl' && !provided[item.module]?.includes(item.name),
  )
  if (unknown.length === 0) return
  const names = unknown.map((item) => item.name.replace(/^__wrap_/, ''))
  throw new UnsupportedError(`the program calls ${names.join(', ')}, which Faultline does not provide`, names)
}

function hashOf(artifact: Artifact, input: object): string {
  return createHash('sha256').update(artifact.hash).update(JSON.stringify(input)).digest('hex')
}

class ProgramMachine implements WasmMachine {
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

  constructor(
    private readonly kernel: ProgramKernel,
    private readonly recall: Recall,
    private readonly system: System,
    private readonly annotations: Annotations,
    private readonly startTypes: StartTypes,
    private readonly rwlocks: ReaderWriterLocks,
    private readonly leftOut: LeftOut | undefined,
    readonly name: string,
    private readonly baseHash: string,
    private readonly traits: {
      readonly leaks: boolean
      readonly isCompound: boolean
      readonly hasInvariants: boolean
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
    this.graphSource = graphSourceOf(kernel)
  }

  get hash(): string {
    const mark = platformMark(this.platform.settings)
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
    const isQueueing = this.rwlocks.preferWriters && takesReadLocks(this.kernel)
    return this.kernel.heap.mode === 'reuse' || this.traits.hasInvariants || isQueueing
  }

  get isCompound(): boolean | 'transactions' {
    const isWeak = this.kernel.weak !== null
    return (
      isWeak ||
      this.kernel.heap.mode === 'reuse' ||
      this.traits.isCompound ||
      this.kernel.stops.hasVaryingWords ||
      (this.kernel.transactions !== null && 'transactions')
    )
  }

  get footprints(): boolean {
    return this.kernel.footprints
  }

  set footprints(on: boolean) {
    this.kernel.footprints = on
  }

  get bug(): Bug | null {
    return this.kernel.bug
  }

  get assumptionFailed(): boolean {
    return this.recall.isHere && this.annotations.assumptionFailed
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
    this.recall.forget()
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

  get goesAlone(): boolean {
    return !this.recall.isHere
  }

  collect(into: RunnableThreads): boolean {
    return !this.recall.isHere && this.recall.collect(into)
  }

  alternativeName(thread: number, value: number): string {
    // Threads that wait for such things are never left to memory.
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
    return finalState(this.kernel, this.system.output)
  }
}

function takesReadLocks({ artifact }: ProgramKernel): boolean {
  return artifact.sites.some(({ callee }) => /rwlock_\w*rdlock|lock_shared/.test(callee ?? ''))
}

/** A module with a memory of its own also brings its heap and its condition variables. */
function platformOf(
  kernel: ProgramKernel,
  recall: Recall,
  rwlocks: ReaderWriterLocks,
  leftOut: LeftOut | undefined,
  notWeak: readonly string[],
): PlatformControl {
  const readLocks = takesReadLocks(kernel)
  return {
    get settings() {
      const { own, heap, spuriousWakeups, lockErrors } = kernel
      if (own) return {}
      const { preferWriters } = rwlocks
      return {
        ...(kernel.weak === null ? {} : { memoryModel: kernel.memoryModel }),
        heap: heap.mode,
        spurious: spuriousWakeups.limit,
        ...(readLocks ? { preferWriters } : {}),
        lockErrors,
        ...(kernel.transactions ? { abortCodes: formatAbortCauses(kernel.transactions.causes) } : {}),
        ...(leftOut ? { whatIf: leftOut.place } : {}),
      }
    },
    ...(kernel.transactions ? { fixed: ['heap'] as const } : {}),
    use({ memoryModel, heap, spurious, preferWriters, lockErrors, whatIf, abortCodes }) {
      if (leftOut !== undefined && whatIf !== undefined) leftOut.place = whatIf
      if (memoryModel !== undefined && memoryModel !== kernel.memoryModel) {
        const [refused] = notWeak
        if (refused !== undefined) {
          throw new UnsupportedError(
            `the program uses ${refused}, which there is not under the memory model ${memoryModel}; leave --memory-model out`,
            [refused],
          )
        }
        kernel.useModel(memoryModel)
      }
      if (heap === 'reuse' && kernel.memoryModel !== 'sc')
        throw new UnsupportedError(
          `freed memory is not reused under the memory model ${kernel.memoryModel}`,
          ['--heap'],
        )
      if (heap === 'reuse' && kernel.transactions !== null)
        throw new UnsupportedError('freed memory is not reused in programs with transactions', ['--heap'])
      if (abortCodes !== undefined && kernel.transactions !== null)
        kernel.useAborts(parseAbortCauses(abortCodes))
      if (lockErrors !== undefined) kernel.lockErrors = lockErrors
      if (preferWriters !== undefined) rwlocks.preferWriters = preferWriters
      kernel.checkpoints.forget()
      recall.forget()
      if (heap !== undefined) kernel.heap.mode = heap
      if (spurious !== undefined) kernel.allowSpurious(spurious)
    },
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
  }
}
