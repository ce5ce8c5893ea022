/**
 * What `runtime/*.c` takes over from libc and from the library of C++, and what it has that they have not. See
 * `provided-calls.ts` for what the host provides, and for what is wrapped of all.
 */

/** Provided by `runtime/*.c` as `__wrap_NAME`, on top of what it asks of the host (`provided-calls.ts`). */
export const runtimeCalls = [
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
export const templateCalls = [
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
export const systemCalls = [
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
export const statefulCalls = ['rand', 'srand', 'random', 'srandom'] as const

/** Provided by `runtime/*.c` under their own names: the system's libc has none of them. */
export const weakCalls = [
  'pthread_cond_clockwait',
  'pthread_mutex_clocklock',
  'pthread_rwlock_clockrdlock',
  'pthread_rwlock_clockwrlock',
  'sem_clockwait',
  'pthread_setname_np',
  'pthread_getname_np',
  '__faultline_call_cleanup',
  'sched_get_priority_max',
  'sched_get_priority_min',
  'sched_setaffinity',
  'sched_getaffinity',
  'sched_getcpu',
  'pthread_setaffinity_np',
  'pthread_getaffinity_np',
  'pthread_attr_setaffinity_np',
  'pthread_attr_getaffinity_np',
  'pthread_rwlockattr_setkind_np',
  'pthread_rwlockattr_getkind_np',
  'gettid',
  'syscall',
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
  '__VERIFIER_nondet_unsigned',
  '__VERIFIER_nondet_u32',
  '__VERIFIER_nondet_long',
  '__VERIFIER_nondet_ulong',
  '__VERIFIER_nondet_longlong',
  '__VERIFIER_nondet_ulonglong',
  '__VERIFIER_nondet_size_t',
  '__VERIFIER_nondet_short',
  '__VERIFIER_nondet_ushort',
  '__VERIFIER_nondet_u16',
  '__VERIFIER_nondet_char',
  '__VERIFIER_nondet_uchar',
  '__VERIFIER_nondet_u8',
  '__VERIFIER_assume',
  '__VERIFIER_atomic_begin',
  '__VERIFIER_atomic_end',
] as const
