/**
 * The bytecode of a body: rows of `ROW` numbers. Operands are slots of the thread's register file, which holds its
 * registers, the values of subexpressions and the constants of its code, so that fetching any operand is one read.
 */
export const ROW = 10

/** First number of a row. Rows are jumped to by the index of their first number. */
export const Code = {
  /** A visible operation: the interpreter stops here. */
  operate: 0,
  /** The end of the thread. */
  end: 1,
  /** slot DEST = slot X */
  move: 2,
  /** Goes to TARGET. */
  jump: 3,
  /** Goes to TARGET if slot X is 0. */
  jumpIfZero: 4,
  /** Head of a `while`; places that a thread comes back to have numbers, which are in LOOP. */
  head: 5,
  /** Fails unless slot X differs from 0. */
  assert: 6,
  /** Joins: by body (X), or by handle (slot Y). Visible. */
  join: 7,
  /** slot DEST = slot X op slot Y; the operators follow in the order of `operators`. */
  compute: 8,
} as const

/** Operators with an instruction of their own, in order. */
export const operators = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '!',
]

/** Places in a row: local instructions. */
export const X = 1
export const Y = 2
export const DEST = 7
export const TARGET = 4
export const LOOP = 5
export const SITE = 8

/** Places in a row: visible operations. `DEST` and `SITE` are the same; -1 means there is none. */
export const ACTION = 1
/** First cell of the object. */
export const OBJECT = 2
/** Slot of the array index, or -1. */
export const INDEX = 3
/** Length of the array. */
export const LENGTH = 4
/** Slots of the operands. */
export const A = 5
export const B = 6
/** Memory orders: see `ModelState.order`; -1 where none is given. In the place of the arguments of a create. */
export const ORDER = 9
/** Arguments of a create: an index into `Body.argumentLists`, or -1. */
export const ARGUMENTS = 9

/** In place of B at the begin of a transaction: it is tried again until it commits, so no abort is told of. */
export const NEVER_FAILS = -2
/** The same where it has been chosen that it starts. */
export const STARTS = -3

export interface Body {
  readonly name: string
  readonly code: Int32Array
  /** The register file of a thread that starts: registers 0, constants in place. */
  readonly initial: Int32Array
  /** Slots 0 … registers.length - 1, hidden loop counters included. */
  readonly registers: readonly string[]
  /** Number of places that it can come back to: see `LOOP`. */
  readonly loops: number
  /** Pairs of [slot of the creator, slot of the child]. */
  readonly argumentLists: readonly (readonly (readonly [from: number, to: number])[])[]
  /** Texts of assertions that have one, by site. */
  readonly messages: ReadonlyMap<number, string>
}
