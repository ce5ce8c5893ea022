import { createHash } from 'node:crypto'
import { basename, extname } from 'node:path'
import type { Platform } from '../../../machine/platform.js'
import type { Artifact } from '../artifact.js'
import { nativeEngine, type ProgramEngine } from '../program-engine.js'
import { type HostCall, provided, type SystemCall } from '../provided-calls.js'
import { UnsupportedError } from '../toolchain/errors.js'
import { unseenCalls } from '../unseen-calls.js'
import { Allocation } from './allocation.js'
import { Annotations } from './annotations.js'
import { Barriers } from './barriers.js'
import type { CheckpointPolicy } from './checkpoints.js'
import { compileModule } from './compile-module.js'
import { Conditions } from './conditions.js'
import { Files } from './files.js'
import { Futexes } from './futexes.js'
import { withInitialMemory } from './initial-memory.js'
import { Interrupts } from './interrupts.js'
import { Keys } from './keys.js'
import { Latches } from './latches.js'
import { LeftOut } from './left-out.js'
import { Lifecycle } from './lifecycle.js'
import { DEFAULT_MAX_LOOP_VISITS } from './loop-watch.js'
import { memoryMap } from './memory-map.js'
import { Mutexes } from './mutexes.js'
import { OwnLocks } from './own-locks.js'
import { PhaseBarriers } from './phase-barriers.js'
import { PAGE, type ProgramExports } from './program.js'
import { ProgramKernel } from './program-kernel.js'
import { ProgramMachine, type WasmMachine } from './program-machine.js'
import { Recall, type RecallPolicy } from './recall.js'
import { spoiling, writing } from './recallable.js'
import { ReaderWriterLocks } from './rwlocks.js'
import { Semaphores } from './semaphores.js'
import { Signals } from './signals.js'
import { SpinLocks } from './spinlocks.js'
import { StartTypes } from './start-types.js'
import { type InputValues, noInputs, SymbolicInputs } from './symbolic-inputs.js'
import { System } from './system.js'
import { ThreadLabels } from './thread-labels.js'
import { Transactions } from './transactions.js'
import { WasiThreads } from './wasi-threads.js'

export interface WasmMachineOptions {
  /** Name of the program, for people; without folder and extension it is the program's argument 0. */
  readonly name?: string
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** Files that the program finds, by name. */
  readonly files?: Readonly<Record<string, Uint8Array>>
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
  /** Values of the objects that the program declares to be its input. */
  readonly inputs?: InputValues
  /** What runs the program: the one of JavaScript unless given. */
  readonly engine?: ProgramEngine
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
  const wasm = withFirstMemory(artifact)
  const module = await compileModule(wasm)
  refuseUnknownImports(module)
  const name = options.name ?? artifact.build.sources[0] ?? 'program'
  const input = {
    // Not where the program lies, so that schedules replay elsewhere.
    name: basename(name, extname(name)),
    args: options.args ?? [],
    environment: options.environment ?? {},
    stdin: options.stdin ?? '',
    // Programs without hash as they did.
    ...(options.files ? { files: textsOf(options.files) } : {}),
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
  const { inputs = noInputs, engine = nativeEngine } = options
  const hasTransactions = hasImport(module, (name) => name === 'fl_xbegin')
  const transactions = new Transactions(kernel)
  if (hasTransactions) {
    kernel.transactions = transactions
    if (engine !== nativeEngine)
      throw new UnsupportedError('the program uses transactions, which symbolic inputs do not go with', [])
    if (kernel.cancellation.usesCancel)
      throw new UnsupportedError(
        'the program uses transactions and pthread_cancel, of which Faultline provides either',
        ['pthread_cancel'],
      )
  }
  const files = new Files(kernel, options.files ?? {})
  const system = new System(kernel, input, inputs, files)
  const keys = new Keys(kernel)
  const mutexes = new Mutexes(kernel)
  const annotations = new Annotations(kernel)
  const signals = new Signals(kernel)
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
    ...signals.calls,
    ...labels.calls,
    ...kernel.cancellation.calls,
    ...kernel.scheduling.calls,
    ...kernel.checks.calls,
    ...kernel.ownBlocks.calls,
    ...kernel.objectNames.calls,
    ...new OwnLocks(kernel).calls,
    ...new Interrupts(kernel).calls,
    ...new SymbolicInputs(kernel, inputs).calls,
    ...transactions.calls,
  }
  const wasi: Record<SystemCall, (...args: never[]) => unknown> = {
    ...files.calls,
    ...files.missingCalls,
    ...system.systemCalls,
  }
  const fl = {
    point: (word: number, address: number, size: number) => kernel.preemption.point(word, address, size),
    loop: (site: number, again: number, words: number) => kernel.loopHeaders.arrive(site, again !== 0, words),
    overflow: (site: number) => kernel.failures.overflow(site),
    grow: (pages: number) =>
      kernel.own
        ? kernel.own.grow(pages >>> 0)
        : annotations.refuse('sbrk or memory.grow (memory comes from malloc here)'),
    ...futexes.calls,
  }
  // What can be done from memory is known only after the program was instantiated.
  let recall: Recall | undefined
  const spoil = () => recall?.spoil()
  const { whatIf = '' } = options.platform ?? {}
  const leftOut = whatIf === '' ? undefined : new LeftOut(kernel, whatIf)
  const inTransactions = (calls: Parameters<typeof transactions.wrap>[0]) =>
    hasTransactions ? transactions.wrap(calls) : calls
  const imports = {
    env: spoiling(inTransactions(kernel.cancellation.wrap(leftOut ? leftOut.wrap(env) : env)), spoil),
    wasi_snapshot_preview1: spoiling(inTransactions({ ...wasi, fd_write: writing(system, spoil) }), spoil),
    wasi: spoiling(new WasiThreads(kernel).calls, spoil),
    fl: spoiling(fl, spoil),
  }
  const exports = await engine.instantiate(module, wasm, imports as unknown as WebAssembly.Imports)
  kernel.attach(exports as unknown as ProgramExports, engine)
  keys.keep()
  files.keep()
  // What a thread found must be in the event log, or two executions that differ would be taken for the same.
  const isAllSeen = unseenCalls(artifact).length === 0
  const canRecall =
    kernel.own === undefined &&
    options.leaks !== true &&
    isAllSeen &&
    kernel.transactions === null &&
    !hasImport(module, (name) => name === 'fl_block_signals')
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
    signals,
    startTypes,
    rwlocks,
    leftOut,
    name,
    hashOf(artifact, inputs.mark === undefined ? input : { ...input, given: inputs.mark }),
    {
      leaks: options.leaks ?? false,
      isCompound: hasImport(module, (name) => compounding.has(name)),
      hasInvariants: hasImport(module, (name) => name === 'fl_invariant'),
      hasRegions: hasImport(module, (name) => name === 'fl_region'),
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

function refuseUnknownImports(module: WebAssembly.Module): void {
  const unknown = WebAssembly.Module.imports(module).filter(
    (item) => item.module !== 'fl' && !provided[item.module]?.includes(item.name),
  )
  if (unknown.length === 0) return
  const names = unknown.map((item) => item.name.replace(/^__wrap_/, ''))
  throw new UnsupportedError(`the program calls ${names.join(', ')}, which Faultline does not provide`, names)
}

/** What tells files apart, as text. */
function textsOf(files: Readonly<Record<string, Uint8Array>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]),
  )
}

function hashOf(artifact: Artifact, input: object): string {
  return createHash('sha256').update(artifact.hash).update(JSON.stringify(input)).digest('hex')
}
