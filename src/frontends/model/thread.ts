import { THREAD_DONE } from '../../machine/machine.js'
import { Mode, Op } from '../../machine/operation.js'
import { DONE, ENDS, FAILED, type ModelState, notEnabled } from './state.js'

/** Threads, choices and output. */

/**
 * The child runs up to its own first operation at once; that prefix touches nothing shared. The handle is the hash of
 * the child's canonical name, so that it is the same in every interleaving and every process.
 */
export function create(s: ModelState, t: number): number {
  const child = s.threads.child(t, ++s.children[t])
  s.recordAt(t, Op.create, Mode.none, -1, child)
  s.result[t] = s.threads.hashes[child]
  return s.spawn(child, s.object[t], t) === FAILED ? FAILED : DONE | ENDS
}

/** What a `join` by name means: a root, or the own child of that body that was created first and is not joined yet. */
export function joinTarget(s: ModelState, t: number, body: number): number {
  const root = s.options.rootOf[body]
  if (root >= 0) return root
  for (let rank = 1; rank <= s.children[t]; rank++) {
    const child = s.threads.child(t, rank)
    if (s.body[child] === body && s.joined[child] === 0) return child
  }
  return -1
}

/** The thread a handle stands for, or -1. */
export function threadOfHandle(s: ModelState, handle: number): number {
  const thread = s.threads.hashes.indexOf(handle)
  return thread >= 0 && s.pending.status[thread] !== 0 ? thread : -1
}

export function joinAlternatives(s: ModelState, t: number): number {
  const target = s.object[t]
  return target < 0 || target === t || s.joined[target] === 1 || s.pending.status[target] === THREAD_DONE
    ? 1
    : 0
}

export function join(s: ModelState, t: number): number {
  const target = s.object[t]
  if (target < 0) return s.fail(t, 'lock-misuse', 'joins a thread that was not created, or joins it twice')
  if (target === t) return s.fail(t, 'lock-misuse', 'joins itself')
  if (s.joined[target] === 1)
    return s.fail(t, 'lock-misuse', `joins ${s.threads.labelOf(target)}, which was joined already`)
  if (s.pending.status[target] !== THREAD_DONE) notEnabled(s, t)
  s.joined[target] = 1
  s.result[t] = 0
  s.recordAt(t, Op.join, Mode.none, -1, target)
  return DONE
}

export function yieldProcessor(s: ModelState, t: number): number {
  s.recordIdle(t, Op.yield)
  return DONE
}

export function point(s: ModelState, t: number): number {
  s.recordIdle(t, Op.userPoint)
  return DONE
}

export function chooseAlternatives(s: ModelState, t: number): number {
  return s.a[t]
}

export function choose(s: ModelState, t: number, value: number): number {
  s.result[t] = value
  s.recordAt(t, Op.choose, Mode.none, -1, value)
  return DONE
}

export function output(s: ModelState, t: number): number {
  s.outputThread[s.outputs] = t
  s.outputSite[s.outputs] = s.pending.site[t]
  s.outputAt[s.outputs] = s.events.count
  s.outputText[s.outputs++] = s.control.outputText(t)
  s.recordAt(t, Op.output, Mode.write, s.outputLocation, -1)
  return DONE
}
