import { Operator } from '../../../symbolic/operator.js'
import { decodeModule } from '../rewrite/decode-module.js'
import { OP, TYPE } from '../rewrite/instructions.js'
import type { FunctionType, Module } from '../rewrite/module.js'
import { atomicAccess } from './atomics.js'
import { readSegments, type Segment } from './data-segments.js'
import { FLAT, type FlatFunction, flatten, typeOf } from './flat-code.js'
import { SLOT, signatureOf } from './numeric.js'
import { type Cell, STACK_SIZE, type Store } from './store.js'
import { symbolicResult } from './symbolic-operations.js'

const PAGE = 65536
/** Numbers of functions and places in their code share a word. */
const PLACES = 1 << 20

type HostFunction = (...args: unknown[]) => unknown

const takes = new Uint8Array(0x110)
for (let op = 0; op < takes.length; op++) takes[op] = signatureOf(op)?.[0].length ?? 0

/**
 * Runs a module as the engine would, instruction by instruction, and notes on the way how values depend on the input
 * (concolic execution). It is given the module that the engine would be given, instrumented and asyncified, and the same
 * imports, so threads stop where they would.
 */
export class Interpreter {
  readonly exports: Record<string, unknown> = {}
  readonly memory: WebAssembly.Memory
  private readonly module: Module
  private readonly imports: HostFunction[] = []
  private readonly types: FunctionType[] = []
  /** By index of a type: the first one that is equal. */
  private readonly canonical: readonly number[]
  private readonly functions: (FlatFunction | undefined)[] = []
  private readonly table: number[] = []
  private readonly segments: (Segment | null)[]
  private bytes!: Uint8Array
  private view!: DataView
  private frames = new Int32Array(1 << 12)
  private depth = 0
  readonly cells: Cell[]

  constructor(
    wasm: Uint8Array,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    private readonly store: Store,
  ) {
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
    const count = this.imports.length + module.functions.length
    for (let i = 0; i < count; i++) this.types.push(typeOf(module, i))
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
    for (const { name, kind, index } of module.exports) {
      if (kind === 0) this.exports[name] = this.exported(index)
      else if (kind === 2) this.exports[name] = this.memory
      else if (kind === 3) this.exports[name] = new CellExport(this.cells[index])
    }
    if (module.start !== undefined) this.exported(module.start)()
  }

  private initialCell(type: number, init: Uint8Array | readonly number[]): Cell {
    const cell: Cell = { type, low: 0, high: 0, value: 0 }
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

  private lookAtMemory(): void {
    if (this.bytes?.buffer === this.memory.buffer) return
    this.bytes = new Uint8Array(this.memory.buffer)
    this.view = new DataView(this.memory.buffer)
  }

  private exported(index: number): (...args: unknown[]) => unknown {
    const { parameters, results } = this.types[index]
    return (...args) => {
      const { store } = this
      const base = store.top
      const { depth } = this
      try {
        this.lookAtMemory()
        for (let i = 0; i < parameters.length; i++) this.put(base + i, parameters[i], args[i])
        this.run(index, base)
        if (results.length === 0) return undefined
        this.makeConcrete(base, index * PLACES)
        return this.take(base, results[0])
      } finally {
        store.top = base
        this.depth = depth
      }
    }
  }

  /** A value from outside. */
  private put(at: number, type: number, value: unknown): void {
    const { store } = this
    store.expressions[at] = 0
    if (type === TYPE.i32) store.words[2 * at] = value as number
    else if (type === TYPE.i64) store.longs[at] = value as bigint
    else if (type === TYPE.f32) store.singles[2 * at] = value as number
    else store.doubles[at] = value as number
  }

  private take(at: number, type: number): unknown {
    const { store } = this
    if (type === TYPE.i32) return store.words[2 * at]
    if (type === TYPE.i64) return store.longs[at]
    return type === TYPE.f32 ? store.singles[2 * at] : store.doubles[at]
  }

  private makeConcrete(at: number, place: number): void {
    const { path, words, expressions } = this.store
    const value = expressions[at]
    if (value === 0) return
    path.makeConcrete(value, words[2 * at], words[2 * at + 1], place)
    expressions[at] = 0
  }

  private callHost(index: number, base: number, place: number): void {
    const { store } = this
    const { parameters, results } = this.types[index]
    const count = parameters.length
    const args: unknown[] = []
    for (let i = 0; i < count; i++) {
      this.makeConcrete(base + i, place)
      args.push(this.take(base + i, parameters[i]))
    }
    store.top = base + count
    const result = this.imports[index](...args)
    this.lookAtMemory()
    if (results.length > 0) this.put(base, results[0], result ?? 0)
  }

  private function(index: number): FlatFunction {
    const known = this.functions[index]
    if (known !== undefined) return known
    const flat = flatten(this.module, index)
    this.functions[index] = flat
    return flat
  }

  /** Address of an access; traps if it is outside of memory. */
  private effective(at: number, offset: number, size: number, place: number): number {
    const { words, expressions } = this.store
    if (expressions[at] !== 0) {
      this.store.path.makeAddress(expressions[at], words[2 * at], offset >>> 0, size, place)
      expressions[at] = 0
    }
    const address = (words[2 * at] >>> 0) + (offset >>> 0)
    if (address + size > this.bytes.length) throw new WebAssembly.RuntimeError('memory access out of bounds')
    return address
  }

  private operands = [
    { value: 0, low: 0, high: 0 },
    { value: 0, low: 0, high: 0 },
  ]

  /** Computes with the topmost values, the first of which is at `at`; the result takes its place. */
  private compute(op: number, at: number, count: number, place: number): void {
    const { expressions, words, numerics, path } = this.store
    let value = 0
    if (expressions[at] !== 0 || (count === 2 && expressions[at + 1] !== 0)) {
      const [a, b] = this.operands
      a.value = expressions[at]
      a.low = words[2 * at]
      a.high = words[2 * at + 1]
      b.value = count === 2 ? expressions[at + 1] : 0
      b.low = words[2 * at + 2]
      b.high = words[2 * at + 3]
      value = symbolicResult(path, op, a, b, place)
      if (path.expressions.isConstant(value)) value = 0
    }
    numerics[op](at * SLOT)
    expressions[at] = value
  }

  /** Runs a function whose arguments are on the stack from `base` on; its results take their place. */
  private run(index: number, base: number): void {
    const { store } = this
    const { words: S, expressions: E, path } = store
    const { shadow } = path
    const bottom = this.depth
    let current = index
    let callee = this.function(index)
    let code = callee.code
    let pc = 0
    let fp = base
    let sp = base + callee.locals
    if (sp + callee.height > STACK_SIZE) throw new RangeError('Maximum call stack size exceeded')
    for (let i = base + callee.parameters; i < sp; i++) {
      S[2 * i] = S[2 * i + 1] = 0
      E[i] = 0
    }
    for (;;) {
      const op = code[pc++]
      switch (op) {
        case OP.unreachable:
          throw new WebAssembly.RuntimeError('unreachable')
        case FLAT.jumpIfZero: {
          sp--
          const isZero = S[2 * sp] === 0
          if (E[sp] !== 0)
            path.decide('branch', path.expressions.truth(E[sp]), !isZero, current * PLACES + pc)
          if (isZero) pc = code[pc]
          else pc++
          break
        }
        case FLAT.jump:
          pc = code[pc]
          break
        case OP.brIf: {
          sp--
          const isZero = S[2 * sp] === 0
          if (E[sp] !== 0)
            path.decide('branch', path.expressions.truth(E[sp]), !isZero, current * PLACES + pc)
          if (isZero) {
            pc += 3
            break
          }
          const count = code[pc + 1]
          const to = fp + code[pc + 2]
          if (count > 0) this.move(to, sp - count, count)
          sp = to + count
          pc = code[pc]
          break
        }
        case OP.br: {
          const count = code[pc + 1]
          const to = fp + code[pc + 2]
          if (count > 0) this.move(to, sp - count, count)
          sp = to + count
          pc = code[pc]
          break
        }
        case OP.brTable: {
          sp--
          if (E[sp] !== 0) this.decideTarget(sp, code[pc], current * PLACES + pc)
          const at = pc + 1 + 3 * Math.min(S[2 * sp] >>> 0, code[pc])
          const count = code[at + 1]
          const to = fp + code[at + 2]
          if (count > 0) this.move(to, sp - count, count)
          sp = to + count
          pc = code[at]
          break
        }
        case OP.return: {
          const count = code[pc]
          if (count > 0) this.move(fp, sp - count, count)
          sp = fp + count
          if (this.depth === bottom) return
          const { frames } = this
          fp = frames[--this.depth]
          pc = frames[--this.depth]
          current = frames[--this.depth]
          code = this.functions[current]!.code
          break
        }
        case OP.callIndirect:
        case OP.call: {
          let target = code[pc]
          if (op === OP.callIndirect) {
            sp--
            this.makeConcrete(sp, current * PLACES + pc)
            target = this.target(S[2 * sp] >>> 0, target)
            if (target < this.imports.length) {
              this.callHost(target, sp - this.types[target].parameters.length, current * PLACES + pc)
              sp += this.types[target].results.length - this.types[target].parameters.length
              pc++
              break
            }
          }
          if (this.depth + 3 > this.frames.length) {
            if (this.depth > 1 << 16) throw new RangeError('Maximum call stack size exceeded')
            const longer = new Int32Array(2 * this.frames.length)
            longer.set(this.frames)
            this.frames = longer
          }
          this.frames[this.depth++] = current
          this.frames[this.depth++] = pc + 1
          this.frames[this.depth++] = fp
          callee = this.functions[target] ?? this.function(target)
          current = target
          code = callee.code
          pc = 0
          fp = sp - callee.parameters
          const top = fp + callee.locals
          if (top + callee.height > STACK_SIZE) throw new RangeError('Maximum call stack size exceeded')
          for (let i = sp; i < top; i++) {
            S[2 * i] = S[2 * i + 1] = 0
            E[i] = 0
          }
          sp = top
          break
        }
        case FLAT.callImport: {
          const { parameters, results } = this.types[code[pc]]
          sp -= parameters.length
          this.callHost(code[pc], sp, current * PLACES + pc)
          sp += results.length
          pc++
          break
        }
        case OP.drop:
          sp--
          break
        case OP.select: {
          sp -= 2
          const isZero = S[2 * sp + 2] === 0
          if (E[sp + 1] !== 0)
            path.decide('branch', path.expressions.truth(E[sp + 1]), !isZero, current * PLACES + pc)
          if (isZero) {
            S[2 * sp - 2] = S[2 * sp]
            S[2 * sp - 1] = S[2 * sp + 1]
            E[sp - 1] = E[sp]
          }
          break
        }
        case OP.localGet: {
          const from = fp + code[pc++]
          S[2 * sp] = S[2 * from]
          S[2 * sp + 1] = S[2 * from + 1]
          E[sp++] = E[from]
          break
        }
        case OP.localSet: {
          const to = fp + code[pc++]
          sp--
          S[2 * to] = S[2 * sp]
          S[2 * to + 1] = S[2 * sp + 1]
          E[to] = E[sp]
          break
        }
        case OP.localTee: {
          const to = fp + code[pc++]
          S[2 * to] = S[2 * sp - 2]
          S[2 * to + 1] = S[2 * sp - 1]
          E[to] = E[sp - 1]
          break
        }
        case OP.globalGet: {
          const cell = this.cells[code[pc++]]
          S[2 * sp] = cell.low
          S[2 * sp + 1] = cell.high
          E[sp++] = cell.value
          break
        }
        case OP.globalSet: {
          const cell = this.cells[code[pc++]]
          sp--
          cell.low = S[2 * sp]
          cell.high = S[2 * sp + 1]
          cell.value = E[sp]
          break
        }
        case OP.i32Const:
          S[2 * sp] = code[pc++]
          E[sp++] = 0
          break
        case OP.i64Const:
          S[2 * sp] = code[pc++]
          S[2 * sp + 1] = code[pc++]
          E[sp++] = 0
          break
        case 0x28:
        case 0x2a: {
          const at = this.effective(sp - 1, code[pc++], 4, current * PLACES + pc)
          S[2 * sp - 2] = this.view.getInt32(at, true)
          E[sp - 1] = shadow.isEmpty ? 0 : shadow.load(this.bytes, at, 4)
          break
        }
        case 0x29:
        case 0x2b: {
          const at = this.effective(sp - 1, code[pc++], 8, current * PLACES + pc)
          S[2 * sp - 2] = this.view.getInt32(at, true)
          S[2 * sp - 1] = this.view.getInt32(at + 4, true)
          E[sp - 1] = shadow.isEmpty ? 0 : shadow.load(this.bytes, at, 8)
          break
        }
        case 0x2c:
        case 0x2d:
        case 0x2e:
        case 0x2f:
        case 0x30:
        case 0x31:
        case 0x32:
        case 0x33:
        case 0x34:
        case 0x35:
          this.loadPart(op, sp - 1, code[pc++], current * PLACES + pc)
          break
        case 0x36:
        case 0x38: {
          sp -= 2
          const at = this.effective(sp, code[pc++], 4, current * PLACES + pc)
          this.view.setInt32(at, S[2 * sp + 2], true)
          if (E[sp + 1] !== 0 && path.witness.isLog(at)) this.makeConcrete(sp + 1, current * PLACES + pc)
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(this.bytes, at, 4, E[sp + 1])
          break
        }
        case 0x37:
        case 0x39: {
          sp -= 2
          const at = this.effective(sp, code[pc++], 8, current * PLACES + pc)
          this.view.setInt32(at, S[2 * sp + 2], true)
          this.view.setInt32(at + 4, S[2 * sp + 3], true)
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(this.bytes, at, 8, E[sp + 1])
          break
        }
        case 0x3a:
        case 0x3c: {
          sp -= 2
          const at = this.effective(sp, code[pc++], 1, current * PLACES + pc)
          this.bytes[at] = S[2 * sp + 2]
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(this.bytes, at, 1, E[sp + 1])
          break
        }
        case 0x3b:
        case 0x3d: {
          sp -= 2
          const at = this.effective(sp, code[pc++], 2, current * PLACES + pc)
          this.view.setInt16(at, S[2 * sp + 2], true)
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(this.bytes, at, 2, E[sp + 1])
          break
        }
        case 0x3e: {
          sp -= 2
          const at = this.effective(sp, code[pc++], 4, current * PLACES + pc)
          this.view.setInt32(at, S[2 * sp + 2], true)
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(this.bytes, at, 4, E[sp + 1])
          break
        }
        case OP.i32Eqz:
          if (E[sp - 1] !== 0) this.compute(op, sp - 1, 1, current * PLACES + pc)
          else S[2 * sp - 2] = S[2 * sp - 2] === 0 ? 1 : 0
          break
        case OP.i32Eq:
        case OP.i32Ne:
        case 0x48:
        case 0x49:
        case 0x4a:
        case 0x4b:
        case 0x4c:
        case 0x4d:
        case 0x4e:
        case 0x4f:
        case 0x6a:
        case 0x6b:
        case 0x6c:
        case 0x71:
        case 0x72:
        case 0x73:
        case 0x74:
        case 0x75:
        case 0x76: {
          sp--
          if (E[sp] !== 0 || E[sp - 1] !== 0) this.compute(op, sp - 1, 2, current * PLACES + pc)
          else S[2 * sp - 2] = simple(op, S[2 * sp - 2], S[2 * sp])
          break
        }
        case OP.memorySize:
          S[2 * sp] = this.bytes.length / PAGE
          E[sp++] = 0
          break
        case OP.memoryGrow:
          this.makeConcrete(sp - 1, current * PLACES + pc)
          S[2 * sp - 2] = this.grow(S[2 * sp - 2] >>> 0)
          break
        case FLAT.memoryCopy: {
          sp -= 3
          const size = this.size(sp + 2, current * PLACES + pc)
          const to = this.effective(sp, 0, size, current * PLACES + pc)
          const from = this.effective(sp + 1, 0, size, current * PLACES + pc)
          const lifted = shadow.lift(this.bytes, from, size)
          this.bytes.copyWithin(to, from, from + size)
          shadow.put(this.bytes, to, size, lifted)
          break
        }
        case FLAT.memoryFill: {
          sp -= 3
          const size = this.size(sp + 2, current * PLACES + pc)
          const to = this.effective(sp, 0, size, current * PLACES + pc)
          this.makeConcrete(sp + 1, current * PLACES + pc)
          this.bytes.fill(S[2 * sp + 2], to, to + size)
          shadow.put(this.bytes, to, size, null)
          break
        }
        case FLAT.memoryInit: {
          sp -= 3
          const size = this.size(sp + 2, current * PLACES + pc)
          const to = this.effective(sp, 0, size, current * PLACES + pc)
          this.makeConcrete(sp + 1, current * PLACES + pc)
          const from = S[2 * sp + 2] >>> 0
          const bytes = this.segments[code[pc++]]?.bytes ?? new Uint8Array()
          if (from + size > bytes.length) throw new WebAssembly.RuntimeError('memory access out of bounds')
          this.bytes.set(bytes.subarray(from, from + size), to)
          shadow.put(this.bytes, to, size, null)
          break
        }
        case FLAT.dataDrop:
          this.segments[code[pc++]] = null
          break
        case FLAT.atomic: {
          const sub = code[pc++]
          const access = atomicAccess(sub)
          sp -= access.operands
          const at = this.effective(sp - 1, code[pc++], access.size, current * PLACES + pc)
          if (at % access.size !== 0)
            throw new WebAssembly.RuntimeError('operation does not support unaligned accesses')
          access.run(store, this.view, this.bytes, at, sp - 1, current * PLACES + pc)
          if (access.isStore) sp--
          break
        }
        case FLAT.numeric: {
          const number = code[pc]
          this.compute(number, sp - 1, 1, current * PLACES + pc)
          pc += 3
          break
        }
        default: {
          const count = takes[op]
          sp -= count - 1
          this.compute(op, sp - 1, count, current * PLACES + pc)
        }
      }
    }
  }

  /** Loads that extend what they load. */
  private loadPart(op: number, at: number, offset: number, place: number): void {
    const { words, expressions, path } = this.store
    const [size, isSigned, is64] = parts[op - 0x2c]
    const address = this.effective(at, offset, size, place)
    let low = 0
    if (size === 1) low = isSigned ? this.view.getInt8(address) : this.bytes[address]
    else if (size === 2)
      low = isSigned ? this.view.getInt16(address, true) : this.view.getUint16(address, true)
    else low = this.view.getInt32(address, true)
    words[2 * at] = low
    if (is64) words[2 * at + 1] = isSigned && low < 0 ? -1 : 0
    expressions[at] = 0
    if (path.shadow.isEmpty) return
    const loaded = path.shadow.load(this.bytes, address, size)
    if (loaded === 0) return
    expressions[at] = path.expressions[isSigned ? 'extendSigned' : 'extendUnsigned'](loaded, is64 ? 64 : 32)
  }

  private move(to: number, from: number, count: number): void {
    if (to === from) return
    const { words, expressions } = this.store
    words.copyWithin(2 * to, 2 * from, 2 * (from + count))
    expressions.copyWithin(to, from, from + count)
  }

  /** A number of bytes. */
  private size(at: number, place: number): number {
    this.makeConcrete(at, place)
    return this.store.words[2 * at] >>> 0
  }

  private grow(pages: number): number {
    try {
      const before = this.memory.grow(pages)
      this.lookAtMemory()
      return before
    } catch {
      return -1
    }
  }

  private target(element: number, type: number): number {
    const target = this.table[element]
    if (element >= this.table.length) throw new WebAssembly.RuntimeError('table index is out of bounds')
    const own = target === undefined ? -1 : this.typeIndex(target)
    if (own < 0 || this.canonical[own] !== this.canonical[type])
      throw new WebAssembly.RuntimeError('null function or function signature mismatch')
    return target
  }

  private typeIndex(index: number): number {
    const { imports, functions } = this.module
    const imported = imports.filter(({ kind }) => kind === 0)
    return index < imported.length ? imported[index].type : functions[index - imported.length]
  }

  /** Which target a `br_table` has is a question of its operand: all from the last one on go to the same. */
  private decideTarget(at: number, count: number, place: number): void {
    const { path, words, expressions } = this.store
    const number = words[2 * at] >>> 0
    const value = expressions[at]
    const { expressions: made } = path
    const constant = made.constant(BigInt(Math.min(number, count)), 32)
    const isThat =
      number < count
        ? made.equal(value, constant)
        : made.not(made.binary(Operator.lessUnsigned, value, constant))
    path.answer('branch', isThat, value, place)
  }
}

/** Loads of parts of a number, from `i32.load8_s` on: bytes, whether signed, whether to 64 bits. */
const parts: readonly (readonly [number, boolean, boolean])[] = [
  [1, true, false],
  [1, false, false],
  [2, true, false],
  [2, false, false],
  [1, true, true],
  [1, false, true],
  [2, true, true],
  [2, false, true],
  [4, true, true],
  [4, false, true],
]

/** A global as the host sees it. */
class CellExport {
  constructor(readonly cell: Cell) {}

  get value(): number {
    return this.cell.low
  }

  set value(value: number) {
    this.cell.low = value
    this.cell.value = 0
  }
}

/** Instructions on 32 bits that most of a program consists of. */
function simple(op: number, a: number, b: number): number {
  switch (op) {
    case 0x46:
      return a === b ? 1 : 0
    case 0x47:
      return a !== b ? 1 : 0
    case 0x48:
      return a < b ? 1 : 0
    case 0x49:
      return a >>> 0 < b >>> 0 ? 1 : 0
    case 0x4a:
      return a > b ? 1 : 0
    case 0x4b:
      return a >>> 0 > b >>> 0 ? 1 : 0
    case 0x4c:
      return a <= b ? 1 : 0
    case 0x4d:
      return a >>> 0 <= b >>> 0 ? 1 : 0
    case 0x4e:
      return a >= b ? 1 : 0
    case 0x4f:
      return a >>> 0 >= b >>> 0 ? 1 : 0
    case 0x6a:
      return (a + b) | 0
    case 0x6b:
      return (a - b) | 0
    case 0x6c:
      return Math.imul(a, b)
    case 0x71:
      return a & b
    case 0x72:
      return a | b
    case 0x73:
      return a ^ b
    case 0x74:
      return a << b
    case 0x75:
      return a >> b
    default:
      return (a >>> b) | 0
  }
}
