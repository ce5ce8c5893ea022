import { Op, type OperationName } from '../../machine/operation.js'

/**
 * What a thread of a model program can ask for. An action is finer than an operation kind: exchange and fetch-add are
 * both atomic updates.
 */
interface ActionInfo {
  readonly kind: OperationName
  /** The number of alternatives depends on the state: 0 (the thread must wait) or several. */
  readonly varies?: boolean
  /** The thread stops before it whatever the points are. */
  readonly halts?: boolean
}

const rows = {
  load: { kind: 'load' },
  store: { kind: 'store' },
  atomicLoad: { kind: 'atomicLoad' },
  atomicStore: { kind: 'atomicStore' },
  exchange: { kind: 'atomicUpdate' },
  compareExchange: { kind: 'atomicUpdate' },
  fetchAdd: { kind: 'atomicUpdate' },

  lock: { kind: 'lock', varies: true },
  tryLock: { kind: 'tryLock' },
  timedLock: { kind: 'timedLock' },
  unlock: { kind: 'unlock' },

  readLock: { kind: 'readLock', varies: true },
  writeLock: { kind: 'writeLock', varies: true },
  /** The same where readers wait for waiting writers: its thread waits only once it is one of them. */
  writeRequest: { kind: 'writeRequest' },
  queuedWriteLock: { kind: 'queuedWriteLock', varies: true },
  tryReadLock: { kind: 'tryReadLock' },
  tryWriteLock: { kind: 'tryWriteLock' },
  /** Announced as read or write unlock, by what the thread holds. */
  rwUnlock: { kind: 'readUnlock' },

  wait: { kind: 'condWait', varies: true },
  timedWait: { kind: 'condWait', varies: true },
  /** The wait gave up the processor: whoever could signal gets a chance, whatever the points are. */
  condReturn: { kind: 'condReturn', halts: true },
  reacquire: { kind: 'reacquire', varies: true },
  signal: { kind: 'condSignal', varies: true },
  broadcast: { kind: 'condBroadcast' },

  semWait: { kind: 'semWait', varies: true },
  semTryWait: { kind: 'semTryWait' },
  semTimedWait: { kind: 'semTryWait' },
  semPost: { kind: 'semPost' },
  semRead: { kind: 'semRead' },

  barrierArrive: { kind: 'barrierArrive' },
  barrierLeave: { kind: 'barrierLeave', varies: true },

  fence: { kind: 'fence' },
  create: { kind: 'create' },
  join: { kind: 'join', varies: true, halts: true },
  yield: { kind: 'yield', halts: true },
  point: { kind: 'userPoint', halts: true },
  choose: { kind: 'choose', varies: true },
  output: { kind: 'output' },
  /** Where a transaction can abort at once, and in conflict with whom, is decided here: see `transaction.ts`. */
  txBegin: { kind: 'txBegin', varies: true, halts: true },
  txEnd: { kind: 'txEnd' },
  txAbort: { kind: 'txAbort' },
  txTest: { kind: 'fence' },
} as const satisfies Record<string, ActionInfo>

export type ActionName = keyof typeof rows

const names = Object.keys(rows) as ActionName[]

/** Dense from 0. */
export const Action = Object.freeze(Object.fromEntries(names.map((name, i) => [name, i]))) as {
  readonly [K in ActionName]: number
}

export const actionNames: readonly ActionName[] = names

const infos: readonly ActionInfo[] = names.map((name) => rows[name])

/** Operation kind announced, by action. */
export const kindOfAction = Uint8Array.from(infos, (info) => Op[info.kind])

/** 1 where the number of alternatives depends on the state. */
export const alternativesVary = Uint8Array.from(infos, (info) => (info.varies ? 1 : 0))

/** 1 where the thread stops before the action whatever the points are. */
export const alwaysHalts = Uint8Array.from(infos, (info) => (info.halts ? 1 : 0))
