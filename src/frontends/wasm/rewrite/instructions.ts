import { type Reader, WasmFormatError } from './bytes.js'

/** Opcodes the rewriter looks at or emits; the rest are only passed over. */
export const OP = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  throw: 0x08,
  throwRef: 0x0a,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  drop: 0x1a,
  select: 0x1b,
  tryTable: 0x1f,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Load: 0x28,
  i64Load: 0x29,
  i32Load8U: 0x2d,
  i32Load16U: 0x2f,
  i64Load8U: 0x31,
  i64Load16U: 0x33,
  i64Load32U: 0x35,
  i32Store: 0x36,
  i64Store: 0x37,
  i32Store8: 0x3a,
  i32Store16: 0x3b,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Eqz: 0x45,
  i32Eq: 0x46,
  i32Ne: 0x47,
  i32LtU: 0x49,
  i32GtU: 0x4b,
  i32GeU: 0x4f,
  i64Ne: 0x52,
  i64GtU: 0x56,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32DivS: 0x6d,
  i32RemU: 0x70,
  i32And: 0x71,
  i32Or: 0x72,
  i32Xor: 0x73,
  i32Shl: 0x74,
  i32ShrU: 0x76,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i64DivS: 0x7f,
  i64RemU: 0x82,
  i64And: 0x83,
  i64Or: 0x84,
  i64Shl: 0x86,
  i64Xor: 0x85,
  i32TruncF32S: 0xa8,
  i32TruncF64U: 0xab,
  i64ExtendI32U: 0xad,
  i64TruncF32S: 0xae,
  i64TruncF64U: 0xb1,
  i32ReinterpretF32: 0xbc,
  i64ReinterpretF64: 0xbd,
  refNull: 0xd0,
  refFunc: 0xd2,
  bulk: 0xfc,
  vector: 0xfd,
  atomic: 0xfe,
} as const

export const TYPE = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b, empty: 0x40 } as const

/** The type of references to exceptions. */
export const EXNREF = 0x69

/** Kinds of clauses of a `try_table`. */
export const CATCH = { tag: 0, tagWithReference: 1, all: 2, allWithReference: 3 } as const

export interface CatchClause {
  readonly kind: number
  /** -1 when it catches everything. */
  readonly tag: number
  readonly label: number
}

/** The clauses of a `try_table`, which come after its type. */
export function readCatches(r: Reader): CatchClause[] {
  return Array.from({ length: r.u32() }, () => {
    const kind = r.byte()
    const tag = kind === CATCH.tag || kind === CATCH.tagWithReference ? r.u32() : -1
    return { kind, tag, label: r.u32() }
  })
}

/** Whether the instruction can trap by itself, memory accesses and calls apart. */
export function canTrap(op: number): boolean {
  return (
    op === OP.unreachable ||
    (op >= OP.i32DivS && op <= OP.i32RemU) ||
    (op >= OP.i64DivS && op <= OP.i64RemU) ||
    (op >= OP.i32TruncF32S && op <= OP.i32TruncF64U) ||
    (op >= OP.i64TruncF32S && op <= OP.i64TruncF64U)
  )
}

/** Moves past the immediates of `op`, whose opcode byte has just been read. */
export function skipImmediates(r: Reader, op: number): void {
  if (op >= 0x28 && op <= 0x3e) {
    memoryArgument(r)
  } else if (
    (op >= OP.block && op <= OP.if) ||
    op === OP.br ||
    op === OP.brIf ||
    op === OP.call ||
    op === 0x12 ||
    op === 0x14 ||
    op === 0x15 ||
    op === 0x06 ||
    op === 0x07 ||
    op === 0x08 ||
    op === 0x09 ||
    op === 0x18 ||
    (op >= OP.localGet && op <= 0x26) ||
    op === OP.memorySize ||
    op === OP.memoryGrow ||
    op === OP.i32Const ||
    op === OP.i64Const ||
    op === 0xd0 ||
    op === OP.refFunc
  ) {
    r.skipLeb()
  } else if (
    op <= 0x01 ||
    op === OP.else ||
    op === 0x0a ||
    op === OP.end ||
    op === OP.return ||
    op === 0x19 ||
    op === OP.drop ||
    op === 0x1b ||
    (op >= OP.i32Eqz && op <= 0xc4) ||
    op === 0xd1
  ) {
    // No immediates.
  } else if (op === OP.tryTable) {
    r.skipLeb()
    readCatches(r)
  } else if (op === OP.brTable) {
    for (let n = r.u32() + 1; n > 0; n--) r.skipLeb()
  } else if (op === OP.callIndirect || op === 0x13) {
    r.skipLeb()
    r.skipLeb()
  } else if (op === 0x1c) {
    r.skip(r.u32())
  } else if (op === 0x43) {
    r.skip(4)
  } else if (op === 0x44) {
    r.skip(8)
  } else if (op === OP.bulk) {
    const sub = r.u32()
    if (sub >= 8) r.skipLeb()
    if (sub === 8 || sub === 10 || sub === 12 || sub === 14) r.skipLeb()
  } else if (op === OP.vector) {
    vectorImmediates(r, r.u32())
  } else if (op === OP.atomic) {
    if (r.u32() === 3) r.byte()
    else memoryArgument(r)
  } else {
    throw new WasmFormatError(`instruction 0x${op.toString(16)} at byte ${r.at - 1} is not known`)
  }
}

export interface MemoryArgument {
  /** Exponent. */
  readonly align: number
  readonly offset: number
}

export function memoryArgument(r: Reader): MemoryArgument {
  const align = r.u32()
  if (align & 0x40) r.skipLeb()
  return { align, offset: r.u32() }
}

function vectorImmediates(r: Reader, sub: number): void {
  if (sub <= 11 || sub === 92 || sub === 93) memoryArgument(r)
  else if (sub === 12 || sub === 13) r.skip(16)
  else if (sub >= 21 && sub <= 34) r.skip(1)
  else if (sub >= 84 && sub <= 91) {
    memoryArgument(r)
    r.skip(1)
  }
}
