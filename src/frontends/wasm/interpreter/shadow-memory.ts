import type { Expression, Expressions } from '../../../symbolic/expressions.js'

const PAGE_BITS = 12
const PAGE = 1 << PAGE_BITS
const OFFSET = PAGE - 1

interface ShadowPage {
  readonly expressions: Int32Array
  /** What the bytes were when their expressions were noted: whoever else writes there leaves another value. */
  readonly bytes: Uint8Array
}

/** Which bytes of memory depend on the input, and how: an expression of 8 bits for each that does. */
export class ShadowMemory {
  private readonly pages = new Map<number, ShadowPage>()
  /** Nothing in memory depends on the input. */
  isEmpty = true

  constructor(private readonly expressions: Expressions) {}

  clear(): void {
    this.pages.clear()
    this.isEmpty = true
  }

  /** The expression of one byte; 0 when it is a constant. */
  byteAt(bytes: Uint8Array, address: number): Expression {
    const page = this.pages.get(address >>> PAGE_BITS)
    if (page === undefined) return 0
    const at = address & OFFSET
    if (page.bytes[at] === bytes[address]) return page.expressions[at]
    page.expressions[at] = 0
    page.bytes[at] = bytes[address]
    return 0
  }

  /** What is loaded from there, of 8 bits per byte; 0 when it does not depend on the input. */
  load(bytes: Uint8Array, address: number, size: number): Expression {
    if (!this.hasAny(bytes, address, size)) return 0
    const { expressions } = this
    const byte = (i: number) =>
      this.byteAt(bytes, address + i) || expressions.constant(BigInt(bytes[address + i]), 8)
    let value = byte(0)
    for (let i = 1; i < size; i++) value = expressions.concatenate(byte(i), value)
    return expressions.isConstant(value) ? 0 : value
  }

  hasAny(bytes: Uint8Array, address: number, size: number): boolean {
    if (this.isEmpty) return false
    for (let i = 0; i < size; i++) if (this.byteAt(bytes, address + i) !== 0) return true
    return false
  }

  /** After a store: the low bytes of the value; 0 for one that does not depend on the input. */
  store(bytes: Uint8Array, address: number, size: number, value: Expression): void {
    for (let i = 0; i < size; i++) {
      const byte = value === 0 ? 0 : this.expressions.extract(value, 8 * i, 8)
      this.setByte(bytes, address + i, this.expressions.isConstant(byte) ? 0 : byte)
    }
  }

  setByte(bytes: Uint8Array, address: number, byte: Expression): void {
    const number = address >>> PAGE_BITS
    let page = this.pages.get(number)
    if (page === undefined) {
      if (byte === 0) return
      page = { expressions: new Int32Array(PAGE), bytes: new Uint8Array(PAGE) }
      this.pages.set(number, page)
      this.isEmpty = false
    }
    page.expressions[address & OFFSET] = byte
    page.bytes[address & OFFSET] = bytes[address]
  }

  /** Before bytes are copied inside memory: what has to be noted after that. */
  lift(bytes: Uint8Array, from: number, size: number): Expression[] | null {
    if (!this.hasAny(bytes, from, size)) return null
    return Array.from({ length: size }, (_, i) => this.byteAt(bytes, from + i))
  }

  put(bytes: Uint8Array, to: number, size: number, lifted: readonly Expression[] | null): void {
    if (this.isEmpty) return
    for (let i = 0; i < size; i++) this.setByte(bytes, to + i, lifted === null ? 0 : lifted[i])
  }
}
