import type { Expression, MemoryOrder, Statement } from './program.js'

/** Short forms of statements: `[lock('m'), load('x', 'r'), store('x', ['+', 'r', 1]), unlock('m')]`. */

/** A variable, or an element of an array. */
export type Place = string | { readonly var: string; readonly index: Expression }

export const at = (array: string, index: Expression): Place => ({ var: array, index })

const place = (p: Place) => (typeof p === 'string' ? { var: p } : p)
const ordered = (order: MemoryOrder | undefined) => (order === undefined ? {} : { order })
const into = (register: string | undefined) => (register === undefined ? {} : { into: register })

export const load = (from: Place, register: string): Statement => ({
  op: 'load',
  ...place(from),
  into: register,
})
export const store = (to: Place, value: Expression): Statement => ({ op: 'store', ...place(to), value })
export const atomicLoad = (from: Place, register: string, order?: MemoryOrder): Statement => ({
  op: 'atomicLoad',
  ...place(from),
  into: register,
  ...ordered(order),
})
export const atomicStore = (to: Place, value: Expression, order?: MemoryOrder): Statement => ({
  op: 'atomicStore',
  ...place(to),
  value,
  ...ordered(order),
})
const update =
  (op: 'exchange' | 'fetchAdd') =>
  (to: Place, value: Expression, register?: string, order?: MemoryOrder): Statement => ({
    op,
    ...place(to),
    value,
    ...into(register),
    ...ordered(order),
  })
export const exchange = update('exchange')
export const fetchAdd = update('fetchAdd')
export const fence = (order?: MemoryOrder): Statement => ({ op: 'fence', ...ordered(order) })
export const compareExchange = (
  to: Place,
  expected: Expression,
  desired: Expression,
  register?: string,
  order?: MemoryOrder,
  failure?: MemoryOrder,
): Statement => ({
  op: 'compareExchange',
  ...place(to),
  expected,
  desired,
  ...into(register),
  ...ordered(order),
  ...(failure === undefined ? {} : { failure }),
})

const onMutex =
  (op: 'lock' | 'trylock' | 'timedlock' | 'unlock') =>
  (mutex: string, register?: string): Statement => ({ op, mutex, ...into(register) })
export const lock = onMutex('lock')
export const trylock = onMutex('trylock')
export const timedlock = onMutex('timedlock')
export const unlock = onMutex('unlock')

const onRwlock =
  (op: 'rdlock' | 'wrlock' | 'tryrdlock' | 'trywrlock' | 'rwunlock') =>
  (rwlock: string, register?: string): Statement => ({ op, rwlock, ...into(register) })
export const rdlock = onRwlock('rdlock')
export const wrlock = onRwlock('wrlock')
export const tryrdlock = onRwlock('tryrdlock')
export const trywrlock = onRwlock('trywrlock')
export const rwunlock = onRwlock('rwunlock')

const waiting =
  (op: 'wait' | 'timedwait') =>
  (condition: string, mutex: string, register?: string): Statement => ({
    op,
    condition,
    mutex,
    ...into(register),
  })
export const wait = waiting('wait')
export const timedwait = waiting('timedwait')
export const signal = (condition: string): Statement => ({ op: 'signal', condition })
export const broadcast = (condition: string): Statement => ({ op: 'broadcast', condition })

const onSemaphore =
  (op: 'semwait' | 'semtrywait' | 'semtimedwait' | 'sempost') =>
  (semaphore: string, register?: string): Statement => ({ op, semaphore, ...into(register) })
export const semwait = onSemaphore('semwait')
export const semtrywait = onSemaphore('semtrywait')
export const semtimedwait = onSemaphore('semtimedwait')
export const sempost = onSemaphore('sempost')
export const semvalue = (semaphore: string, register: string): Statement => ({
  op: 'semvalue',
  semaphore,
  into: register,
})

export const barrier = (name: string, register?: string): Statement => ({
  op: 'barrier',
  barrier: name,
  ...into(register),
})

export const create = (
  thread: string,
  options: { readonly into?: string; readonly args?: Readonly<Record<string, Expression>> } = {},
): Statement => ({ op: 'create', thread, ...options })
export const join = (thread: string): Statement => ({ op: 'join', thread })
export const joinHandle = (handle: Expression): Statement => ({ op: 'join', handle })
export const exit = (): Statement => ({ op: 'exit' })
export const yieldNow = (): Statement => ({ op: 'yield' })
export const point = (): Statement => ({ op: 'point' })

export const choose = (count: Expression, register: string): Statement => ({
  op: 'choose',
  count,
  into: register,
})
export const assert = (condition: Expression, message?: string): Statement => ({
  op: 'assert',
  condition,
  ...(message === undefined ? {} : { message }),
})
export const output = (value: Expression): Statement => ({ op: 'output', value })
export const set = (register: string, value: Expression): Statement => ({ op: 'set', into: register, value })

export const when = (
  condition: Expression,
  then: readonly Statement[],
  otherwise?: readonly Statement[],
): Statement => ({ op: 'if', condition, then, ...(otherwise === undefined ? {} : { else: otherwise }) })
export const whileLoop = (condition: Expression, body: readonly Statement[]): Statement => ({
  op: 'while',
  condition,
  body,
})
export const loop = (count: Expression, body: readonly Statement[]): Statement => ({
  op: 'loop',
  count,
  body,
})
export const leave = (): Statement => ({ op: 'break' })

export const xbegin = (register: string): Statement => ({ op: 'xbegin', into: register })
export const xend = (): Statement => ({ op: 'xend' })
export const xabort = (code?: Expression): Statement => ({
  op: 'xabort',
  ...(code === undefined ? {} : { code }),
})
export const xtest = (register: string): Statement => ({ op: 'xtest', into: register })
export const atomically = (
  body: readonly Statement[],
  otherwise?: readonly Statement[],
  register?: string,
): Statement => ({
  op: 'atomically',
  body,
  ...(otherwise === undefined ? {} : { else: otherwise }),
  ...into(register),
})

/** Names the statement's site. */
export const labelled = <S extends Statement>(label: string, statement: S): S => ({ ...statement, label })
