import { Operator } from '../../../symbolic/operator.js'
import type { Store } from './store.js'

/** An atomic instruction: only one thread runs at a time, so it is a load, a computation and a store. */
export interface AtomicAccess {
  readonly size: number
  /** Values on the stack above the address. */
  readonly operands: number
  /** Leaves no value. */
  readonly isStore: boolean
  /** `at` is where the address lies on the stack, and where the result goes. */
  run(store: Store, view: DataView, bytes: Uint8Array, address: number, at: number, place: number): void
}

const LOAD = 0x10
const STORE = 0x17
const UPDATE = 0x1e
const COMPARE_EXCHANGE = 0x48
/** Bytes and type of the variants of each instruction. */
const variants = [
  [4, false],
  [8, true],
  [1, false],
  [2, false],
  [1, true],
  [2, true],
  [4, true],
] as const
const EXCHANGE = 5
const operators = [Operator.add, Operator.subtract, Operator.and, Operator.or, Operator.xor] as const

const accesses: AtomicAccess[] = []

export function atomicAccess(sub: number): AtomicAccess {
  accesses[sub] ??= makeAccess(sub)
  return accesses[sub]
}

function makeAccess(sub: number): AtomicAccess {
  const from =
    sub >= COMPARE_EXCHANGE ? COMPARE_EXCHANGE : sub >= UPDATE ? UPDATE : sub >= STORE ? STORE : LOAD
  const [size, is64] = variants[(sub - from) % 7]
  const bits = 8 * size
  const width = is64 ? 64 : 32

  /** An operand: its low bytes, and how they depend on the input. */
  const operand = ({ longs, words, expressions, path }: Store, at: number) => ({
    now: BigInt.asUintN(bits, is64 ? longs[at] : BigInt(words[2 * at])),
    value: expressions[at] === 0 ? 0 : path.expressions.extract(expressions[at], 0, bits),
  })
  const loaded = (store: Store, view: DataView, bytes: Uint8Array, address: number) => ({
    now: read(view, address, size),
    value: store.path.shadow.load(bytes, address, size),
  })
  const leave = ({ longs, words, expressions, path }: Store, at: number, now: bigint, value: number) => {
    if (is64) longs[at] = BigInt.asIntN(64, now)
    else words[2 * at] = Number(BigInt.asIntN(32, now))
    expressions[at] = value === 0 ? 0 : path.expressions.extendUnsigned(value, width)
  }
  const put = (
    { path }: Store,
    view: DataView,
    bytes: Uint8Array,
    address: number,
    now: bigint,
    value: number,
  ) => {
    write(view, address, size, now)
    if (value !== 0 || !path.shadow.isEmpty) path.shadow.store(bytes, address, size, value)
  }
  const asExpression = ({ path }: Store, { now, value }: { now: bigint; value: number }) =>
    value || path.expressions.constant(now, bits)

  if (from === LOAD) {
    return {
      size,
      operands: 0,
      isStore: false,
      run(store, view, bytes, address, at) {
        const { now, value } = loaded(store, view, bytes, address)
        leave(store, at, now, value)
      },
    }
  }
  if (from === STORE) {
    return {
      size,
      operands: 1,
      isStore: true,
      run(store, view, bytes, address, at) {
        const { now, value } = operand(store, at + 1)
        put(store, view, bytes, address, now, value)
      },
    }
  }
  if (from === UPDATE) {
    const kind = Math.floor((sub - UPDATE) / 7)
    return {
      size,
      operands: 1,
      isStore: false,
      run(store, view, bytes, address, at) {
        const before = loaded(store, view, bytes, address)
        const given = operand(store, at + 1)
        const isSymbolic = before.value !== 0 || given.value !== 0
        const { expressions } = store.path
        const made =
          kind === EXCHANGE
            ? given.value
            : isSymbolic
              ? expressions.binary(operators[kind], asExpression(store, before), asExpression(store, given))
              : 0
        put(store, view, bytes, address, updated(kind, before.now, given.now), made)
        leave(store, at, before.now, before.value)
      },
    }
  }
  return {
    size,
    operands: 2,
    isStore: false,
    run(store, view, bytes, address, at, place) {
      const before = loaded(store, view, bytes, address)
      // What is compared with is not cut to the size: a larger one never is what is there.
      const { longs, words, expressions, path } = store
      const wide = BigInt.asUintN(width, is64 ? longs[at + 1] : BigInt(words[2 * at + 2]))
      const isEqual = before.now === wide
      if (before.value !== 0 || expressions[at + 1] !== 0) {
        const found = path.expressions.extendUnsigned(asExpression(store, before), width)
        const wanted = expressions[at + 1] || path.expressions.constant(wide, width)
        path.decide('branch', path.expressions.equal(found, wanted), isEqual, place)
      }
      if (isEqual) {
        const given = operand(store, at + 2)
        put(store, view, bytes, address, given.now, given.value)
      }
      leave(store, at, before.now, before.value)
    },
  }
}

function updated(kind: number, before: bigint, given: bigint): bigint {
  switch (kind) {
    case 0:
      return before + given
    case 1:
      return before - given
    case 2:
      return before & given
    case 3:
      return before | given
    case 4:
      return before ^ given
    default:
      return given
  }
}

function read(view: DataView, address: number, size: number): bigint {
  if (size === 8) return view.getBigUint64(address, true)
  if (size === 4) return BigInt(view.getUint32(address, true))
  return BigInt(size === 2 ? view.getUint16(address, true) : view.getUint8(address))
}

function write(view: DataView, address: number, size: number, value: bigint): void {
  if (size === 8) view.setBigUint64(address, BigInt.asUintN(64, value), true)
  else if (size === 4) view.setUint32(address, Number(BigInt.asUintN(32, value)), true)
  else if (size === 2) view.setUint16(address, Number(BigInt.asUintN(16, value)), true)
  else view.setUint8(address, Number(BigInt.asUintN(8, value)))
}
