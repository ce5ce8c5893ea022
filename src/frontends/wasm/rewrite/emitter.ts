import { Writer } from './bytes.js'
import { OP } from './instructions.js'

/** Writes instructions. */
export class Emitter extends Writer {
  /** An instruction with one unsigned immediate. */
  op(op: number, immediate: number): void {
    this.byte(op)
    this.u32(immediate)
  }

  constant(value: number): void {
    this.byte(OP.i32Const)
    this.s32(value)
  }

  /** A load or store; `align` is the exponent. */
  memory(op: number, align: number, offset: number): void {
    this.byte(op)
    this.byte(align)
    this.u32(offset)
  }
}
