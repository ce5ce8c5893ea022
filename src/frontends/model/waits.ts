import type { Wait } from '../../machine/bug.js'
import { THREAD_LIVE } from '../../machine/machine.js'
import { Action } from './actions.js'
import type { ModelState } from './state.js'

/** What a thread that is not enabled waits for. */
export function describeWait(s: ModelState, thread: number): Wait {
  const site = s.pending.site[thread]
  const object = s.object[thread]
  if (s.spins.blocked[thread] === 1 && !s.spins.canGoOn(thread)) {
    const cells = s.spins.cellsRead(thread).map((cell) => describeCell(s, cell))
    const what = cells.length === 0 ? 'nothing it could read' : `a change of ${cells.join(', ')}`
    return { thread, object: what, holders: [], site, spinning: true }
  }
  switch (s.action[thread]) {
    case Action.reacquire:
      if (s.signalled[thread] === 0)
        return { thread, object: `a signal on ${waitedOn(s, thread)}`, holders: [], site }
      return onMutex(s, thread, object, site)
    case Action.lock:
      return onMutex(s, thread, object, site)
    case Action.readLock:
      return {
        thread,
        object: `rwlock ${s.nameOf(object)}`,
        holders: s.cells[object] < 0 ? rwlockHolders(s, object) : waitingWriters(s, object),
        site,
      }
    case Action.writeLock:
    case Action.queuedWriteLock:
      return { thread, object: `rwlock ${s.nameOf(object)}`, holders: rwlockHolders(s, object), site }
    case Action.semWait:
      return { thread, object: `semaphore ${s.nameOf(object)}`, holders: [], site }
    case Action.barrierLeave:
      return { thread, object: `barrier ${s.nameOf(object)}`, holders: [], site }
    case Action.join:
      return { thread, object: `thread ${s.threads.names[object]} to end`, holders: [object], site }
    default:
      return { thread, object: 'its turn', holders: [], site }
  }
}

function describeCell(s: ModelState, cell: number): string {
  const object = s.layout.objectAt(cell)
  if (object.type === 'array') return `${object.name}[${cell - object.cell}]`
  return object.type === 'variable' ? object.name : `${object.type} ${object.name}`
}

function onMutex(s: ModelState, thread: number, mutex: number, site: number): Wait {
  const owner = s.cells[mutex]
  return { thread, object: `mutex ${s.nameOf(mutex)}`, holders: owner === 0 ? [] : [owner - 1], site }
}

function rwlockHolders(s: ModelState, cell: number): number[] {
  if (s.cells[cell] < 0) return [s.cells[cell + 1] - 1]
  const holders: number[] = []
  for (let t = 0; t < s.threads.count; t++) {
    const held = s.readHolds[t * s.layout.rwlocks + s.layout.detail[cell]] > 0
    if (held && s.pending.status[t] === THREAD_LIVE) holders.push(t)
  }
  return holders
}

/** Those whom readers let go first. */
function waitingWriters(s: ModelState, cell: number): number[] {
  const waiting: number[] = []
  for (let t = 0; t < s.threads.count; t++) {
    if (s.pending.status[t] === THREAD_LIVE && s.action[t] === Action.queuedWriteLock && s.object[t] === cell)
      waiting.push(t)
  }
  return waiting
}

/** Name of the condition whose queue the thread is in. */
function waitedOn(s: ModelState, thread: number): string {
  for (const object of s.layout.objects) {
    if (object.type !== 'condition') continue
    for (let w = s.cells[object.cell]; w !== 0; w = s.nextWaiter[w - 1])
      if (w === thread + 1) return object.name
  }
  return 'a condition'
}
