import { Reader, WasmFormatError, Writer } from './bytes.js'

/**
 * A WebAssembly module, decoded as far as rewriting needs: functions can be added, imports added and dropped, globals
 * and exports changed. Function bodies stay bytes. All function indexes inside are those of the original; `encode`
 * takes a mapping to the new ones for the sections around the code.
 */
export interface Module {
  readonly types: FunctionType[]
  readonly imports: Import[]
  /** Type index of each defined function. */
  readonly functions: number[]
  /** The first memory that is defined here; without one of zero pages. */
  readonly memory: Memory
  readonly memoryCount: number
  /** Has tags, of exceptions. */
  readonly hasTags: boolean
  readonly globals: Global[]
  readonly exports: Export[]
  start: number | undefined
  readonly elements: Elements[]
  readonly bodies: Body[]
  readonly data: readonly DataSegment[]
  /** Names of functions, globals and data segments from the name section, by index. */
  readonly functionNames: string[]
  readonly globalNames: string[]
  readonly dataNames: string[]
  /** Offset in the file of the content of the code section, which DWARF offsets count from. */
  readonly codeStart: number
  /** Sections copied as they are: tables, data, data count. */
  readonly raw: ReadonlyMap<number, Uint8Array>
  readonly custom: ReadonlyMap<string, Uint8Array>
}

export interface FunctionType {
  readonly parameters: Uint8Array | readonly number[]
  readonly results: Uint8Array | readonly number[]
}

export interface Memory {
  minimum: number
  maximum?: number
  readonly is64: boolean
  /** Whether it is one of the module's own. */
  defined: boolean
}

export interface Import {
  readonly module: string
  readonly name: string
  /** 0 function, 1 table, 2 memory, 3 global, 4 tag. */
  readonly kind: number
  /** Type index of a function. */
  readonly type: number
  /** The description as it was, for the other kinds. */
  readonly bytes: Uint8Array
  /** The limits of a memory. */
  readonly memory?: Memory
}

export interface Global {
  readonly type: number
  mutable: boolean
  readonly init: Uint8Array | readonly number[]
}

export interface Export {
  readonly name: string
  readonly kind: number
  readonly index: number
}

/** An element segment of plain function indexes. */
export interface Elements {
  readonly flags: number
  /** Table, offset expression and element kind, as they were. */
  readonly head: Uint8Array
  readonly kind: Uint8Array
  /** The constant the offset expression gives, -1 when it is no constant or there is none. */
  readonly offset: number
  readonly functions: readonly number[]
}

export interface DataSegment {
  readonly isActive: boolean
  /** Where an active segment goes; -1 when that is no constant. */
  readonly offset: number
  readonly size: number
}

export interface Body {
  /** Where the body starts and ends in `bytes`, after its size. */
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

export const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
  dataCount: 12,
  tag: 13,
} as const

const FUNCTION = 0
const GLOBAL = 3

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
  if (kind === FUNCTION) type = r.u32()
  else if (kind === GLOBAL) r.skip(2)
  else if (kind === 1) {
    r.byte()
    skipLimits(r)
  } else if (kind === 2) memory = memoryLimits(r, false)
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

export interface Encoding {
  /** New index of each function, by old index; imports that were dropped map to -1. */
  readonly remap: (index: number) => number
  /** New bodies, in the order of `functions`. */
  readonly bodies: readonly Uint8Array[]
}

export function encodeModule(module: Module, { remap, bodies }: Encoding): Uint8Array<ArrayBuffer> {
  const out = new Writer(1 << 16)
  out.bytes([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
  const content = new Writer(1 << 16)
  const section = (id: number, fill: () => void) => {
    content.clear()
    fill()
    out.byte(id)
    out.sized(content.view())
  }
  const vector = <T>(id: number, items: readonly T[], one: (item: T) => void) => {
    if (items.length === 0) return
    section(id, () => {
      content.u32(items.length)
      for (const item of items) one(item)
    })
  }
  const copy = (id: number) => {
    const bytes = module.raw.get(id)
    if (bytes) section(id, () => content.bytes(bytes))
  }

  vector(SECTION.type, module.types, (type) => {
    content.byte(0x60)
    content.sized(Uint8Array.from(type.parameters))
    content.sized(Uint8Array.from(type.results))
  })
  vector(SECTION.import, module.imports, (item) => {
    content.name(item.module)
    content.name(item.name)
    content.byte(item.kind)
    if (item.kind === FUNCTION) content.u32(item.type)
    else content.bytes(item.bytes)
  })
  vector(SECTION.function, module.functions, (type) => content.u32(type))
  copy(SECTION.table)
  if (module.memory.defined) {
    section(SECTION.memory, () => {
      const { minimum, maximum } = module.memory
      content.bytes([1, maximum === undefined ? 0 : 1])
      content.u32(minimum)
      if (maximum !== undefined) content.u32(maximum)
    })
  }
  vector(SECTION.global, module.globals, (item) => {
    content.byte(item.type)
    content.byte(item.mutable ? 1 : 0)
    content.bytes(item.init)
  })
  vector(SECTION.export, module.exports, (item) => {
    content.name(item.name)
    content.byte(item.kind)
    content.u32(item.kind === FUNCTION ? remap(item.index) : item.index)
  })
  if (module.start !== undefined) section(SECTION.start, () => content.u32(remap(module.start!)))
  vector(SECTION.element, module.elements, (item) => {
    content.u32(item.flags)
    content.bytes(item.head)
    content.bytes(item.kind)
    content.u32(item.functions.length)
    for (const f of item.functions) content.u32(remap(f))
  })
  copy(SECTION.dataCount)
  vector(SECTION.code, bodies, (body) => content.sized(body))
  copy(SECTION.data)
  section(SECTION.custom, () => {
    content.name('name')
    writeNames(content, module.functionNames, remap)
  })
  return out.view()
}

function writeNames(out: Writer, names: readonly string[], remap: (index: number) => number): void {
  const entries: [number, string][] = []
  names.forEach((name, index) => {
    const fresh = remap(index)
    if (fresh >= 0) entries.push([fresh, name])
  })
  entries.sort((a, b) => a[0] - b[0])
  const content = new Writer(1 << 14)
  content.u32(entries.length)
  for (const [index, name] of entries) {
    content.u32(index)
    content.name(name)
  }
  out.byte(1)
  out.sized(content.view())
}
