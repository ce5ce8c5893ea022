import { OP } from '../rewrite/instructions.js'
import { effective, found, loadPart } from './accesses.js'
import { atomicAccess } from './atomics.js'
import { FLAT } from './flat-code.js'
import { type HostFunction, type Imports, Instance } from './instance.js'
import { signatureOf } from './numeric.js'
import { STACK_SIZE, type Store } from './store.js'
import { compute, decideTarget, makeConcrete, move, put, simple, sizeAt, take } from './values.js'

const PAGE = 65536
/** Numbers of functions and places in their code share a word. */
const PLACES = 1 << 20

const takes = new Uint8Array(0x110)
for (let op = 0; op < takes.length; op++) takes[op] = signatureOf(op)?.[0].length ?? 0

/**
 * Runs a module as the engine would, instruction by instruction, and notes on the way how values depend on the input
 * (concolic execution). It is given the module that the engine would be given, instrumented and asyncified, and the same
 * imports, so threads stop where they would.
 */
export class Interpreter {
  readonly exports: Readonly<Record<string, unknown>>
  private readonly instance: Instance
  private frames = new Int32Array(1 << 12)
  private depth = 0

  constructor(
    wasm: Uint8Array,
    imports: Imports,
    private readonly store: Store,
  ) {
    this.instance = new Instance(wasm, imports)
    this.exports = this.instance.exports((index) => this.exported(index))
    const { start } = this.instance.module
    if (start !== undefined) this.exported(start)()
  }

  private exported(index: number): HostFunction {
    const { store, instance } = this
    const { parameters, results } = instance.types[index]
    return (...args) => {
      const base = store.top
      const { depth } = this
      try {
        instance.lookAtMemory()
        for (let i = 0; i < parameters.length; i++) put(store, base + i, parameters[i], args[i])
        this.run(index, base)
        if (results.length === 0) return undefined
        makeConcrete(store, base, index * PLACES)
        return take(store, base, results[0])
      } finally {
        store.top = base
        this.depth = depth
      }
    }
  }

  private callHost(index: number, base: number, place: number): void {
    const { store, instance } = this
    const { parameters, results } = instance.types[index]
    const count = parameters.length
    const args: unknown[] = []
    for (let i = 0; i < count; i++) {
      makeConcrete(store, base + i, place)
      args.push(take(store, base + i, parameters[i]))
    }
    store.top = base + count
    const result = instance.imports[index](...args)
    instance.lookAtMemory()
    if (results.length > 0) put(store, base, results[0], result ?? 0)
  }

  /** Runs a function whose arguments are on the stack from `base` on; its results take their place. */
  private run(index: number, base: number): void {
    const { store, instance } = this
    const { words: S, expressions: E, path } = store
    const { shadow } = path
    const bottom = this.depth
    let current = index
    let callee = instance.function(index)
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
          if (count > 0) move(store, to, sp - count, count)
          sp = to + count
          pc = code[pc]
          break
        }
        case OP.br: {
          const count = code[pc + 1]
          const to = fp + code[pc + 2]
          if (count > 0) move(store, to, sp - count, count)
          sp = to + count
          pc = code[pc]
          break
        }
        case OP.brTable: {
          sp--
          if (E[sp] !== 0) decideTarget(store, sp, code[pc], current * PLACES + pc)
          const at = pc + 1 + 3 * Math.min(S[2 * sp] >>> 0, code[pc])
          const count = code[at + 1]
          const to = fp + code[at + 2]
          if (count > 0) move(store, to, sp - count, count)
          sp = to + count
          pc = code[at]
          break
        }
        case OP.return: {
          const count = code[pc]
          if (count > 0) move(store, fp, sp - count, count)
          sp = fp + count
          if (this.depth === bottom) return
          const { frames } = this
          fp = frames[--this.depth]
          pc = frames[--this.depth]
          current = frames[--this.depth]
          code = instance.functions[current]!.code
          break
        }
        case OP.callIndirect:
        case OP.call: {
          let target = code[pc]
          if (op === OP.callIndirect) {
            sp--
            makeConcrete(store, sp, current * PLACES + pc)
            target = instance.target(S[2 * sp] >>> 0, target)
            if (target < instance.imports.length) {
              this.callHost(target, sp - instance.types[target].parameters.length, current * PLACES + pc)
              sp += instance.types[target].results.length - instance.types[target].parameters.length
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
          callee = instance.functions[target] ?? instance.function(target)
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
          const { parameters, results } = instance.types[code[pc]]
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
          const cell = instance.cells[code[pc++]]
          S[2 * sp] = cell.low
          S[2 * sp + 1] = cell.high
          E[sp++] = 0
          break
        }
        case OP.globalSet: {
          const cell = instance.cells[code[pc++]]
          sp--
          // The host looks at them: the stack pointer, and where the log ends.
          makeConcrete(store, sp, current * PLACES + pc)
          cell.low = S[2 * sp]
          cell.high = S[2 * sp + 1]
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
          const indexed = E[sp - 1] && found(store, instance, sp - 1, code[pc], 4, current * PLACES + pc)
          const at = effective(store, instance, sp - 1, code[pc++], 4, current * PLACES + pc)
          S[2 * sp - 2] = instance.view.getInt32(at, true)
          E[sp - 1] = indexed || (shadow.isEmpty ? 0 : shadow.load(instance.bytes, at, 4))
          break
        }
        case 0x29:
        case 0x2b: {
          const indexed = E[sp - 1] && found(store, instance, sp - 1, code[pc], 8, current * PLACES + pc)
          const at = effective(store, instance, sp - 1, code[pc++], 8, current * PLACES + pc)
          S[2 * sp - 2] = instance.view.getInt32(at, true)
          S[2 * sp - 1] = instance.view.getInt32(at + 4, true)
          E[sp - 1] = indexed || (shadow.isEmpty ? 0 : shadow.load(instance.bytes, at, 8))
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
          loadPart(store, instance, op, sp - 1, code[pc++], current * PLACES + pc)
          break
        case 0x36:
        case 0x38: {
          sp -= 2
          const at = effective(store, instance, sp, code[pc++], 4, current * PLACES + pc)
          instance.view.setInt32(at, S[2 * sp + 2], true)
          if (E[sp + 1] !== 0 && path.witness.isLog(at)) makeConcrete(store, sp + 1, current * PLACES + pc)
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(instance.bytes, at, 4, E[sp + 1])
          break
        }
        case 0x37:
        case 0x39: {
          sp -= 2
          const at = effective(store, instance, sp, code[pc++], 8, current * PLACES + pc)
          instance.view.setInt32(at, S[2 * sp + 2], true)
          instance.view.setInt32(at + 4, S[2 * sp + 3], true)
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(instance.bytes, at, 8, E[sp + 1])
          break
        }
        case 0x3a:
        case 0x3c: {
          sp -= 2
          const at = effective(store, instance, sp, code[pc++], 1, current * PLACES + pc)
          instance.bytes[at] = S[2 * sp + 2]
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(instance.bytes, at, 1, E[sp + 1])
          break
        }
        case 0x3b:
        case 0x3d: {
          sp -= 2
          const at = effective(store, instance, sp, code[pc++], 2, current * PLACES + pc)
          instance.view.setInt16(at, S[2 * sp + 2], true)
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(instance.bytes, at, 2, E[sp + 1])
          break
        }
        case 0x3e: {
          sp -= 2
          const at = effective(store, instance, sp, code[pc++], 4, current * PLACES + pc)
          instance.view.setInt32(at, S[2 * sp + 2], true)
          if (E[sp + 1] !== 0 || !shadow.isEmpty) shadow.store(instance.bytes, at, 4, E[sp + 1])
          break
        }
        case OP.i32Eqz:
          if (E[sp - 1] !== 0) compute(store, op, sp - 1, 1, current * PLACES + pc)
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
          if (E[sp] !== 0 || E[sp - 1] !== 0) compute(store, op, sp - 1, 2, current * PLACES + pc)
          else S[2 * sp - 2] = simple(op, S[2 * sp - 2], S[2 * sp])
          break
        }
        case OP.memorySize:
          S[2 * sp] = instance.bytes.length / PAGE
          E[sp++] = 0
          break
        case OP.memoryGrow:
          makeConcrete(store, sp - 1, current * PLACES + pc)
          S[2 * sp - 2] = instance.grow(S[2 * sp - 2] >>> 0)
          break
        case FLAT.memoryCopy: {
          sp -= 3
          const size = sizeAt(store, sp + 2, current * PLACES + pc)
          const to = effective(store, instance, sp, 0, size, current * PLACES + pc)
          const from = effective(store, instance, sp + 1, 0, size, current * PLACES + pc)
          const lifted = shadow.lift(instance.bytes, from, size)
          instance.bytes.copyWithin(to, from, from + size)
          shadow.put(instance.bytes, to, size, lifted)
          break
        }
        case FLAT.memoryFill: {
          sp -= 3
          const size = sizeAt(store, sp + 2, current * PLACES + pc)
          const to = effective(store, instance, sp, 0, size, current * PLACES + pc)
          makeConcrete(store, sp + 1, current * PLACES + pc)
          instance.bytes.fill(S[2 * sp + 2], to, to + size)
          shadow.put(instance.bytes, to, size, null)
          break
        }
        case FLAT.memoryInit: {
          sp -= 3
          const size = sizeAt(store, sp + 2, current * PLACES + pc)
          const to = effective(store, instance, sp, 0, size, current * PLACES + pc)
          makeConcrete(store, sp + 1, current * PLACES + pc)
          const from = S[2 * sp + 2] >>> 0
          const bytes = instance.segments[code[pc++]]?.bytes ?? new Uint8Array()
          if (from + size > bytes.length) throw new WebAssembly.RuntimeError('memory access out of bounds')
          instance.bytes.set(bytes.subarray(from, from + size), to)
          shadow.put(instance.bytes, to, size, null)
          break
        }
        case FLAT.dataDrop:
          instance.segments[code[pc++]] = null
          break
        case FLAT.atomic: {
          const sub = code[pc++]
          const access = atomicAccess(sub)
          sp -= access.operands
          const at = effective(store, instance, sp - 1, code[pc++], access.size, current * PLACES + pc)
          if (at % access.size !== 0)
            throw new WebAssembly.RuntimeError('operation does not support unaligned accesses')
          access.run(store, instance.view, instance.bytes, at, sp - 1, current * PLACES + pc)
          if (access.isStore) sp--
          break
        }
        case FLAT.numeric: {
          const number = code[pc]
          compute(store, number, sp - 1, 1, current * PLACES + pc)
          pc += 3
          break
        }
        default: {
          const count = takes[op]
          sp -= count - 1
          compute(store, op, sp - 1, count, current * PLACES + pc)
        }
      }
    }
  }
}
