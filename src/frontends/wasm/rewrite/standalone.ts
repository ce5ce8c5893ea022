import { Reader } from './bytes.js'
import { Emitter } from './emitter.js'
import { type Feature, featureOf } from './features.js'
import { readLocals } from './function.js'
import { OP, skipImmediates, TYPE } from './instructions.js'
import type { FunctionType, Module } from './module.js'

/** The program cannot be checked; the message says what it lacks or uses. */
export class StandaloneError extends Error {
  override readonly name = 'StandaloneError'
}

/** A global that every thread has its own copy of. */
export interface OwnGlobal {
  /** Under which it is exported for the machine. */
  readonly name: string
  readonly type: number
  readonly index: number
}

/** A function added to the module, exported under its name. */
interface Entry {
  readonly name: string
  readonly type: number
  /** `remap` gives the new index of an old function index. */
  readonly body: (remap: (index: number) => number) => Uint8Array
}

/** A module that brings its threads, stacks and allocator with it, made ready for hooks. */
export interface Standalone {
  readonly entries: readonly Entry[]
  readonly globals: readonly OwnGlobal[]
  readonly dropped: ReadonlyMap<number, number>
  /** Index of the global that is the stack pointer, -1 when none is known as that. */
  readonly stackPointer: number
  /** Pages of memory it begins with, and may have in the end. */
  readonly pages: number
  readonly maxPages: number
}

/** How many pages a program may add to its memory, if it does not say less itself: 128 MB. */
const GROWTH = 2048

const PAGE = 65536
/** The machine needs addresses, too. */
const MOST_PAGES = 16384

const THREAD_START = 'wasi_thread_start'

/**
 * Prepares a module of the wasi-threads convention. A thread there is an instance of its own: memory is shared, all
 * else is not. Here all threads run in one instance, so the machine keeps each one's mutable globals, and the start
 * function runs once per thread. Memory becomes one of the module's own, with room above for the machine.
 *
 * Changes the module in place; throws a `StandaloneError` if it is none that can be checked.
 */
export function prepareStandalone(module: Module): Standalone {
  refuse(module)
  const imported = module.imports.filter((item) => item.kind === 0).length
  const functionOf = (name: string, type: FunctionType) => {
    const found = module.exports.find((item) => item.name === name && item.kind === 0)
    if (found === undefined) return undefined
    const actual = typeOf(module, found.index)
    if (
      String(actual.parameters) !== String(type.parameters) ||
      String(actual.results) !== String(type.results)
    ) {
      throw new StandaloneError(`the module exports ${name} with another type than it should have`)
    }
    return found.index
  }
  const main = functionOf('_start', { parameters: [], results: [] })
  if (main === undefined) {
    throw new StandaloneError(
      'the module exports no function _start; build it as a command, with a main function, not as a library',
    )
  }
  const threadStart = functionOf(THREAD_START, { parameters: [TYPE.i32, TYPE.i32], results: [] })
  const spawns = module.imports.some((item) => item.module === 'wasi' && item.name === 'thread-spawn')
  if (spawns && threadStart === undefined) {
    throw new StandaloneError(
      `the module imports wasi.thread-spawn but exports no ${THREAD_START}, in which its threads would begin`,
    )
  }
  for (let i = 0; i < imported + module.functions.length; i++) module.functionNames[i] ??= `function-${i}`
  const entries = entriesOf(module, { main, threadStart, start: module.start })
  module.start = undefined
  module.exports.splice(0, module.exports.length, { name: 'memory', kind: 2, index: 0 })
  const dropped = addDropFlags(module)
  const memory = takeMemory(module)
  const stackPointer = findStackPointer(module, memory.pages)
  return { entries, dropped, globals: exportGlobals(module), stackPointer, ...memory }
}

interface EntryFunctions {
  readonly main: number
  readonly threadStart: number | undefined
  readonly start: number | undefined
}

/** What the machine calls, as `runtime/start.c` has it for programs linked with it. */
function entriesOf(module: Module, { main, threadStart, start }: EntryFunctions): Entry[] {
  const type = (parameters: number[], results: number[]) => module.types.push({ parameters, results }) - 1
  const code =
    (fill: (out: Emitter, call: (index: number) => void) => void) => (remap: (i: number) => number) => {
      const out = new Emitter(32)
      out.u32(0)
      fill(out, (index) => out.op(OP.call, remap(index)))
      out.byte(OP.end)
      return out.view()
    }
  return [
    {
      name: 'fl_construct',
      type: type([], []),
      body: code((_, call) => {
        if (start !== undefined) call(start)
      }),
    },
    {
      name: 'fl_run_main',
      type: type([], [TYPE.i32]),
      body: code((out, call) => {
        call(main)
        out.constant(0)
      }),
    },
    {
      name: 'fl_run_thread',
      type: type([TYPE.i32, TYPE.i32], [TYPE.i32]),
      body: code((out, call) => {
        if (start !== undefined) call(start)
        if (threadStart !== undefined) {
          out.op(OP.localGet, 0)
          out.op(OP.localGet, 1)
          call(threadStart)
        }
        out.constant(0)
      }),
    },
  ]
}

/** A module of one memory, its own from now on; `minimum` is then where the machine's part begins. */
function takeMemory(module: Module): { pages: number; maxPages: number } {
  const at = module.imports.findIndex((item) => item.kind === 2)
  const imported = at < 0 ? undefined : module.imports.splice(at, 1)[0].memory
  const memory = imported ?? module.memory
  const pages = memory.minimum
  if (pages > MOST_PAGES) {
    throw new StandaloneError(
      `the module asks for ${pages / 16} MB of memory to begin with; Faultline gives up to ${MOST_PAGES / 16} MB`,
    )
  }
  for (const { isActive, offset, size } of module.data) {
    if (!isActive) continue
    if (offset < 0)
      throw new StandaloneError('the module has data at an address that is computed when it starts')
    if (offset + size > pages * PAGE) {
      throw new StandaloneError(`the module cannot start: it has data at ${offset}, outside its memory`)
    }
  }
  const maxPages = Math.max(pages, Math.min(memory.maximum ?? pages + GROWTH, pages + GROWTH))
  module.memory.minimum = maxPages
  module.memory.defined = true
  return { pages, maxPages }
}

/** Compilers name it; where it begins tells that it points into memory. */
function findStackPointer(module: Module, pages: number): number {
  const index = module.globalNames.indexOf('__stack_pointer')
  const global = module.globals[index]
  if (global === undefined || !global.mutable || global.type !== TYPE.i32) return -1
  if (global.init[0] !== OP.i32Const) return -1
  const r = new Reader(Uint8Array.from(global.init), 1)
  const start = r.s32() >>> 0
  return r.at === r.end - 1 && start % 16 === 0 && start <= pages * PAGE ? index : -1
}

function exportGlobals(module: Module): OwnGlobal[] {
  const globals: OwnGlobal[] = []
  module.globals.forEach(({ type, mutable }, index) => {
    if (!mutable) return
    const name = `fl_own_${index}`
    module.exports.push({ name, kind: 3, index })
    globals.push({ name, type, index })
  })
  return globals
}

/** A global per data segment that the program drops. */
function addDropFlags(module: Module): Map<number, number> {
  const flags = new Map<number, number>()
  eachInstruction(module, (op, r) => {
    if (op !== OP.bulk) return
    const look = new Reader(r.bytes, r.at, r.end)
    if (look.u32() !== 9) return
    const segment = look.u32()
    if (flags.has(segment)) return
    flags.set(
      segment,
      module.globals.push({ type: TYPE.i32, mutable: true, init: [OP.i32Const, 0, OP.end] }) - 1,
    )
  })
  return flags
}

/** Calls back for each instruction, the reader after its first byte. */
function eachInstruction(module: Module, visit: (op: number, r: Reader, index: number) => void): void {
  const imported = module.imports.filter((item) => item.kind === 0).length
  module.bodies.forEach((body, i) => {
    const { code } = readLocals(body, [])
    const r = new Reader(body.bytes, code, body.end)
    while (!r.done) {
      const op = r.byte()
      visit(op, r, imported + i)
      skipImmediates(r, op)
    }
  })
}

/** Throws if the module uses what cannot be checked. */
function refuse(module: Module): void {
  const uses = (what: string, where = '') => {
    throw new StandaloneError(`the module uses ${what}${where}, which Faultline does not support`)
  }
  for (const item of module.imports) {
    const name = `${item.module}.${item.name}`
    if (item.kind === 1) uses(`an imported table (${name})`)
    if (item.kind === 3) uses(`an imported global (${name})`)
    if (item.kind === 4) uses(`exceptions (${name})`)
    if (item.memory?.is64) uses('a 64-bit memory (memory64)')
  }
  const memories = module.memoryCount + module.imports.filter((item) => item.kind === 2).length
  if (memories > 1) uses('several memories (multi-memory)')
  if (memories === 0)
    throw new StandaloneError('the module has no memory, so its threads could not share anything')
  if (module.memory.is64) uses('a 64-bit memory (memory64)')
  if (module.hasTags) uses('exceptions')
  for (const { type, mutable } of module.globals) {
    if (
      mutable &&
      type !== TYPE.i32 &&
      type !== TYPE.i64 &&
      type !== TYPE.f32 &&
      type !== TYPE.f64 &&
      type !== TYPE.v128
    )
      uses('a mutable global that holds a reference')
  }
  const imports = module.imports.filter((item) => item.kind === 0)
  const inTable = (index: number) => {
    const item = imports[index]
    if (item) uses(`a pointer to the imported function ${item.module}.${item.name}`)
  }
  for (const { functions } of module.elements) functions.forEach(inTable)
  eachInstruction(module, (op, r, index) => {
    const feature: Feature | undefined = featureOf(op, new Reader(r.bytes, r.at, r.end))
    if (feature) uses(feature, ` (in function ${module.functionNames[index] ?? index})`)
    if (op === OP.refFunc) inTable(new Reader(r.bytes, r.at, r.end).u32())
  })
}

function typeOf(module: Module, index: number): FunctionType {
  const imports = module.imports.filter((item) => item.kind === 0)
  return module.types[index < imports.length ? imports[index].type : module.functions[index - imports.length]]
}
