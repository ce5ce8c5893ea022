import { makeNumerics, type Numeric, SLOT } from './numeric.js'
import type { Path } from './path.js'

/** Values that all calls in progress may have, together. */
export const STACK_SIZE = 1 << 18
const PAGE = 65536

/** A global; several instances may share it. */
export interface Cell {
  readonly type: number
  low: number
  high: number
}

/** What instances that work on one memory share. */
export class Store {
  readonly stack = new WebAssembly.Memory({ initial: (STACK_SIZE * SLOT) / PAGE })
  /** Two words per value. */
  readonly words = new Int32Array(this.stack.buffer)
  readonly longs = new BigInt64Array(this.stack.buffer)
  readonly singles = new Float32Array(this.stack.buffer)
  readonly doubles = new Float64Array(this.stack.buffer)
  /** How each value depends on the input. */
  readonly expressions = new Int32Array(STACK_SIZE)
  readonly numerics: readonly Numeric[] = makeNumerics(this.stack)
  /** Where the stack ends while the host runs. */
  top = 0

  constructor(readonly path: Path) {}
}
