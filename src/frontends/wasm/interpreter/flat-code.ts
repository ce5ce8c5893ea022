import { arityOf } from '../rewrite/arity.js'
import { Reader } from '../rewrite/bytes.js'
import { memoryArgument, OP, skipImmediates, TYPE } from '../rewrite/instructions.js'
import type { FunctionType, Module } from '../rewrite/module.js'
import { UnsupportedError } from '../toolchain/errors.js'

/**
 * A function as the interpreter runs it: words, each instruction followed by its immediates. Opcodes are those of
 * WebAssembly where they can be, and these.
 *
 * A branch has three words: where to go on, how many values it takes along, and how high the stack of the frame, locals
 * included, is below them there.
 */
export const FLAT = {
  /** Where: if the operand is zero. */
  jumpIfZero: 0x04,
  jump: 0x05,
  /** Index among the imports. */
  callImport: 0x12,
  memoryCopy: 0xe0,
  memoryFill: 0xe1,
  /** Segment. */
  memoryInit: 0xe2,
  dataDrop: 0xe3,
  /** Number of the instruction, offset. */
  atomic: 0xe4,
  /** Number of an instruction that is left to `numeric.ts`, operands, results. */
  numeric: 0xe5,
} as const

/** Numbers of instructions that have a prefix: `i32.trunc_sat_f32_s` and its kin. */
export const SATURATING = 0x100

export interface FlatFunction {
  readonly code: Int32Array
  readonly parameters: number
  /** Parameters included. */
  readonly locals: number
  readonly results: number
  /** Values that its frame may hold. */
  readonly height: number
}

interface Block {
  /** A branch to it goes to its beginning. */
  readonly isLoop: boolean
  /** Stack below its operands. */
  readonly height: number
  readonly parameters: number
  readonly results: number
  readonly start: number
  /** Places to write its end to. */
  readonly ends: number[]
  /** Where an `if` jumps to when there is nothing to do; -1 once that is known. */
  otherwise: number
}

/** Turns the body of a function into words. */
export function flatten(module: Module, index: number): FlatFunction {
  return new Flattener(module, index).flatten()
}

/** Types of all functions, imports first. */
export function typeOf(module: Module, index: number): FunctionType {
  const imported = module.imports.filter(({ kind }) => kind === 0)
  return module.types[
    index < imported.length ? imported[index].type : module.functions[index - imported.length]
  ]
}

class Flattener {
  private readonly r: Reader
  private readonly code: number[] = []
  private readonly blocks: Block[] = []
  private readonly type: FunctionType
  private readonly imports: number
  private height = 0
  private highest = 0

  constructor(
    private readonly module: Module,
    private readonly index: number,
  ) {
    this.imports = module.imports.filter(({ kind }) => kind === 0).length
    const { bytes, start, end } = module.bodies[index - this.imports]
    this.r = new Reader(bytes, start, end)
    this.type = module.types[module.functions[index - this.imports]]
  }

  flatten(): FlatFunction {
    const { r, type } = this
    let locals = type.parameters.length
    for (let groups = r.u32(); groups > 0; groups--) {
      locals += r.u32()
      if (r.byte() === TYPE.v128) this.refuse()
    }
    this.height = locals
    this.open(false, 0, type.results.length)
    while (this.blocks.length > 0) this.instruction()
    this.code.push(OP.return, type.results.length)
    return {
      code: Int32Array.from(this.code),
      parameters: type.parameters.length,
      locals,
      results: type.results.length,
      height: this.highest + 1,
    }
  }

  private refuse(): never {
    const name = this.module.functionNames[this.index] ?? `function ${this.index}`
    throw new UnsupportedError(`${name} uses vector instructions, which symbolic inputs do not go with`, [])
  }

  private open(isLoop: boolean, parameters: number, results: number): Block {
    const block: Block = {
      isLoop,
      height: this.height - parameters,
      parameters,
      results,
      start: this.code.length,
      ends: [],
      otherwise: -1,
    }
    this.blocks.push(block)
    return block
  }

  private blockType(): { parameters: number; results: number } {
    const type = this.r.s32()
    if (type >= 0) {
      const { parameters, results } = this.module.types[type]
      return { parameters: parameters.length, results: results.length }
    }
    return { parameters: 0, results: type === -64 ? 0 : 1 }
  }

  private pop(count: number): void {
    this.height -= count
  }

  private push(count: number): void {
    this.height += count
    if (this.height > this.highest) this.highest = this.height
  }

  private branch(depth: number): void {
    const block = this.blocks[this.blocks.length - 1 - depth]
    if (block.isLoop) this.code.push(block.start, block.parameters, block.height)
    else {
      block.ends.push(this.code.length)
      this.code.push(0, block.results, block.height)
    }
  }

  /** What comes after an instruction that never goes on, up to where something can come to again. */
  private skipUnreachable(): void {
    let depth = 0
    for (;;) {
      const at = this.r.at
      const op = this.r.byte()
      if (op === OP.block || op === OP.loop || op === OP.if) depth++
      else if (depth === 0 && (op === OP.end || op === OP.else)) {
        this.r.at = at
        const block = this.blocks[this.blocks.length - 1]
        this.height = block.height + block.results
        return
      } else if (op === OP.end) depth--
      skipImmediates(this.r, op)
    }
  }

  private end(): void {
    const block = this.blocks.pop()!
    if (block.otherwise >= 0) this.code[block.otherwise] = this.code.length
    for (const at of block.ends) this.code[at] = this.code.length
    this.height = block.height + block.results
  }

  private instruction(): void {
    const { r, code } = this
    const op = r.byte()
    switch (op) {
      case OP.unreachable:
        code.push(op)
        this.skipUnreachable()
        return
      case 0x01:
        return
      case OP.block:
      case OP.loop: {
        const { parameters, results } = this.blockType()
        this.open(op === OP.loop, parameters, results)
        return
      }
      case OP.if: {
        const { parameters, results } = this.blockType()
        this.pop(1)
        code.push(FLAT.jumpIfZero, 0)
        this.open(false, parameters, results).otherwise = code.length - 1
        return
      }
      case OP.else: {
        const block = this.blocks[this.blocks.length - 1]
        code.push(FLAT.jump, 0)
        block.ends.push(code.length - 1)
        code[block.otherwise] = code.length
        block.otherwise = -1
        this.height = block.height + block.parameters
        return
      }
      case OP.end:
        this.end()
        return
      case OP.br:
        code.push(op)
        this.branch(r.u32())
        this.skipUnreachable()
        return
      case OP.brIf:
        this.pop(1)
        code.push(op)
        this.branch(r.u32())
        return
      case OP.brTable: {
        this.pop(1)
        const count = r.u32()
        code.push(op, count)
        for (let i = 0; i <= count; i++) this.branch(r.u32())
        this.skipUnreachable()
        return
      }
      case OP.return:
        code.push(op, this.type.results.length)
        this.skipUnreachable()
        return
      case OP.call: {
        const callee = r.u32()
        const { parameters, results } = typeOf(this.module, callee)
        if (callee < this.imports) code.push(FLAT.callImport, callee)
        else code.push(op, callee)
        this.pop(parameters.length)
        this.push(results.length)
        return
      }
      case OP.callIndirect: {
        const type = r.u32()
        const table = r.u32()
        if (table !== 0)
          throw new UnsupportedError('several tables of functions do not go with symbolic inputs', [])
        const { parameters, results } = this.module.types[type]
        code.push(op, type)
        this.pop(1 + parameters.length)
        this.push(results.length)
        return
      }
      default:
        this.simple(op)
    }
  }

  /** Instructions without control. */
  private simple(op: number): void {
    const { r, code } = this
    switch (op) {
      case OP.drop:
        code.push(op)
        this.pop(1)
        return
      case 0x1c:
        r.skip(r.u32())
        code.push(OP.select)
        this.pop(2)
        return
      case OP.select:
        code.push(op)
        this.pop(2)
        return
      case OP.localGet:
      case OP.globalGet:
        code.push(op, r.u32())
        this.push(1)
        return
      case OP.localSet:
      case OP.globalSet:
        code.push(op, r.u32())
        this.pop(1)
        return
      case OP.localTee:
        code.push(op, r.u32())
        return
      case OP.i32Const:
        code.push(op, r.s32())
        this.push(1)
        return
      case OP.i64Const: {
        const value = signed64(r)
        code.push(op, Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)))
        this.push(1)
        return
      }
      case 0x43:
        code.push(OP.i32Const, word(r))
        this.push(1)
        return
      case 0x44:
        code.push(OP.i64Const, word(r), word(r))
        this.push(1)
        return
      case OP.memorySize:
      case OP.memoryGrow:
        r.u32()
        code.push(op)
        if (op === OP.memorySize) this.push(1)
        return
      case OP.bulk:
        this.bulk(r.u32())
        return
      case OP.atomic:
        this.atomic(r.u32())
        return
    }
    if (op >= 0x28 && op <= 0x3e) {
      code.push(op, memoryArgument(r).offset | 0)
      if (op >= OP.i32Store) this.pop(2)
      return
    }
    const arity = op >= 0x45 && op <= 0xc4 ? arityOf(op, r) : undefined
    if (arity === undefined) this.refuse()
    code.push(op)
    this.pop(arity.takes)
    this.push(arity.gives)
  }

  private bulk(sub: number): void {
    const { r, code } = this
    if (sub <= 7) code.push(FLAT.numeric, SATURATING + sub, 1, 1)
    else if (sub === 8) {
      code.push(FLAT.memoryInit, r.u32())
      r.u32()
      this.pop(3)
    } else if (sub === 9) code.push(FLAT.dataDrop, r.u32())
    else if (sub === 10) {
      r.skip(2)
      code.push(FLAT.memoryCopy)
      this.pop(3)
    } else if (sub === 11) {
      r.skip(1)
      code.push(FLAT.memoryFill)
      this.pop(3)
    } else this.refuse()
  }

  private atomic(sub: number): void {
    const { r, code } = this
    if (sub === 3) {
      r.byte()
      return
    }
    if (sub < 0x10) this.refuse()
    code.push(FLAT.atomic, sub, memoryArgument(r).offset | 0)
    if (sub >= 0x17 && sub <= 0x1d) this.pop(2)
    else if (sub >= 0x48) this.pop(2)
    else if (sub >= 0x1e) this.pop(1)
  }
}

function word(r: Reader): number {
  const bytes = r.take(4)
  return bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24)
}

function signed64(r: Reader): bigint {
  let result = 0n
  let shift = 0n
  for (;;) {
    const byte = r.byte()
    result |= BigInt(byte & 0x7f) << shift
    shift += 7n
    if (byte < 0x80) return BigInt.asIntN(64, byte & 0x40 ? result - (1n << shift) : result)
  }
}
