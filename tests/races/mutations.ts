import type { OperationName } from '../../src/machine/operation.js'
import type { Mutation } from '../support/mutated-engine.js'
import { inRow } from '../support/operation-row.js'

const pure = 'races/pure-order.ts'
const limited = 'races/limited-order.ts'
const lockSets = 'races/lock-sets.ts'
const permits = 'races/permits.ts'
const atomics = 'races/atomic-order.ts'
const access = 'races/access.ts'
const history = 'races/access-history.ts'

const forget = (file: string, what: string, from: string, to = ''): Mutation => ({ what, file, from, to })

const forgetRow = (what: string, name: OperationName, from: string, to = ''): Mutation => ({
  what,
  ...inRow(name, from, to),
})

/** One thing forgotten or turned round at a time. */
export const mutations: readonly Mutation[] = [
  forget(
    pure,
    'no clock is joined on taking',
    'joinClock(rows, own, objects, object + k * stride, this.threads)',
    '',
  ),
  forget(
    pure,
    'no clock is left on giving back',
    'joinClock(objects, object + k * stride, rows, own, this.threads)',
    '',
  ),
  forget(pure, 'a thread does not count itself', 'rows[own + p] = sequence', ''),
  forget(pure, 'create and wake order nothing', 'joinClock(rows, other * stride, rows, p * stride, threads)'),
  forget(pure, 'join orders nothing', 'rows[p * stride + other] = sequence'),
  forget(
    pure,
    'the creator forgets where it was',
    'rows[p * stride + p] = sequence\n  joinClock',
    'joinClock',
  ),
  forgetRow('mutex', 'lock', 'write: takes, '),
  forgetRow('mutex after a wait', 'reacquire', 'write: takes'),
  forgetRow('try lock', 'tryLock', 'write: takes, '),
  forgetRow('failed try lock', 'tryLock', ', read: failedTry'),
  forgetRow('timed lock', 'timedLock', 'write: takes, '),
  forgetRow('failed timed lock', 'timedLock', ', read: failedTry'),
  forgetRow('unlock', 'unlock', 'write: { before: open }, '),
  forgetRow('read lock', 'readLock', 'commute: takes'),
  forgetRow('failed read lock', 'tryReadLock', ', read: failedTry'),
  forgetRow('write lock after readers', 'writeLock', 'open | shared', 'open'),
  forgetRow('write lock after writers', 'writeLock', 'open | shared', 'shared'),
  forgetRow('failed write lock', 'tryWriteLock', ', read: failedTry'),
  forgetRow('read unlock', 'readUnlock', 'commute: { before: shared }'),
  forgetRow('write unlock', 'writeUnlock', 'write: { before: open }'),
  forgetRow('readers hand on to readers', 'readUnlock', 'before: shared', 'before: open'),
  forgetRow('semaphore post', 'semPost', 'commute: { before: open }'),
  forgetRow('semaphore wait', 'semWait', 'write: takes'),
  forgetRow('semaphore try', 'semTryWait', 'write: takes, '),
  forgetRow('failed semaphore try', 'semTryWait', ', read: failedTry'),
  forgetRow('semaphore value', 'semRead', 'read: { after: open | taken }'),
  forgetRow('return from a timed wait', 'condReturn', 'write: hands'),
  forgetRow('arrival at a barrier', 'barrierArrive', 'write: hands'),
  forgetRow('leaving a barrier', 'barrierLeave', 'read: { after: open }'),
  forget(pure, 'atomics', 'this.atomics.event(i, p, sequence)', ''),

  forget(atomics, 'acquire', 'if (kind !== Op.atomicStore) this.read(p, location, order)', ''),
  forget(atomics, 'release', 'if (writes) this.write(', 'if (false) this.write('),
  forget(
    atomics,
    'relaxed acquires',
    'Uint8Array.from([0, 1, 1, 0, 1, 1])',
    'Uint8Array.from([1, 1, 1, 1, 1, 1])',
  ),
  forget(
    atomics,
    'relaxed releases',
    'Uint8Array.from([0, 0, 0, 1, 1, 1])',
    'Uint8Array.from([1, 1, 1, 1, 1, 1])',
  ),
  forget(atomics, 'a store continues a release sequence', 'if (!continues) this.end(location)', ''),
  forget(
    atomics,
    'an update ends a release sequence',
    'if (!continues) this.end(location)',
    'this.end(location)',
  ),
  forget(atomics, 'release fence', 'copyClock(this.released, own', 'copyClock(this.seen, own'),
  forget(atomics, 'acquire fence', 'joinClock(rows, own, this.seen, own, this.threads)', 'void this.seen'),
  forget(atomics, 'a failed compare-exchange writes', '(events.order[i] & Order.failed) === 0', 'true'),

  forget(
    limited,
    'a try that fails takes the lock',
    'if (mode === Mode.read || mode === Mode.none) return',
    '',
  ),
  forget(
    limited,
    'the lock taken is given back',
    'this.lockSets.add : this.lockSets.remove',
    'this.lockSets.remove : this.lockSets.add',
  ),
  forget(
    limited,
    'readers exclude each other',
    'const isExclusive = (rule & SHARED) === 0',
    'const isExclusive = true',
  ),
  forget(
    limited,
    'create, wake and join',
    'threadEdge(this.clocks, edge, p, events.aux[i], sequence, this.threads)',
    '',
  ),
  forget(
    limited,
    'those who wait at a barrier',
    'else if (kind === Op.barrierLeave) this.acquire(p, events.location[i])',
    '',
  ),
  forget(
    limited,
    'the last at a barrier',
    'if (isLast) this.acquire(p, events.location[i - 1])',
    'if (isLast) void 0',
  ),
  forget(limited, 'atomics order', 'overwrite(): void {}', 'overwrite(): void {}'),
  forget(limited, 'semaphores are never locks', 'if (!this.permits.isLock(location)) this', 'if (true) this'),
  forgetRow('mutexes protect nothing', 'lock', "locks: 'takes', "),
  forgetRow('after a wait the mutex is not held', 'reacquire', "locks: 'takes',"),
  forgetRow('try lock protects nothing', 'tryLock', "locks: 'takes',"),
  forgetRow('timed lock protects nothing', 'timedLock', "locks: 'takes', "),
  forgetRow('write lock protects nothing', 'writeLock', "locks: 'takes',"),
  forgetRow('try write lock protects nothing', 'tryWriteLock', "locks: 'takes', "),
  forgetRow('an unlock is not noticed', 'unlock', "locks: 'gives', "),
  forget(lockSets, 'any two locks exclude', 'lock >> 1 === other >> 1 &&', ''),
  forget(lockSets, 'the lockset rule reversed', '? 2 : 1', '? 1 : 2'),
  forget(lockSets, 'shared locks exclude', '((lock | other) & 1) === 1', 'true'),
  forget(
    lockSets,
    'all of a lock is given back',
    'locks.toSpliced(at, 1)',
    'locks.filter((l) => l !== lock)',
  ),
  forget(
    permits,
    'a post orders nothing',
    'joinClock(rows, p * stride, this.rows, e * stride, stride)',
    'break',
  ),
  forget(permits, 'every post is needed', 'if (this.mostWithout(e, p, location) > 0) continue', ''),
  forget(permits, 'any semaphore with one permit is a lock', '&& held >= 0 && held <= 1', ''),
  forget(permits, 'any semaphore is a lock', 'this.initial[location] === 1 && held', 'held'),

  forget(
    history,
    'only the last write is kept',
    'if (this.site[r] === site && this.locks[r] === locks) return r',
    'return r',
  ),
  forget(
    history,
    'locks are not told apart',
    'this.site[r] === site && this.locks[r] === locks',
    'this.site[r] === site',
  ),
  forget(
    history,
    'the first record ends the search',
    'this.order.exclude(this.locks[r], this.locks[record])) continue',
    'this.order.exclude(this.locks[r], this.locks[record])) break',
  ),
  forget(
    access,
    'reads are not looked at',
    '(1 << Access.read) | (1 << Access.write) | (1 << Access.atomicRead) | (1 << Access.atomicWrite),',
    '(1 << Access.write) | (1 << Access.atomicWrite),',
  ),
  forget(
    access,
    'writes are not looked at',
    '(1 << Access.write) | (1 << Access.atomicWrite),\n  (1',
    '(1 << Access.atomicWrite),\n  (1',
  ),
  forget('races/access.ts', 'atomics do not race with plain accesses', '  1 << Access.write,\n', '  0,\n'),
  forget(history, 'a location stays with who came first', 'this.owner[location] = -1', 'return'),
  forget(
    history,
    'an access is taken for the one before it',
    'this.recent[location] === record',
    'this.recent[location] >= 0',
  ),
].filter(({ from, to }) => from !== to)
