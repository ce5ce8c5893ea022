import { Op, operations } from '../../../machine/operation.js'
import { isStandard, type System } from './system.js'

/** Operations of which all that they do to others is told by their events. By kind. */
export const isRecallable = new Uint8Array(operations.length)
for (const kind of [
  ...[Op.load, Op.store, Op.atomicLoad, Op.atomicStore, Op.atomicUpdate, Op.fence],
  ...[Op.lock, Op.tryLock, Op.unlock, Op.mutexSetup, Op.free],
  ...[Op.start, Op.create, Op.join, Op.claim, Op.exit, Op.processExit, Op.yield, Op.userPoint, Op.choose],
])
  isRecallable[kind] = 1

/** Calls that change nothing that others can see but what the event log tells, and `Heap.touched`. */
const calls: ReadonlySet<string> = new Set([
  ...['__wrap_pthread_create', '__wrap_pthread_join', '__wrap_pthread_self', 'fl_thread_exit'],
  ...['__wrap_pthread_mutex_lock', '__wrap_pthread_mutex_trylock', '__wrap_pthread_mutex_unlock'],
  ...['__wrap_pthread_mutex_init', '__wrap_pthread_mutex_destroy', 'fl_key_destructor'],
  ...['__wrap_malloc', '__wrap_calloc', '__wrap_free', '__wrap_sched_yield'],
  ...['__wrap___assert_fail', '__wrap_abort', 'proc_exit', 'args_get', 'args_sizes_get'],
  ...['fl_choose', 'fl_user_point', 'fl_assume_failed', 'fl_reach_error', 'fl_missing_return'],
  ...['point', 'loop', 'overflow'],
  // See `writing`.
  'fd_write',
])

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>

/** The same calls, of which all others tell that a transition cannot be done from memory. */
export function spoiling(imports: Calls, spoil: () => void): Calls {
  return Object.fromEntries(
    Object.entries(imports).map(([name, call]) => [name, calls.has(name) ? call : spoilt(call, spoil)]),
  )
}

/**
 * Writing. To print, as most programs do before they end, touches nothing that others can see: what was printed is asked of
 * the program itself. But who prints much is to be seen to print without end.
 */
export function writing(system: System, spoil: () => void): System['systemCalls']['fd_write'] {
  return (file, vectors, count, result) => {
    if (!isStandard(file)) spoil()
    const code = system.systemCalls.fd_write(file, vectors, count, result)
    if (system.hasPrintedMuch) spoil()
    return code
  }
}

function spoilt(call: (...args: never[]) => unknown, spoil: () => void): (...args: never[]) => unknown {
  return (...args) => {
    spoil()
    return call(...args)
  }
}
