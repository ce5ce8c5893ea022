import { refusedCalls } from './refused-calls.js'
import { runtimeCalls, statefulCalls, systemCalls, templateCalls, weakCalls } from './runtime-calls.js'

/**
 * What the host takes over from libc, and what in all does not go to libc: `runtime-calls.ts` has what the runtime takes
 * over. The toolchain reads these lists to link and to refuse what nobody provides; `machine/wasm-machine.ts` implements them.
 */

/** Provided by the host as `env.__wrap_NAME`; the calling thread may be suspended in them. */
const suspendingCalls = [
  'pthread_create',
  'pthread_join',
  'pthread_detach',
  'pthread_cancel',
  'pthread_testcancel',
  'pthread_mutex_init',
  'pthread_mutex_destroy',
  'pthread_mutex_lock',
  'pthread_mutex_trylock',
  'pthread_mutex_timedlock',
  'pthread_mutex_unlock',
  'pthread_mutex_getprioceiling',
  'pthread_mutex_setprioceiling',
  'pthread_getschedparam',
  'pthread_setschedparam',
  'pthread_setschedprio',
  'pthread_cond_init',
  'pthread_cond_destroy',
  'pthread_cond_wait',
  'pthread_cond_timedwait',
  'pthread_cond_signal',
  'pthread_cond_broadcast',
  'pthread_rwlock_init',
  'pthread_rwlock_destroy',
  'pthread_rwlock_rdlock',
  'pthread_rwlock_tryrdlock',
  'pthread_rwlock_timedrdlock',
  'pthread_rwlock_wrlock',
  'pthread_rwlock_trywrlock',
  'pthread_rwlock_timedwrlock',
  'pthread_rwlock_unlock',
  'pthread_barrier_init',
  'pthread_barrier_destroy',
  'pthread_barrier_wait',
  'pthread_spin_init',
  'pthread_spin_destroy',
  'pthread_spin_lock',
  'pthread_spin_trylock',
  'pthread_spin_unlock',
  'sem_init',
  'sem_destroy',
  'sem_wait',
  'sem_trywait',
  'sem_timedwait',
  'sem_post',
  'sem_getvalue',
  'pthread_key_create',
  'pthread_key_delete',
  'sched_yield',
  'malloc',
  'calloc',
  'aligned_alloc',
  'realloc',
  'free',
] as const

/** Provided by the host as `env.__wrap_NAME`; they return at once, or never. */
const immediateCalls = [
  'pthread_self',
  'pthread_setcancelstate',
  'pthread_setcanceltype',
  'pthread_mutex_consistent',
  'pthread_getspecific',
  'pthread_setspecific',
  'malloc_usable_size',
  '__assert_fail',
  'abort',
] as const

/** What `runtime/*.c` asks of the host, as `env.NAME`. */
const suspendingHelpers = [
  'fl_once_enter',
  'fl_once_leave',
  'fl_once_abort',
  'fl_cond_enter',
  'fl_cond_leave',
  'fl_sleep',
  'fl_stream',
  'fl_touch',
  'fl_choose',
  'fl_user_point',
  'fl_assume_failed',
  'fl_atomic_begin',
  'fl_own_block',
  'fl_own_free',
  'fl_atomic_wait',
  'fl_atomic_notify',
  'fl_semaphore_acquire',
  'fl_semaphore_try',
  'fl_semaphore_value',
  'fl_semaphore_try_until',
  'fl_semaphore_release',
  'fl_latch_count',
  'fl_latch_try',
  'fl_latch_wait',
  'fl_barrier_arrive',
  'fl_barrier_complete',
  'fl_barrier_wait',
  'fl_free_as',
  'fl_xbegin',
] as const
const immediateHelpers = [
  'fl_thread_exit',
  'fl_key_destructor',
  'fl_unsupported',
  'fl_atomic_end',
  'fl_reach_error',
  'fl_missing_return',
  'fl_invariant',
  'fl_at_end',
  'fl_rule',
  'fl_own_lock',
  'fl_region',
  'fl_block_signals',
  'fl_semaphore_make',
  'fl_interrupt_misuse',
  'fl_own_pool',
  'fl_name_thread',
  'fl_name_object',
  'fl_symbolic',
  'fl_has_inputs',
  'fl_uncaught',
  'fl_uncaught_exception',
  'fl_may_be_caught',
  'fl_set_family',
  'fl_change_family',
  'fl_xend',
  'fl_xabort',
  'fl_xtest',
] as const

const suspendingSystemCalls = ['poll_oneoff', 'proc_exit', 'sched_yield'] as const
const immediateSystemCalls = [
  'args_get',
  'args_sizes_get',
  'environ_get',
  'environ_sizes_get',
  'clock_res_get',
  'clock_time_get',
  'fd_close',
  'fd_fdstat_get',
  'fd_fdstat_set_flags',
  'fd_prestat_dir_name',
  'fd_prestat_get',
  'fd_read',
  'fd_seek',
  'fd_write',
  'random_get',
] as const

/** In programs that open files every call to do with them may suspend: who comes first makes a difference. */
const fileCalls = [
  'path_open',
  'path_filestat_get',
  'path_unlink_file',
  'path_create_directory',
  'path_remove_directory',
  'path_rename',
  'fd_filestat_get',
  'fd_filestat_set_size',
  'fd_tell',
  'fd_sync',
  'fd_datasync',
  'fd_advise',
] as const
/** They fail, as on a system without. */
export const missingFileCalls = [
  'fd_readdir',
  'fd_allocate',
  'fd_filestat_set_times',
  'fd_pread',
  'fd_pwrite',
  'fd_renumber',
  'path_link',
  'path_symlink',
  'path_readlink',
  'path_filestat_set_times',
] as const

/** Imports of `env` in which a thread may find that it was cancelled. */
export const cancellationPoints: ReadonlySet<string> = new Set([
  '__wrap_pthread_testcancel',
  '__wrap_pthread_join',
  '__wrap_pthread_cond_wait',
  '__wrap_pthread_cond_timedwait',
  '__wrap_sem_wait',
  '__wrap_sem_timedwait',
  'fl_cond_enter',
  'fl_cond_leave',
  'fl_sleep',
])

/** What programs that bring their own threads import, as `wasi.NAME`. */
const wasiThreads = ['thread-spawn'] as const

export type HostCall =
  | `__wrap_${(typeof suspendingCalls)[number] | (typeof immediateCalls)[number]}`
  | (typeof suspendingHelpers)[number]
  | (typeof immediateHelpers)[number]
export type SystemCall = (
  | typeof suspendingSystemCalls
  | typeof immediateSystemCalls
  | typeof fileCalls
  | typeof missingFileCalls
)[number]

/** Linked with `--wrap=NAME`: a call to NAME goes to `__wrap_NAME`, in `runtime/*.c` or, if not there, in the host. */
export const wrapped: readonly string[] = [
  ...suspendingCalls,
  ...immediateCalls,
  ...runtimeCalls,
  ...templateCalls,
  ...systemCalls,
  ...statefulCalls,
  ...refusedCalls,
]

/** Those of which a program may have its own: it then calls that, as everywhere. */
export const replaceable: ReadonlySet<string> = new Set<string>([
  ...systemCalls,
  ...statefulCalls,
  ...refusedCalls,
])

/** Calls that touch nothing but what the log shows, or what only the calling thread can see. */
export const transparent: readonly string[] = [
  ...suspendingCalls,
  ...immediateCalls,
  ...runtimeCalls,
  ...systemCalls,
  ...weakCalls,
]

const toWrap = (name: string) => `__wrap_${name}`

/** Functions the host provides as imports, by module: anything else left undefined is refused by name. */
export const provided: Readonly<Record<string, readonly string[]>> = {
  env: [
    ...suspendingCalls.map(toWrap),
    ...immediateCalls.map(toWrap),
    ...suspendingHelpers,
    ...immediateHelpers,
  ],
  wasi_snapshot_preview1: [
    ...suspendingSystemCalls,
    ...immediateSystemCalls,
    ...fileCalls,
    ...missingFileCalls,
  ],
  wasi: wasiThreads,
}

/** Whether a program that imports this can have files of its own. */
export function opensFiles(imports: readonly { readonly name: string }[]): boolean {
  return imports.some(({ name }) => name === 'path_open')
}

/** Of what a program imports, what may suspend the calling thread, as `module.name`; the `fl.*` imports are not listed. */
export function suspendingIn(imports: readonly { readonly name: string }[]): readonly string[] {
  const ofFiles = [...fileCalls, ...missingFileCalls, 'fd_read', 'fd_write', 'fd_seek', 'fd_close']
  return opensFiles(imports)
    ? [...suspending, ...ofFiles.map((name) => `wasi_snapshot_preview1.${name}`)]
    : suspending
}

/** Those that always may. */
export const suspending: readonly string[] = [
  ...suspendingCalls.map((name) => `env.${toWrap(name)}`),
  ...suspendingHelpers.map((name) => `env.${name}`),
  ...suspendingSystemCalls.map((name) => `wasi_snapshot_preview1.${name}`),
  ...wasiThreads.map((name) => `wasi.${name}`),
]
