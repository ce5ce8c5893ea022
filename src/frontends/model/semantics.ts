import { type ActionName, actionNames, alternativesVary } from './actions.js'
import * as barrier from './barrier.js'
import * as condition from './condition.js'
import * as memory from './memory.js'
import * as mutex from './mutex.js'
import * as rwlock from './rwlock.js'
import * as semaphore from './semaphore.js'
import type { ModelState, Perform } from './state.js'
import * as thread from './thread.js'
import { accessAlternatives, canGoOn, isAccess, weakPerformers } from './weak.js'

/** In how many ways a thread's pending action can go now. */
export type CountAlternatives = (s: ModelState, t: number) => number

const performers: Record<ActionName, Perform> = {
  load: memory.load,
  store: memory.store,
  atomicLoad: memory.atomicLoad,
  atomicStore: memory.atomicStore,
  exchange: memory.exchange,
  compareExchange: memory.compareExchange,
  fetchAdd: memory.fetchAdd,
  lock: mutex.lock,
  tryLock: mutex.tryLock,
  timedLock: mutex.timedLock,
  unlock: mutex.unlock,
  readLock: rwlock.readLock,
  writeLock: rwlock.writeLock,
  writeRequest: rwlock.writeRequest,
  queuedWriteLock: rwlock.queuedWriteLock,
  tryReadLock: rwlock.tryReadLock,
  tryWriteLock: rwlock.tryWriteLock,
  rwUnlock: rwlock.rwUnlock,
  wait: condition.wait,
  timedWait: condition.timedWait,
  condReturn: condition.condReturn,
  reacquire: condition.reacquire,
  signal: condition.signal,
  broadcast: condition.broadcast,
  semWait: semaphore.semWait,
  semTryWait: semaphore.semTryWait,
  semTimedWait: semaphore.semTimedWait,
  semPost: semaphore.semPost,
  semRead: semaphore.semRead,
  barrierArrive: barrier.barrierArrive,
  barrierLeave: barrier.barrierLeave,
  fence: memory.fence,
  create: thread.create,
  join: thread.join,
  yield: thread.yieldProcessor,
  point: thread.point,
  choose: thread.choose,
  output: thread.output,
  txBegin: (s, t, value) => s.transactions.begin(t, value),
  txEnd: (s, t) => s.transactions.end(t),
  txAbort: (s, t) => s.transactions.abort(t),
  txTest: (s, t) => s.transactions.test(t),
}

const counters: Partial<Record<ActionName, CountAlternatives>> = {
  lock: mutex.lockAlternatives,
  readLock: rwlock.readLockAlternatives,
  writeLock: rwlock.writeLockAlternatives,
  queuedWriteLock: rwlock.writeLockAlternatives,
  wait: condition.waitAlternatives,
  timedWait: condition.waitAlternatives,
  reacquire: condition.reacquireAlternatives,
  signal: condition.signalAlternatives,
  semWait: semaphore.semWaitAlternatives,
  barrierLeave: barrier.barrierLeaveAlternatives,
  join: thread.joinAlternatives,
  choose: thread.chooseAlternatives,
  txBegin: (s, t) => s.transactions.alternatives(t),
}

/** By action. */
export const perform: readonly Perform[] = actionNames.map((name) => performers[name])

/** The same under a memory model weaker than sequential consistency. */
export const performWeakly: readonly Perform[] = actionNames.map((name) =>
  (weakPerformers[name] ?? ((base) => base))(performers[name]),
)

const countBy: readonly CountAlternatives[] = actionNames.map((name) => counters[name] ?? (() => 1))

/** In how many ways the pending operation of a live thread can go now. */
export function countAlternatives(s: ModelState, t: number): number {
  if (s.spins.blocked[t] === 1 && !(s.memory === null ? s.spins.canGoOn(t) : canGoOn(s, s.memory, t)))
    return 0
  const action = s.action[t]
  if (s.memory !== null && isAccess[action] === 1) return accessAlternatives(s, s.memory, t)
  return alternativesVary[action] === 0 ? 1 : countBy[action](s, t)
}
