import { refusedCalls } from './refused-calls.js'

/**
 * What the runtime and the host take over from libc. The toolchain reads these lists to link and to refuse what nobody
 * provides; the machine implements them (`machine/imports.ts` is checked against them when it is made).
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

/** Provided by `runtime/*.c` as `__wrap_NAME`, on top of the calls of `helpers`. */
const runtimeCalls = [
  'pthread_exit',
  'pthread_once',
  '_pthread_cleanup_push',
  '_pthread_cleanup_pop',
  'posix_memalign',
  'sysconf',
  '__libc_malloc',
  '__libc_calloc',
  '__libc_free',
  'usleep',
  'nanosleep',
  'sleep',
  'clock_nanosleep',
  'thrd_sleep',
  'thrd_yield',
  'pthread_attr_setguardsize',
  'pthread_attr_getguardsize',
  'pthread_attr_setschedparam',
  'pthread_attr_getschedparam',
  'pthread_mutexattr_setprotocol',
  'pthread_mutexattr_getprotocol',
  'pthread_mutexattr_setprioceiling',
  'pthread_mutexattr_getprioceiling',
  'pthread_mutexattr_settype',
  'pthread_mutexattr_setrobust',
  'pthread_condattr_setclock',
  'pthread_condattr_getclock',
  '__cxa_guard_acquire',
  '__cxa_guard_release',
  '__cxa_guard_abort',
  // std::__call_once, std::__libcpp_verbose_abort
  '_ZNSt3__211__call_onceERVmPvPFvS2_E',
  '_ZNSt3__222__libcpp_verbose_abortEPKcz',
  '_ZNSt3__225notify_all_at_thread_exitERNS_18condition_variableENS_11unique_lockINS_5mutexEEE',
] as const

/**
 * Provided by `runtime/exceptions/*.c` as `__wrap_NAME`, in programs with exceptions: std::set_terminate, get_terminate,
 * terminate, __throw_bad_alloc, __throw_system_error, nested_exception::rethrow_nested.
 */
export const ofExceptions = [
  '_ZNSt3__220__throw_system_errorEiPKc',
  '_ZNKSt16nested_exception14rethrow_nestedEv',
  '_ZSt13set_terminatePFvvE',
  '_ZSt13get_terminatev',
  '_ZSt9terminatev',
  '_ZSt17__throw_bad_allocv',
] as const

/** As part of a symbol: a reference to a `const std::string`, in functions of libc++ and in those of libc++abi. */
const TEXT = 'ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE'
const TEXT_OF_ERROR = 'ERKNSt3__212basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE'

/** What the C++ library has compiled: `runtime/templates.c` logs what it accesses. */
const templateCalls = [
  ...Array.from(
    'acdefhijlmstwxy',
    (code) => `_ZNSt3__26__sortIRNS_6__lessI${code}${code}EEP${code}EEvT0_S5_T_`,
  ),
  '_ZNSt3__2plIcNS_11char_traitsIcEENS_9allocatorIcEEEENS_12basic_stringIT_T0_T1_EEPKS6_RKS9_',
  '_ZNSt3__213basic_ostreamIcNS_11char_traitsIcEEE5writeEPKcl',
  ...['4stoi', '4stol', '5stoul', '5stoll', '6stoull'].map((name) => `_ZNSt3__2${name}${TEXT}Pmi`),
  ...['4stof', '4stod', '5stold'].map((name) => `_ZNSt3__2${name}${TEXT}Pm`),
  ...['13runtime_error', '11logic_error'].flatMap((name) =>
    ['C1', 'C2'].map((form) => `_ZNSt${name}${form}${TEXT_OF_ERROR}`),
  ),
  '_ZNSt3__213__hash_memoryEPKvm',
  ...['f', 'd', 'e'].flatMap((code) =>
    ['', 'NS_12chars_formatE', 'NS_12chars_formatEi'].map((form) => `_ZNSt3__28to_charsEPcS0_${code}${form}`),
  ),
]

/** Provided by `runtime/signals.c` and `runtime/descriptors.c` in the same way. */
const systemCalls = [
  'signal',
  'raise',
  'read',
  'write',
  'close',
  'fcntl',
  'poll',
  'select',
  'send',
  'recv',
] as const

/** Of these the library has its own, which do as well where the program makes no descriptors that are ours. */
const plainSystemCalls: ReadonlySet<string> = new Set(['read', 'write', 'close', 'fcntl', 'send', 'recv'])
const makersOfDescriptors: ReadonlySet<string> = new Set(['pipe', 'pipe2', 'socketpair', 'eventfd'])

/**
 * Whether a call is no business of a program that calls these functions. The library itself calls some of them for its
 * streams: every program would have pipes and signals, and whatever is refused with them.
 */
export function isNeedless(name: string, called: readonly string[]): boolean {
  if (!(systemCalls as readonly string[]).includes(name)) return false
  if (called.some((other) => makersOfDescriptors.has(other))) return false
  return plainSystemCalls.has(name) || !called.includes(name)
}

/** The same, for functions that keep a state per thread which no log shows. */
const statefulCalls = ['rand', 'srand', 'random', 'srandom'] as const

/** Provided by `runtime/*.c` under their own names: the system's libc has none of them. */
const weakCalls = [
  'pthread_cond_clockwait',
  'pthread_mutex_clocklock',
  'pthread_rwlock_clockrdlock',
  'pthread_rwlock_clockwrlock',
  'sem_clockwait',
  'pthread_setname_np',
  'sched_get_priority_max',
  'sched_get_priority_min',
  'sched_setaffinity',
  'sched_getaffinity',
  'sched_getcpu',
  'pthread_setaffinity_np',
  'pthread_getaffinity_np',
  'get_nprocs',
  'get_nprocs_conf',
  'sigaction',
  'sigemptyset',
  'sigfillset',
  'sigaddset',
  'sigdelset',
  'sigismember',
  'sigprocmask',
  'pthread_sigmask',
  'pthread_kill',
  'kill',
  'sigwait',
  'sigsuspend',
  'sigpending',
  'tmpfile',
  'pipe',
  'pipe2',
  'socketpair',
  'eventfd',
  'eventfd_read',
  'eventfd_write',
  'pause',
  'thrd_create',
  'thrd_join',
  'thrd_detach',
  'thrd_exit',
  'thrd_current',
  'thrd_equal',
  'call_once',
  'mtx_init',
  'mtx_destroy',
  'mtx_lock',
  'mtx_trylock',
  'mtx_timedlock',
  'mtx_unlock',
  'cnd_init',
  'cnd_destroy',
  'cnd_wait',
  'cnd_timedwait',
  'cnd_signal',
  'cnd_broadcast',
  'tss_create',
  'tss_delete',
  'tss_get',
  'tss_set',
  'faultline_choose',
  'faultline_yield',
  'faultline_point',
  'faultline_assume',
  'faultline_atomic_begin',
  'faultline_atomic_end',
  'faultline_invariant',
  'faultline_at_end',
  'faultline_rule',
  'faultline_acquired',
  'faultline_releasing',
  'faultline_pool',
  'faultline_allocated',
  'faultline_freed',
  'faultline_name_thread',
  'faultline_name',
  'faultline_thread_fork',
  'faultline_gettid',
  'faultline_deschedule',
  'faultline_make_runnable',
  'faultline_thread_yield',
  'faultline_thread_sleep',
  'faultline_get_ticks',
  'faultline_vanish',
  'faultline_leave_stack',
  'faultline_enter_stack',
  'faultline_disable_interrupts',
  'faultline_enable_interrupts',
  'faultline_interrupts_are_off',
  'faultline_is_in_handler',
  'faultline_interrupt',
  'faultline_block',
  'faultline_unblock',
  '__VERIFIER_nondet_bool',
  '__VERIFIER_nondet_int',
  '__VERIFIER_nondet_uint',
  '__VERIFIER_nondet_long',
  '__VERIFIER_nondet_char',
  '__VERIFIER_assume',
  '__VERIFIER_atomic_begin',
  '__VERIFIER_atomic_end',
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
