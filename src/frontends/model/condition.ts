import { Mode, Op } from '../../machine/operation.js'
import { Action, kindOfAction } from './actions.js'
import { release } from './mutex.js'
import { Result } from './program.js'
import { AGAIN, DONE, ENDS, type ModelState, notEnabled } from './state.js'

/**
 * Condition variables: a queue of waiting threads in order of arrival, linked through `nextWaiter`.
 *
 * A wait is one operation: it joins the queue and frees the mutex. What follows depends on whether it can end by
 * itself. A wait that cannot goes straight to `reacquire`, which is not enabled before a signal has picked it. One
 * that can (it is timed, or was chosen to wake spuriously) goes to `condReturn`, which is always enabled and finds out
 * from the state whether it was signalled. The conflict on the condition variable orders it with signals, so no `wake`
 * is logged for it.
 *
 * Whether a wait wakes spuriously is chosen as it begins. So how many such wake-ups are left decides only about the
 * alternatives of later waits, and in which order they were used makes no difference: nothing is logged for it.
 *
 * While a thread waits, `object` is the condition (the mutex from `reacquire` on), `a` the mutex and `b` how the wait can
 * end besides by a signal.
 */
const BY_SIGNAL = 0
const BY_TIME = 1
const BY_ITSELF = 2

export function wait(s: ModelState, t: number, value: number): number {
  return beginWait(s, t, value === 1 ? BY_ITSELF : BY_SIGNAL)
}

export function timedWait(s: ModelState, t: number, value: number): number {
  return beginWait(s, t, value === 1 ? BY_ITSELF : BY_TIME)
}

/** A misuse goes one way only. */
export function waitAlternatives(s: ModelState, t: number): number {
  return s.spuriousUsed < s.spuriousLimit && holdsOnce(s, t) ? 2 : 1
}

function holdsOnce(s: ModelState, t: number): boolean {
  return s.cells[s.a[t]] === t + 1 && s.cells[s.a[t] + 1] === 1
}

function beginWait(s: ModelState, t: number, end: number): number {
  const condition = s.object[t]
  const mutex = s.a[t]
  if (!holdsOnce(s, t)) {
    const why = s.cells[mutex] !== t + 1 ? ', which it does not hold' : ' locked more than once'
    return s.fail(t, 'lock-misuse', `waits on ${s.nameOf(condition)} with mutex ${s.nameOf(mutex)}${why}`)
  }
  s.record(t, Op.condWait, Mode.write, condition, -1)
  release(s, t, mutex)
  enqueue(s, t, condition)
  s.signalled[t] = 0
  s.result[t] = Result.ok
  s.b[t] = end
  if (end === BY_ITSELF) s.spuriousUsed++
  if (end === BY_SIGNAL) become(s, t, Action.reacquire, mutex)
  else become(s, t, Action.condReturn, condition)
  return AGAIN
}

/** A second operation of the same statement. */
function become(s: ModelState, t: number, action: number, object: number): void {
  s.action[t] = action
  s.object[t] = object
  s.pending.kind[t] = kindOfAction[action]
  s.pending.location[t] = s.layout.locationOf[object]
}

export function condReturn(s: ModelState, t: number): number {
  const condition = s.object[t]
  s.result[t] = Result.ok
  if (s.signalled[t] === 0) {
    dequeue(s, t, condition)
    s.signalled[t] = 1
    if (s.b[t] === BY_TIME) s.result[t] = Result.timedOut
  }
  s.record(t, Op.condReturn, Mode.write, condition, -1)
  become(s, t, Action.reacquire, s.a[t])
  return AGAIN
}

export function reacquireAlternatives(s: ModelState, t: number): number {
  return s.signalled[t] === 1 && s.cells[s.object[t]] === 0 ? 1 : 0
}

export function reacquire(s: ModelState, t: number): number {
  const mutex = s.object[t]
  if (reacquireAlternatives(s, t) === 0) notEnabled(s, t)
  s.cells[mutex] = t + 1
  s.cells[mutex + 1] = 1
  s.record(t, Op.reacquire, Mode.write, mutex, 0)
  return DONE
}

export function signalAlternatives(s: ModelState, t: number): number {
  return Math.max(s.cells[s.object[t] + 2], 1)
}

export function signal(s: ModelState, t: number, value: number): number {
  const condition = s.object[t]
  s.record(t, Op.condSignal, Mode.write, condition, -1)
  if (s.cells[condition + 2] === 0) return DONE
  wake(s, t, waiterAt(s, condition, value), condition)
  return DONE | ENDS
}

export function broadcast(s: ModelState, t: number): number {
  const condition = s.object[t]
  s.record(t, Op.condBroadcast, Mode.write, condition, -1)
  if (s.cells[condition + 2] === 0) return DONE
  while (s.cells[condition] !== 0) wake(s, t, s.cells[condition] - 1, condition)
  return DONE | ENDS
}

/** The thread at that place of the queue. */
export function waiterAt(s: ModelState, condition: number, place: number): number {
  let waiter = s.cells[condition] - 1
  for (let i = 0; i < place; i++) waiter = s.nextWaiter[waiter] - 1
  return waiter
}

function wake(s: ModelState, t: number, waiter: number, condition: number): void {
  dequeue(s, waiter, condition)
  s.signalled[waiter] = 1
  if (s.action[waiter] === Action.reacquire) s.recordAt(t, Op.wake, Mode.none, -1, waiter)
}

function enqueue(s: ModelState, t: number, condition: number): void {
  const { cells } = s
  s.nextWaiter[t] = 0
  if (cells[condition + 2] === 0) cells[condition] = t + 1
  else s.nextWaiter[cells[condition + 1] - 1] = t + 1
  cells[condition + 1] = t + 1
  cells[condition + 2]++
}

function dequeue(s: ModelState, t: number, condition: number): void {
  const { cells, nextWaiter } = s
  let before = 0
  for (let waiter = cells[condition]; waiter !== t + 1; waiter = nextWaiter[waiter - 1]) before = waiter
  if (before === 0) cells[condition] = nextWaiter[t]
  else nextWaiter[before - 1] = nextWaiter[t]
  if (cells[condition + 1] === t + 1) cells[condition + 1] = before
  cells[condition + 2]--
}
