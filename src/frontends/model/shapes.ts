import type { ActionName } from './actions.js'
import type { DeclaredType } from './layout.js'
import type { Statement } from './program.js'

export type StatementName = Statement['op']

/** How a statement that is one operation turns into an action; shared by data and generator programs. */
export interface Shape {
  readonly action: ActionName
  /** The field that names the object, and what it may be. */
  readonly object?: { readonly field: string; readonly types: readonly DeclaredType[] }
  /** The fields of the operands; the mutex of a wait is an operand too. */
  readonly a?: string
  readonly b?: string
  readonly into?: 'required' | 'optional'
  /** The fields of memory orders it takes: its own, and that of its failure. */
  readonly orders?: readonly string[]
}

const variable = { field: 'var', types: ['variable', 'array'] } as const
const mutex = { field: 'mutex', types: ['mutex'] } as const
const rwlock = { field: 'rwlock', types: ['rwlock'] } as const
const condition = { field: 'condition', types: ['condition'] } as const
const semaphore = { field: 'semaphore', types: ['semaphore'] } as const
const barrier = { field: 'barrier', types: ['barrier'] } as const

const orders = ['order']

/** Statements on a declared object. */
export const shapes: Readonly<Partial<Record<StatementName, Shape>>> = {
  load: { action: 'load', object: variable, into: 'required' },
  store: { action: 'store', object: variable, a: 'value' },
  atomicLoad: { action: 'atomicLoad', object: variable, into: 'required', orders },
  atomicStore: { action: 'atomicStore', object: variable, a: 'value', orders },
  exchange: { action: 'exchange', object: variable, a: 'value', into: 'optional', orders },
  fetchAdd: { action: 'fetchAdd', object: variable, a: 'value', into: 'optional', orders },
  compareExchange: {
    action: 'compareExchange',
    object: variable,
    a: 'expected',
    b: 'desired',
    into: 'optional',
    orders: ['order', 'failure'],
  },

  fence: { action: 'fence', orders },

  lock: { action: 'lock', object: mutex, into: 'optional' },
  trylock: { action: 'tryLock', object: mutex, into: 'optional' },
  timedlock: { action: 'timedLock', object: mutex, into: 'optional' },
  unlock: { action: 'unlock', object: mutex, into: 'optional' },

  rdlock: { action: 'readLock', object: rwlock, into: 'optional' },
  wrlock: { action: 'writeLock', object: rwlock, into: 'optional' },
  tryrdlock: { action: 'tryReadLock', object: rwlock, into: 'optional' },
  trywrlock: { action: 'tryWriteLock', object: rwlock, into: 'optional' },
  rwunlock: { action: 'rwUnlock', object: rwlock, into: 'optional' },

  wait: { action: 'wait', object: condition, a: 'mutex', into: 'optional' },
  timedwait: { action: 'timedWait', object: condition, a: 'mutex', into: 'optional' },
  signal: { action: 'signal', object: condition },
  broadcast: { action: 'broadcast', object: condition },

  semwait: { action: 'semWait', object: semaphore, into: 'optional' },
  semtrywait: { action: 'semTryWait', object: semaphore, into: 'optional' },
  semtimedwait: { action: 'semTimedWait', object: semaphore, into: 'optional' },
  sempost: { action: 'semPost', object: semaphore, into: 'optional' },
  semvalue: { action: 'semRead', object: semaphore, into: 'required' },

  barrier: { action: 'barrierArrive', object: barrier, into: 'optional' },

  yield: { action: 'yield' },
  point: { action: 'point' },
  choose: { action: 'choose', a: 'count', into: 'required' },
  output: { action: 'output', a: 'value' },

  xbegin: { action: 'txBegin', into: 'required' },
  xend: { action: 'txEnd' },
  xabort: { action: 'txAbort' },
  xtest: { action: 'txTest', into: 'required' },
}

/** Fields of the statements that have no shape; a name that ends in ? may be left out. */
const otherFields: Readonly<Partial<Record<StatementName, readonly string[]>>> = {
  create: ['thread', 'args?', 'into?'],
  join: ['thread?', 'handle?'],
  exit: [],
  assert: ['condition', 'message?'],
  set: ['into', 'value'],
  if: ['condition', 'then', 'else?'],
  while: ['condition', 'body'],
  loop: ['count', 'body'],
  break: [],
  atomically: ['body', 'else?', 'into?'],
}

/** Fields of each statement besides `op` and `label?`; a name that ends in ? may be left out. */
export const statementFields: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(shapes).map(([op, shape]) => [op, fieldsOf(shape)])),
  ...otherFields,
  xabort: ['code?'],
}

function fieldsOf(shape: Shape): string[] {
  const fields: string[] = []
  if (shape.object) fields.push(shape.object.field)
  if (shape.object === variable) fields.push('index?')
  for (const operand of [shape.a, shape.b]) if (operand) fields.push(operand)
  for (const field of shape.orders ?? []) fields.push(`${field}?`)
  if (shape.into) fields.push(shape.into === 'required' ? 'into' : 'into?')
  return fields
}
