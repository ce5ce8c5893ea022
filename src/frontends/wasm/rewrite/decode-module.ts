import { Reader, WasmFormatError } from './bytes.js'
import {
  type DataSegment,
  type Elements,
  type FunctionType,
  type Import,
  KIND,
  type Memory,
  type Module,
  SECTION,
} from './module.js'

export function decodeModule(bytes: Uint8Array): Module {
  if (bytes.length < 8 || bytes[0] !== 0 || bytes[1] !== 0x61 || bytes[2] !== 0x73 || bytes[3] !== 0x6d) {
    throw new WasmFormatError('not a WebAssembly module')
  }
  const sections = new Map<number, Reader>()
  const custom = new Map<string, Uint8Array>()
  const raw = new Map<number, Uint8Array>()
  const reader = new Reader(bytes, 8)
  while (!reader.done) {
    const id = reader.byte()
    const size = reader.u32()
    const content = new Reader(bytes, reader.at, reader.at + size)
    if (id > SECTION.tag) throw new WasmFormatError(`the module has a section of unknown kind ${id}`)
    reader.skip(size)
    if (id === SECTION.custom) {
      const name = content.name()
      custom.set(name, bytes.subarray(content.at, content.end))
    } else {
      sections.set(id, content)
      raw.set(id, bytes.subarray(content.at, content.end))
    }
  }
  const list = <T>(id: number, one: (r: Reader) => T): T[] => {
    const section = sections.get(id)
    if (!section) return []
    return Array.from({ length: section.u32() }, () => one(section))
  }
  const types = list(SECTION.type, functionType)
  const imports = list(SECTION.import, readImport)
  const functions = list(SECTION.function, (r) => r.u32())
  const memories = list(SECTION.memory, (r) => memoryLimits(r, true))
  const globals = list(SECTION.global, (r) => {
    const type = r.byte()
    const mutable = r.byte() === 1
    return { type, mutable, init: constantExpression(r) }
  })
  const exports = list(SECTION.export, (r) => ({ name: r.name(), kind: r.byte(), index: r.u32() }))
  const start = sections.get(SECTION.start)?.u32()
  const elements = list(SECTION.element, readElements)
  const codeStart = sections.get(SECTION.code)?.at ?? 0
  const bodies = list(SECTION.code, (r) => {
    const size = r.u32()
    const begin = r.at
    r.skip(size)
    return { start: begin, end: r.at, bytes }
  })
  const data = list(SECTION.data, readData)
  const functionNames: string[] = []
  const globalNames: string[] = []
  const dataNames: string[] = []
  const names = custom.get('name')
  if (names)
    readNamesIfWell(
      names,
      new Map([
        [1, functionNames],
        [7, globalNames],
        [9, dataNames],
      ]),
    )
  return {
    types,
    imports,
    functions,
    memory: memories[0] ?? { minimum: 0, is64: false, defined: false },
    memoryCount: memories.length,
    hasTags: sections.has(SECTION.tag),
    globals,
    exports,
    start,
    elements,
    bodies,
    data,
    functionNames,
    globalNames,
    dataNames,
    codeStart,
    raw,
    custom,
  }
}

function functionType(r: Reader): FunctionType {
  if (r.byte() !== 0x60) {
    throw new WasmFormatError('the module has a type that is no function type (GC), which is not supported')
  }
  return { parameters: r.take(r.u32()), results: r.take(r.u32()) }
}

function readImport(r: Reader): Import {
  const module = r.name()
  const name = r.name()
  const kind = r.byte()
  const begin = r.at
  let type = -1
  let memory: Memory | undefined
  if (kind === KIND.function) type = r.u32()
  else if (kind === KIND.global) r.skip(2)
  else if (kind === KIND.table) {
    r.byte()
    skipLimits(r)
  } else if (kind === KIND.memory) memory = memoryLimits(r, false)
  else r.skip(2)
  const bytes = r.bytes.subarray(begin, r.at)
  return { module, name, kind, type, bytes, ...(memory ? { memory } : {}) }
}

function skipLimits(r: Reader): void {
  const flags = r.byte()
  r.skipLeb()
  if (flags & 1) r.skipLeb()
}

/** Limits of more than 32 bits come out wrong; who looks at `is64` first does not mind. */
function memoryLimits(r: Reader, defined: boolean): Memory {
  const flags = r.byte()
  const minimum = r.u32()
  const is64 = (flags & 4) !== 0
  return flags & 1 ? { minimum, maximum: r.u32(), is64, defined } : { minimum, is64, defined }
}

/** The bytes of a constant expression, its `end` included. */
function constantExpression(r: Reader): Uint8Array {
  const begin = r.at
  for (;;) {
    const op = r.byte()
    if (op === 0x0b) return r.bytes.subarray(begin, r.at)
    if (op === 0x41 || op === 0x42 || op === 0x23 || op === 0xd2) r.skipLeb()
    else if (op === 0x43) r.skip(4)
    else if (op === 0x44) r.skip(8)
    else if (op === 0xd0) r.byte()
    else if (op === 0xfd) {
      r.skipLeb()
      r.skip(16)
    }
  }
}

function readElements(r: Reader): Elements {
  const flags = r.u32()
  if (flags & 4) throw new WasmFormatError('element segments of expressions are not supported')
  const begin = r.at
  let offset = -1
  if (!(flags & 1)) {
    if (flags & 2) r.skipLeb()
    const expression = constantExpression(r)
    if (expression[0] === 0x41) offset = new Reader(expression, 1).s32()
  }
  const head = r.bytes.subarray(begin, r.at)
  const kind = flags & 3 ? r.take(1) : new Uint8Array()
  return { flags, head, kind, offset, functions: Array.from({ length: r.u32() }, () => r.u32()) }
}

function readData(r: Reader): DataSegment {
  const flags = r.u32()
  if (flags & 2) r.skipLeb()
  const expression = flags & 1 ? undefined : constantExpression(r)
  const size = r.u32()
  r.skip(size)
  return { isActive: expression !== undefined, offset: expression ? constantOf(expression) : -1, size }
}

/** What an expression of a single `i32.const` gives; -1 for all others. */
function constantOf(expression: Uint8Array): number {
  if (expression[0] !== 0x41) return -1
  const r = new Reader(expression, 1)
  const value = r.s32() >>> 0
  return r.at === expression.length - 1 ? value : -1
}

/** A name section that is ill-formed is ignored, as the standard says. */
function readNamesIfWell(bytes: Uint8Array, lists: ReadonlyMap<number, string[]>): void {
  try {
    readNames(bytes, lists)
  } catch (error) {
    if (!(error instanceof WasmFormatError)) throw error
    for (const list of lists.values()) list.length = 0
  }
}

/** `lists` by the number of their part of the section. */
function readNames(bytes: Uint8Array, lists: ReadonlyMap<number, string[]>): void {
  const r = new Reader(bytes)
  while (!r.done) {
    const id = r.byte()
    const content = r.take(r.u32())
    const into = lists.get(id)
    if (!into) continue
    const list = new Reader(content)
    for (let n = list.u32(); n > 0; n--) into[list.u32()] = list.name()
  }
}
