/**
 * A WebAssembly module, decoded as far as rewriting needs: functions can be added, imports added and dropped, globals
 * and exports changed. Function bodies stay bytes. All function indexes inside are those of the original; `encodeModule`
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
  hasTags: boolean
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

/** Kinds of imports and exports. */
export const KIND = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const
