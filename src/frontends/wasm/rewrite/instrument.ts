import { type CodeSiteKind, MAX_SITES, Operands } from '../artifact.js'
import { suspending } from '../provided-calls.js'
import { ASSUMPTIONS } from './assumptions.js'
import { type AtomicWrapper, wrapAtomicFunctions } from './atomic-functions.js'
import { WasmFormatError } from './bytes.js'
import { type Context, type InlineFunction, inlineFunctions } from './context.js'
import { decodeModule } from './decode-module.js'
import { encodeModule } from './encode-module.js'
import { analyseFrame } from './frames.js'
import { readLocals, rewriteFunction } from './function.js'
import { becomesInline, CALL, hookOf } from './hooks.js'
import { TYPE } from './instructions.js'
import { analyseLoops, type LoopInfo } from './loops.js'
import type { Global, Import, Module } from './module.js'
import type { Standalone } from './standalone.js'

const PAGE = 65536
/**
 * The log holds 2048 entries: few enough to be in the processor's nearest cache when it is read; `Context.logBits` needs
 * a power of two.
 */
const LOG_BITS = 14
/** A runtime function may write this many bytes of entries after one look at the log. */
const LOG_SLACK = 1024
/** Bytes before the spill area that hold the size of a program's own memory. */
const SIZE_WORD = 8
/** Bytes of memory that one byte of `OwnMemoryLayout.changed` speaks for, at least 16 times over. */
export const CHANGED_PIECE = 4096

/** A site before it has a line. */
export interface RawSite {
  readonly kind: CodeSiteKind
  readonly size: number
  /** In the code section of the original module. */
  readonly offset: number
  /** Index of the function in the original module. */
  readonly function: number
  readonly callee?: string
  /** Offset where a loop ends. */
  readonly end?: number
  readonly frame?: number
  /** See `SiteExtra`. */
  readonly catches?: true
}

export interface Instrumented {
  readonly wasm: Uint8Array<ArrayBuffer>
  readonly sites: readonly RawSite[]
  /** Where the rewriter put its own memory; see `Layout`. */
  readonly memory: {
    readonly flags: number
    readonly log: number
    readonly logSize: number
    readonly spill: number
    readonly free: number
    readonly pages: number
  }
  /** See `OwnMemoryLayout`. */
  readonly changed: { readonly changed: number; readonly changedSize: number }
}

export interface InstrumentOptions {
  /** Whether a function, by its index in the original module, is user code. */
  readonly isUser: (index: number) => boolean
}

/** The imports through which instrumented code calls the machine, with the types of their parameters and results. */
const hostImports = {
  point: { parameters: [TYPE.i32, TYPE.i32, TYPE.i32], results: [] },
  loop: { parameters: [TYPE.i32, TYPE.i32, TYPE.i32], results: [] },
  grow: { parameters: [TYPE.i32], results: [TYPE.i32] },
  overflow: { parameters: [TYPE.i32], results: [] },
  notify: { parameters: [TYPE.i32, TYPE.i32], results: [TYPE.i32] },
  wait32: { parameters: [TYPE.i32, TYPE.i32, TYPE.i64], results: [TYPE.i32] },
  wait64: { parameters: [TYPE.i32, TYPE.i64, TYPE.i64], results: [TYPE.i32] },
} as const

/** Module from which the runtime imports what is replaced by inline code. */
const INLINE_MODULE = 'fl_inline'

/** User code that calls NAME calls this followed by NAME instead, if the module has it; see `runtime/strings.c`. */
export const REPLACEMENT_PREFIX = 'fl_user_'

/** Puts the hooks described in `artifact.ts` into a linked module. */
export function instrument(bytes: Uint8Array, options: InstrumentOptions): Instrumented {
  return instrumentModule(decodeModule(bytes), options)
}

/** The same for a module that is decoded already, or prepared as one that brings everything with it. */
export function instrumentModule(
  module: Module,
  options: InstrumentOptions,
  standalone?: Standalone,
): Instrumented {
  const isUser = standalone ? () => true : options.isUser
  const oldImports = module.imports.filter((item) => item.kind === 0)
  const { kept, added } = replaceImports(module, oldImports, standalone !== undefined)
  const globals = addGlobals(module, standalone !== undefined)
  const entries = standalone?.entries ?? []
  const atomic = standalone ? [] : wrapAtomicFunctions(module, oldImports.length, isUser)
  const firstAdded = oldImports.length + module.functions.length
  const ownFunctions = entries.length + atomic.length
  const remap = remapping(oldImports, kept, added.length, module.functions.length + ownFunctions)

  const stackPointer = standalone?.stackPointer ?? -1
  const shapes = module.bodies.map((body, i) => {
    const { parameters } = module.types[module.functions[i]]
    const user = isUser(oldImports.length + i)
    const { types, code } = readLocals(body, parameters)
    const loops = user ? analyseLoops(body.bytes, code, body.end, types.length) : []
    const frame =
      stackPointer < 0
        ? undefined
        : analyseFrame({
            bytes: body.bytes,
            code,
            end: body.end,
            parameters: parameters.length,
            stackPointer,
            types: module.types,
            typeOfFunction: (index) =>
              module.types[
                index < oldImports.length
                  ? oldImports[index].type
                  : module.functions[index - oldImports.length]
              ],
          })
    return { body, parameters, user, loops, frame }
  })

  const size = module.memory.minimum * PAGE
  const spill = size + SIZE_WORD
  const spilled = Math.max(mostCarried(shapes), Operands.size / 8) + 1 + (standalone?.globals.length ?? 0)
  const changed = alignUp(spill + 16 * spilled, 64)
  const changedSize = standalone ? 2 ** Math.ceil(Math.log2(Math.max(size, PAGE) / CHANGED_PIECE)) : 0
  const log = changed + changedSize
  const flags = log + (1 << LOG_BITS) + LOG_SLACK
  const sites: RawSite[] = []
  let current = 0
  const context: Context = {
    remap(index) {
      if (remap[index] >= 0) return remap[index]
      throw new Error(`${oldImports[index].name} is called by a library; only user code can be rewritten`)
    },
    nameOf: (index) => oldImports[index]?.name ?? module.functionNames[index] ?? '',
    hookOf: standalone ? () => CALL : hookOf,
    stopsBeforeCall: (index) => standalone !== undefined && isImmediate(oldImports[index]),
    inlineOf: (index) => (standalone ? undefined : inlineName(oldImports[index])),
    replacementOf: standalone
      ? (index) => index
      : throughWrappers(replacements(module, oldImports.length, isUser), atomic, firstAdded),
    imports: Object.fromEntries(added.map((name, i) => [name, kept.length + i])) as Context['imports'],
    globals,
    flags,
    log,
    logBits: LOG_BITS,
    spill,
    hasExceptions: module.hasTags,
    raw: standalone
      ? {
          limit: size,
          sizeAddress: size,
          dropped: standalone.dropped,
          globals: standalone.globals,
          stackPointer,
          changed,
          changedMask: changedSize - 1,
        }
      : undefined,
    addSite(kind, size, at, { callee, end, frame, catches } = {}) {
      sites.push({
        kind,
        size,
        offset: at - module.codeStart,
        function: current,
        ...(callee === undefined ? {} : { callee }),
        ...(end === undefined ? {} : { end: end - module.codeStart }),
        ...(frame === undefined ? {} : { frame }),
        ...(catches === undefined ? {} : { catches }),
      })
      if (sites.length > MAX_SITES)
        throw new WasmFormatError(`the program has more than ${MAX_SITES} places to watch`)
      return sites.length - 1
    },
  }
  const bodies = shapes.map((shape, i) => {
    current = oldImports.length + i
    return rewriteFunction(shape, context)
  })
  for (const { name, type, body } of entries) {
    const index = oldImports.length + module.functions.push(type) - 1
    module.functionNames[index] = name
    module.exports.push({ name, kind: 0, index })
    bodies.push(body(context.remap))
  }
  for (const { name, type, body } of atomic) {
    module.functionNames[oldImports.length + module.functions.push(type) - 1] = name
    bodies.push(body(context.remap))
  }
  // What is called through a pointer is what a call by name would be, also where the library calls it for the program.
  if (!standalone) {
    module.elements.forEach((item, i) => {
      module.elements[i] = { ...item, functions: item.functions.map(context.replacementOf) }
    })
  }

  const free = alignUp(flags + sites.length, PAGE)
  module.memory.minimum = free / PAGE
  delete module.memory.maximum
  const wasm = encodeModule(module, { remap: (index) => remap[index], bodies })
  return {
    wasm,
    sites,
    memory: { flags, log, logSize: 1 << LOG_BITS, spill, free, pages: free / PAGE },
    changed: { changed, changedSize },
  }
}

/** Drops the imports that become inline code and adds those of the machine; imported functions stay first. */
function replaceImports(
  module: Module,
  old: readonly Import[],
  keepsAll: boolean,
): { kept: Import[]; added: string[] } {
  const kept = keepsAll
    ? [...old]
    : old.filter((item) => inlineName(item) === undefined && !becomesInline(item.name))
  const others = module.imports.filter((item) => item.kind !== 0)
  const added = Object.keys(hostImports) as (keyof typeof hostImports)[]
  const fresh = added.map((name): Import => {
    const type = module.types.push(hostImports[name]) - 1
    return { module: 'fl', name, kind: 0, type, bytes: new Uint8Array() }
  })
  module.imports.splice(0, module.imports.length, ...kept, ...fresh, ...others)
  return { kept, added }
}

/**
 * The function that user code calls instead of another: not if that is its own, unless it is known what it means by that,
 * nor if it takes other arguments.
 */
function replacements(
  module: Module,
  imported: number,
  isUser: (index: number) => boolean,
): (index: number) => number {
  const byName = new Map<string, number>()
  module.functionNames.forEach((name, index) => {
    if (name.startsWith(REPLACEMENT_PREFIX)) byName.set(name.slice(REPLACEMENT_PREFIX.length), index)
  })
  const kept = module.exports.filter((item) => !item.name.startsWith(REPLACEMENT_PREFIX))
  module.exports.splice(0, module.exports.length, ...kept)
  const typeOf = (index: number) => module.functions[index - imported]
  return (index) => {
    if (index < imported) return index
    const name = module.functionNames[index]
    if (isUser(index) && !ASSUMPTIONS.some((assumption) => assumption === name)) return index
    const other = byName.get(name)
    return other !== undefined && typeOf(other) === typeOf(index) ? other : index
  }
}

/** Calls of an atomic function go to its wrapper; wrappers are the first functions added. */
function throughWrappers(
  replacementOf: (index: number) => number,
  atomic: readonly AtomicWrapper[],
  firstAdded: number,
): (index: number) => number {
  const wrapperOf = new Map(atomic.map(({ inner }, i) => [inner, firstAdded + i]))
  return (index) => wrapperOf.get(index) ?? replacementOf(index)
}

function remapping(
  old: readonly Import[],
  kept: readonly Import[],
  added: number,
  defined: number,
): Int32Array {
  const map = new Int32Array(old.length + defined)
  const position = new Map(kept.map((item, i) => [item, i]))
  old.forEach((item, i) => {
    map[i] = position.get(item) ?? -1
  })
  for (let i = 0; i < defined; i++) map[old.length + i] = kept.length + added + i
  return map
}

/** Whether a function is the host's, and does not stop by itself. */
function isImmediate(item: Import | undefined): boolean {
  return item !== undefined && !suspending.includes(`${item.module}.${item.name}`)
}

function inlineName(item: Import | undefined): InlineFunction | undefined {
  if (item?.module !== INLINE_MODULE) return undefined
  const known = inlineFunctions.find((name) => name === item.name)
  if (known) return known
  throw new RangeError(`the runtime asks for an inline function "${item.name}", which does not exist`)
}

const ownGlobals = {
  log: 'fl_log',
  shadow: 'fl_shadow',
  shadowEnd: 'fl_shadow_end',
  stackEnd: 'fl_stack_end',
  fuel: 'fl_fuel',
  site: 'fl_site',
} as const

/**
 * Adds our globals, makes those of the linker mutable, and exports them all. A program that sets up its own threads
 * keeps its own: the machine then gets some that nobody uses.
 */
function addGlobals(module: Module, keepsOwn: boolean): Context['globals'] {
  const imported = module.imports.filter((item) => item.kind === 3).length
  const zero = (): Global => ({ type: TYPE.i32, mutable: true, init: [0x41, 0, 0x0b] })
  const indexes: Record<string, number> = {}
  for (const [key, name] of Object.entries(ownGlobals)) {
    indexes[key] = imported + module.globals.push(zero()) - 1
    exportGlobal(module, name, indexes[key])
  }
  for (const name of ['__stack_pointer', '__tls_base']) {
    let index = keepsOwn ? -1 : module.globalNames.indexOf(name)
    if (index < imported) index = imported + module.globals.push(zero()) - 1
    module.globals[index - imported].mutable = true
    exportGlobal(module, name, index)
    if (name === '__stack_pointer') indexes.stackPointer = index
  }
  return indexes as unknown as Context['globals']
}

function exportGlobal(module: Module, name: string, index: number): void {
  if (!module.exports.some((item) => item.name === name)) module.exports.push({ name, kind: 3, index })
}

function mostCarried(shapes: readonly { loops: readonly LoopInfo[] }[]): number {
  let most = 0
  for (const { loops } of shapes) for (const loop of loops) most = Math.max(most, loop.carried.length)
  return most
}

function alignUp(value: number, to: number): number {
  return Math.ceil(value / to) * to
}
