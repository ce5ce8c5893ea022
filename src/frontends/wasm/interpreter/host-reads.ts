import type { Path } from './path.js'

export type HostFunctions = Record<string, (...args: number[]) => number>

/** Bytes that a call reads, from the address in one of its arguments on. */
type Range = readonly [argument: number, size: number | ((args: readonly number[]) => number)]

const TIME = 16
const MUTEX = 24
const ATTRIBUTES = 48
/** Of arguments that are addresses of we do not know what. */
const MOST = 64

/** What calls read of memory, by how their names begin: the first that fits counts. Sizes are those of musl. */
const reads: readonly (readonly [RegExp, readonly Range[]])[] = [
  [/^__wrap_pthread_mutex_init$/, [[1, 4]]],
  [
    /^__wrap_pthread_mutex_timedlock$/,
    [
      [0, MUTEX],
      [1, TIME],
    ],
  ],
  [/^__wrap_pthread_mutex_/, [[0, MUTEX]]],
  [
    /^__wrap_pthread_cond_timedwait$/,
    [
      [0, 48],
      [1, MUTEX],
      [2, TIME],
    ],
  ],
  [
    /^__wrap_pthread_cond_wait$/,
    [
      [0, 48],
      [1, MUTEX],
    ],
  ],
  [/^__wrap_pthread_cond_init$/, [[1, 4]]],
  [/^__wrap_pthread_cond_/, [[0, 48]]],
  [
    /^__wrap_pthread_rwlock_timed/,
    [
      [0, 32],
      [1, TIME],
    ],
  ],
  [/^__wrap_pthread_rwlock_init$/, []],
  [/^__wrap_pthread_rwlock_/, [[0, 32]]],
  [/^__wrap_pthread_barrier_init$/, []],
  [/^__wrap_pthread_barrier_/, [[0, 20]]],
  [/^__wrap_pthread_spin_init$/, []],
  [/^__wrap_pthread_spin_/, [[0, 4]]],
  [/^__wrap_sem_init$/, []],
  [
    /^__wrap_sem_timedwait$/,
    [
      [0, 16],
      [1, TIME],
    ],
  ],
  [/^__wrap_sem_/, [[0, 16]]],
  [
    /^fl_semaphore_try_until$/,
    [
      [0, 16],
      [1, TIME],
    ],
  ],
  [/^fl_(semaphore|latch|barrier)_/, [[0, 16]]],
  [
    /^fl_atomic_wait$/,
    [
      [0, ([, , size]) => size],
      [1, ([, , size]) => size],
    ],
  ],
  [/^fl_atomic_notify$/, []],
  [/^__wrap_pthread_create$/, [[1, ATTRIBUTES]]],
  [/^__wrap_pthread_setschedparam$/, [[2, 4]]],
  [/^__wrap_pthread_/, []],
  [
    /^__wrap_(malloc|calloc|aligned_alloc|realloc|free|malloc_usable_size|sched_yield|abort|__assert_fail)$/,
    [],
  ],
  // Names, blocks and places, of which they read nothing; what they say of the input is an argument.
  [/^wait32$/, [[0, 4]]],
  [/^wait64$/, [[0, 8]]],
  [/^(point|loop|overflow|grow|notify)$/, []],
  [/^fl_symbolic$/, [[2, MOST]]],
  [
    /^fl_(has_inputs|name|own|free_as|set_family|change_family|region|rule|stream|sleep|choose|user_point)/,
    [],
  ],
  [
    /^fl_(atomic_begin|atomic_end|thread_exit|key_destructor|invariant|at_end|check|reach_error|missing_return)/,
    [],
  ],
  [/^(args|environ|clock|random|fd_close|fd_fdstat|fd_prestat|fd_seek|proc_exit|sched_yield)/, []],
  // What is printed is followed byte by byte.
  [/^fd_(read|write)$/, [[1, ([, , count]) => 8 * count]]],
  [/^poll_oneoff$/, [[0, ([, , count]) => 48 * count]]],
]

/**
 * The same calls, after a look at what they read: what of it depends on the input decides what they do, so from there on the path
 * is about inputs with which it is what it is now. Of a call that is not listed, whatever its arguments may point to.
 */
export function followingReads<Functions extends Readonly<Record<string, unknown>>>(
  path: Path,
  functions: Functions,
  bytes: () => Uint8Array,
): Functions {
  const { shadow } = path
  return Object.fromEntries(
    Object.entries(functions).map(([name, call]) => {
      if (typeof call !== 'function') return [name, call]
      const known = reads.find(([names]) => names.test(name))?.[1]
      if (known?.length === 0) return [name, call]
      const followed = (...args: number[]) => {
        if (!shadow.isEmpty) {
          for (const [i, size] of known ?? args.map((_, i) => [i, MOST] as const)) {
            const length = typeof size === 'number' ? size : size(args) >>> 0
            path.makeBytesConcrete(bytes(), Number(args[i]) >>> 0, length)
          }
        }
        return call(...args)
      }
      return [name, followed]
    }),
  ) as Functions
}
