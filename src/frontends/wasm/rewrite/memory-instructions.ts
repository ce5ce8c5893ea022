import type { Reader } from './bytes.js'
import { memoryArgument, OP, TYPE } from './instructions.js'

export interface PlainAccess {
  readonly kind: 'load' | 'store' | 'atomicLoad' | 'atomicStore'
  /** Bytes accessed. */
  readonly size: number
  readonly offset: number
  /** Type of the operand above the address, if there is one. */
  readonly operand?: number
}

/** An instruction that touches memory. Its address is below its operands on the stack. */
export type MemoryInstruction =
  | PlainAccess
  | {
      readonly kind: 'atomicUpdate'
      readonly size: number
      readonly offset: number
      readonly operand: number
      /** A compare-exchange: what is expected comes before the operand. */
      readonly compares: boolean
      /** When it changes what is there, where the instruction tells: see `LogWord`. */
      readonly change?: 'exchanges' | 'isUniform' | undefined
    }
  | { readonly kind: 'fence' }
  /** Target, source and length; target, value and length; target, offset in the segment and length. */
  | { readonly kind: 'copy' }
  | { readonly kind: 'fill' }
  | { readonly kind: 'init'; readonly segment: number }
  | { readonly kind: 'drop'; readonly segment: number }
  | { readonly kind: 'size' }
  | { readonly kind: 'grow' }

const { i32, i64, f32, f64, v128 } = TYPE

/** Bytes and type of the plain accesses, from `i32.load` on. */
const loads = [4, 8, 4, 8, 1, 1, 2, 2, 1, 1, 2, 2, 4, 4] as const
const stores = [
  [4, i32],
  [8, i64],
  [4, f32],
  [8, f64],
  [1, i32],
  [2, i32],
  [1, i64],
  [2, i64],
  [4, i64],
] as const
/** Atomics come in groups of these: `i32`, `i64`, `i32` of 8 and 16 bits, `i64` of 8, 16 and 32 bits. */
const atomicShapes = [
  [4, i32],
  [8, i64],
  [1, i32],
  [2, i32],
  [1, i64],
  [2, i64],
  [4, i64],
] as const
const FENCE = 0x03
const FIRST_ATOMIC = 0x10
const GROUP = atomicShapes.length
/** Groups: load, store, add, sub, and, or, xor, exchange, compare-exchange. */
const COMPARE_EXCHANGE = 8
const changes: readonly ('exchanges' | 'isUniform' | undefined)[] = [
  undefined,
  undefined,
  'isUniform',
  'isUniform',
  undefined,
  undefined,
  'isUniform',
  'exchanges',
]

/** Bytes of `v128.load` and its variants, which extend or repeat what they read. */
const vectorLoads = [16, 8, 8, 8, 8, 8, 8, 1, 2, 4, 8] as const
const VECTOR_STORE = 11
const FIRST_LANE_LOAD = 84
const FIRST_LANE_STORE = 88
const FIRST_ZERO_LOAD = 92

/**
 * Reads the instruction whose first byte has just been read, if it is one of these; else leaves the reader where it is.
 * Waiting on addresses is not among them: the machine does that.
 */
export function memoryInstruction(r: Reader, op: number): MemoryInstruction | undefined {
  if (op >= OP.i32Load && op < OP.i32Store) {
    return { kind: 'load', size: loads[op - OP.i32Load], offset: memoryArgument(r).offset }
  }
  if (op >= OP.i32Store && op < OP.memorySize) {
    const [size, operand] = stores[op - OP.i32Store]
    return { kind: 'store', size, operand, offset: memoryArgument(r).offset }
  }
  if (op === OP.memorySize || op === OP.memoryGrow) {
    r.skipLeb()
    return { kind: op === OP.memorySize ? 'size' : 'grow' }
  }
  const start = r.at
  const found =
    op === OP.bulk ? bulk(r) : op === OP.atomic ? atomic(r) : op === OP.vector ? vector(r) : undefined
  if (found === undefined) r.at = start
  return found
}

function bulk(r: Reader): MemoryInstruction | undefined {
  switch (r.u32()) {
    case 8: {
      const segment = r.u32()
      r.skipLeb()
      return { kind: 'init', segment }
    }
    case 9:
      return { kind: 'drop', segment: r.u32() }
    case 10:
      r.skipLeb()
      r.skipLeb()
      return { kind: 'copy' }
    case 11:
      r.skipLeb()
      return { kind: 'fill' }
    default:
      return undefined
  }
}

function atomic(r: Reader): MemoryInstruction | undefined {
  const sub = r.u32()
  if (sub === FENCE) {
    r.byte()
    return { kind: 'fence' }
  }
  const group = Math.floor((sub - FIRST_ATOMIC) / GROUP)
  if (group < 0 || group > COMPARE_EXCHANGE) return undefined
  const [size, type] = atomicShapes[(sub - FIRST_ATOMIC) % GROUP]
  const { offset } = memoryArgument(r)
  if (group === 0) return { kind: 'atomicLoad', size, offset }
  if (group === 1) return { kind: 'atomicStore', size, operand: type, offset }
  return {
    kind: 'atomicUpdate',
    size,
    offset,
    operand: type,
    compares: group === COMPARE_EXCHANGE,
    change: changes[group],
  }
}

function vector(r: Reader): MemoryInstruction | undefined {
  const sub = r.u32()
  if (sub < VECTOR_STORE) return { kind: 'load', size: vectorLoads[sub], offset: memoryArgument(r).offset }
  if (sub === VECTOR_STORE) {
    return { kind: 'store', size: 16, operand: v128, offset: memoryArgument(r).offset }
  }
  if (sub >= FIRST_LANE_LOAD && sub < FIRST_ZERO_LOAD) {
    const isLoad = sub < FIRST_LANE_STORE
    const { offset } = memoryArgument(r)
    r.byte()
    const size = 1 << ((sub - FIRST_LANE_LOAD) % 4)
    return { kind: isLoad ? 'load' : 'store', size, operand: v128, offset }
  }
  if (sub === FIRST_ZERO_LOAD || sub === FIRST_ZERO_LOAD + 1) {
    return { kind: 'load', size: sub === FIRST_ZERO_LOAD ? 4 : 8, offset: memoryArgument(r).offset }
  }
  return undefined
}
