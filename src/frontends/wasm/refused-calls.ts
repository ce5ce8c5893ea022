/**
 * libc has single-threaded stand-ins for these, which would be silently wrong: wrapped so that a program that calls
 * them is refused by name.
 */
export const refusedCalls = [
  'pthread_tryjoin_np',
  'pthread_timedjoin_np',
  // One sequence for all threads: what a thread draws would depend on the others, unseen.
  'drand48',
  'lrand48',
  'mrand48',
  'srand48',
  'seed48',
  'lcong48',
  'initstate',
  'setstate',
] as const

const NO_TIMERS = 'signals come from threads only: let a thread sleep and send it'
const ONE_SEQUENCE = 'use rand or random, of which each thread has a sequence of its own'

/** What to do instead of calling a function that is refused by name. */
const advice: Readonly<Record<string, string>> = {
  pthread_tryjoin_np: 'use pthread_join',
  pthread_timedjoin_np: 'use pthread_join',
  pthread_getcpuclockid: 'no time passes but by sleeping and by reading a clock: use CLOCK_MONOTONIC',
  alarm: NO_TIMERS,
  ualarm: NO_TIMERS,
  setitimer: NO_TIMERS,
  fork: 'all threads are in one process',
  wait: 'all threads are in one process',
  waitpid: 'all threads are in one process',
  sched_setscheduler: 'use pthread_setschedparam',
  sched_getscheduler: 'use pthread_getschedparam',
  sched_setparam: 'use pthread_setschedparam',
  sched_getparam: 'use pthread_getschedparam',
  drand48: ONE_SEQUENCE,
  lrand48: ONE_SEQUENCE,
  mrand48: ONE_SEQUENCE,
  srand48: ONE_SEQUENCE,
  seed48: ONE_SEQUENCE,
  lcong48: ONE_SEQUENCE,
  initstate: ONE_SEQUENCE,
  setstate: ONE_SEQUENCE,
  pthread_cancel_in_cxx:
    'a C++ thread that is cancelled has to run destructors, which takes exceptions: leave out -fno-exceptions',
}

/** What to do instead of calling a function that nobody provides, where there is something to say. */
export function adviceOn(name: string): string | undefined {
  if (advice[name] !== undefined) return advice[name]
  const isOfSystem = /^(?:pthread_|atomic128_|_)/.test(name) || refusedCalls.some((call) => call === name)
  return isOfSystem ? undefined : 'if it is one of yours, give the file that defines it, too'
}
