import { Writer } from '../rewrite/bytes.js'
import { TYPE } from '../rewrite/instructions.js'
import { SATURATING } from './flat-code.js'

/** Computes with the values at an address of the stack, and leaves the result there. */
export type Numeric = (address: number) => void

const { i32, i64, f32, f64 } = TYPE
type Signature = readonly [operands: readonly number[], result: number]

/** Ranges of numeric instructions: from, to, operands, result. */
const signatures: readonly (readonly [number, number, readonly number[], number])[] = [
  [0x45, 0x45, [i32], i32],
  [0x46, 0x4f, [i32, i32], i32],
  [0x50, 0x50, [i64], i32],
  [0x51, 0x5a, [i64, i64], i32],
  [0x5b, 0x60, [f32, f32], i32],
  [0x61, 0x66, [f64, f64], i32],
  [0x67, 0x69, [i32], i32],
  [0x6a, 0x78, [i32, i32], i32],
  [0x79, 0x7b, [i64], i64],
  [0x7c, 0x8a, [i64, i64], i64],
  [0x8b, 0x91, [f32], f32],
  [0x92, 0x98, [f32, f32], f32],
  [0x99, 0x9f, [f64], f64],
  [0xa0, 0xa6, [f64, f64], f64],
  [0xa7, 0xa7, [i64], i32],
  [0xa8, 0xa9, [f32], i32],
  [0xaa, 0xab, [f64], i32],
  [0xac, 0xad, [i32], i64],
  [0xae, 0xaf, [f32], i64],
  [0xb0, 0xb1, [f64], i64],
  [0xb2, 0xb3, [i32], f32],
  [0xb4, 0xb5, [i64], f32],
  [0xb6, 0xb6, [f64], f32],
  [0xb7, 0xb8, [i32], f64],
  [0xb9, 0xba, [i64], f64],
  [0xbb, 0xbb, [f32], f64],
  [0xbc, 0xbc, [f32], i32],
  [0xbd, 0xbd, [f64], i64],
  [0xbe, 0xbe, [i32], f32],
  [0xbf, 0xbf, [i64], f64],
  [0xc0, 0xc1, [i32], i32],
  [0xc2, 0xc4, [i64], i64],
  [SATURATING, SATURATING + 1, [f32], i32],
  [SATURATING + 2, SATURATING + 3, [f64], i32],
  [SATURATING + 4, SATURATING + 5, [f32], i64],
  [SATURATING + 6, SATURATING + 7, [f64], i64],
]

/** Operands and result of a numeric instruction. */
export function signatureOf(op: number): Signature | undefined {
  const found = signatures.find(([from, to]) => op >= from && op <= to)
  return found && [found[2], found[3]]
}

const loads: Readonly<Record<number, number>> = { [i32]: 0x28, [i64]: 0x29, [f32]: 0x2a, [f64]: 0x2b }
const stores: Readonly<Record<number, number>> = { [i32]: 0x36, [i64]: 0x37, [f32]: 0x38, [f64]: 0x39 }

/** Bytes of a value on the stack. */
export const SLOT = 8

/**
 * Every numeric instruction as a function of the engine that would run it otherwise: results, traps and the bits of NaNs
 * are then its own. They work on the interpreter's stack, which is a memory for that reason. By opcode.
 */
export function makeNumerics(stack: WebAssembly.Memory): readonly Numeric[] {
  const ops = signatures.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))
  const module = new WebAssembly.Module(assemble(ops))
  const { exports } = new WebAssembly.Instance(module, { interpreter: { stack } })
  const numerics: Numeric[] = []
  for (const op of ops) numerics[op] = exports[`op${op}`] as Numeric
  return numerics
}

function assemble(ops: readonly number[]): Uint8Array<ArrayBuffer> {
  const writer = new Writer(1 << 14)
  writer.bytes([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
  section(writer, 1, (w) => w.bytes([1, 0x60, 1, i32, 0]))
  section(writer, 2, (w) => {
    w.u32(1)
    w.name('interpreter')
    w.name('stack')
    w.bytes([2, 0, 0])
  })
  section(writer, 3, (w) => {
    w.u32(ops.length)
    for (const _ of ops) w.u32(0)
  })
  section(writer, 7, (w) => {
    w.u32(ops.length)
    ops.forEach((op, i) => {
      w.name(`op${op}`)
      w.byte(0)
      w.u32(i)
    })
  })
  section(writer, 10, (w) => {
    w.u32(ops.length)
    for (const op of ops) w.sized(body(op))
  })
  return writer.view().slice()
}

function body(op: number): Uint8Array {
  const [operands, result] = signatureOf(op)!
  const writer = new Writer()
  writer.byte(0)
  writer.bytes([0x20, 0])
  operands.forEach((type, i) => {
    writer.bytes([0x20, 0, loads[type], 0])
    writer.u32(i * SLOT)
  })
  if (op >= SATURATING) writer.bytes([0xfc, op - SATURATING])
  else writer.byte(op)
  writer.bytes([stores[result], 0, 0, 0x0b])
  return writer.view()
}

function section(writer: Writer, id: number, write: (w: Writer) => void): void {
  const content = new Writer()
  write(content)
  writer.byte(id)
  writer.sized(content.view())
}
