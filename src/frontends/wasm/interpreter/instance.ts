import { decodeModule } from '../rewrite/decode-module.js'
import { OP } from '../rewrite/instructions.js'
import type { FunctionType, Module } from '../rewrite/module.js'
import { readSegments, type Segment } from './data-segments.js'
import { type FlatFunction, flatten, typeOf } from './flat-code.js'
import type { Cell } from './store.js'

export type HostFunction = (...args: unknown[]) => unknown
export type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A decoded module with what it imports: what instructions refer to by number. */
export class Instance {
  readonly memory: WebAssembly.Memory
  readonly module: Module
  readonly imports: HostFunction[] = []
  readonly types: FunctionType[] = []
  /** Functions in the form that is run, once they have been called. */
  readonly functions: (FlatFunction | undefined)[] = []
  readonly cells: Cell[]
  readonly segments: (Segment | null)[]
  /** The memory as it is now: `lookAtMemory` after whatever may have made it grow. */
  bytes!: Uint8Array
  view!: DataView
  /** By index of a type: the first one that is equal. */
  private readonly canonical: readonly number[]
  private readonly typeIndexes: readonly number[]
  private readonly table: number[] = []

  constructor(wasm: Uint8Array, imports: Imports) {
    const module = decodeModule(wasm)
    this.module = module
    const importedCells: Cell[] = []
    let memory: WebAssembly.Memory | undefined
    for (const { module: from, name, kind } of module.imports) {
      const found = imports[from]?.[name]
      if (kind === 0) this.imports.push(found as HostFunction)
      else if (kind === 2) memory = found as WebAssembly.Memory
      else if (kind === 3) importedCells.push((found as { cell: Cell }).cell)
    }
    const { minimum, maximum } = module.memory
    this.memory =
      memory ?? new WebAssembly.Memory({ initial: minimum, ...(maximum === undefined ? {} : { maximum }) })
    const imported = module.imports.filter(({ kind }) => kind === 0)
    this.typeIndexes = [...imported.map(({ type }) => type), ...module.functions]
    for (let i = 0; i < this.typeIndexes.length; i++) this.types.push(typeOf(module, i))
    const written = module.types.map(({ parameters, results }) => `${[...parameters]}:${[...results]}`)
    this.canonical = written.map((type) => written.indexOf(type))
    this.cells = [...importedCells]
    for (const { type, init } of module.globals) this.cells.push(this.initialCell(type, init))
    this.lookAtMemory()
    for (const { offset, functions } of module.elements) {
      if (offset >= 0) for (const [i, index] of functions.entries()) this.table[offset + i] = index
    }
    this.segments = readSegments(module)
    for (const segment of this.segments) {
      if (segment !== null && segment.offset >= 0) this.bytes.set(segment.bytes, segment.offset)
    }
  }

  private initialCell(type: number, init: Uint8Array | readonly number[]): Cell {
    const cell: Cell = { type, low: 0, high: 0 }
    const code = flatten(
      {
        ...this.module,
        imports: [],
        types: [{ parameters: [], results: [type] }],
        functions: [0],
        bodies: [{ bytes: Uint8Array.from([0, ...init]), start: 0, end: init.length + 1 }],
      },
      0,
    ).code
    if (code[0] === OP.globalGet) return { ...this.cells[code[1]] }
    cell.low = code[1]
    if (code[0] === OP.i64Const) cell.high = code[2]
    return cell
  }

  lookAtMemory(): void {
    if (this.bytes?.buffer === this.memory.buffer) return
    this.bytes = new Uint8Array(this.memory.buffer)
    this.view = new DataView(this.memory.buffer)
  }

  /** `memory.grow`: the pages before, or -1. */
  grow(pages: number): number {
    try {
      const before = this.memory.grow(pages)
      this.lookAtMemory()
      return before
    } catch {
      return -1
    }
  }

  function(index: number): FlatFunction {
    const known = this.functions[index]
    if (known !== undefined) return known
    const flat = flatten(this.module, index)
    this.functions[index] = flat
    return flat
  }

  /** What an element of the table calls as a function of that type. */
  target(element: number, type: number): number {
    if (element >= this.table.length) throw new WebAssembly.RuntimeError('table index is out of bounds')
    const target = this.table[element]
    if (target === undefined || this.canonical[this.typeIndexes[target]] !== this.canonical[type])
      throw new WebAssembly.RuntimeError('null function or function signature mismatch')
    return target
  }

  /** What the module exports; its functions are called by `call`. */
  exports(call: (index: number) => HostFunction): Record<string, unknown> {
    const exports: Record<string, unknown> = {}
    for (const { name, kind, index } of this.module.exports) {
      if (kind === 0) exports[name] = call(index)
      else if (kind === 2) exports[name] = this.memory
      else if (kind === 3) exports[name] = new CellExport(this.cells[index])
    }
    return exports
  }
}

/** A global as the host sees it. */
class CellExport {
  constructor(readonly cell: Cell) {}

  get value(): number {
    return this.cell.low
  }

  set value(value: number) {
    this.cell.low = value
  }
}
