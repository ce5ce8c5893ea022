import type { Artifact, CodeSite } from '../artifact.js'
import { transparent } from '../provided-calls.js'

/** Library functions that only read memory, through the log. */
const readingCalls = [
  'atoi',
  'memchr',
  'memcmp',
  'strchr',
  'strcmp',
  'strlen',
  'strncmp',
  'strnlen',
  'strrchr',
  'strstr',
] as const

/** Functions of the C++ library that only try. */
const libraryTries = [
  'fl_latch_try',
  'fl_semaphore_try',
  'fl_semaphore_try_until',
  'std::__2::mutex::try_lock()',
  'std::__2::recursive_mutex::try_lock()',
] as const

const transactionCalls = ['fl_xbegin', 'fl_xend', 'fl_xabort', 'fl_xtest'] as const

/** Functions that leave no trace but in the log. */
const transparentCalls = new Set<string>([
  ...libraryTries,
  ...transactionCalls,
  'std::__2::condition_variable::notify_all()',
  'std::__2::condition_variable::notify_one()',
  'std::__2::mutex::lock()',
  'std::__2::mutex::unlock()',
  'std::__2::recursive_mutex::lock()',
  'std::__2::recursive_mutex::unlock()',
  ...transparent,
  ...readingCalls,
  'memcpy',
  'memmove',
  'memory.atomic.notify',
  'memory.atomic.wait32',
  'memory.atomic.wait64',
  'memset',
  'pthread_equal',
  'stpcpy',
  'strcat',
  'strcpy',
  'strdup',
  'strncat',
  'strncpy',
])

/** Functions that an iteration which changes nothing can be made of. */
const idle = new Set<string>([
  ...readingCalls,
  ...libraryTries,
  'clock_nanosleep',
  'cnd_timedwait',
  'faultline_make_runnable',
  'faultline_thread_sleep',
  'faultline_thread_yield',
  'faultline_yield',
  'fl_xbegin',
  'memcpy',
  'memmove',
  'memory.atomic.wait32',
  'memory.atomic.wait64',
  'mtx_timedlock',
  'mtx_trylock',
  'nanosleep',
  'pthread_cond_clockwait',
  'pthread_cond_timedwait',
  'pthread_mutex_timedlock',
  'pthread_mutex_trylock',
  'pthread_rwlock_timedrdlock',
  'pthread_rwlock_timedwrlock',
  'pthread_rwlock_tryrdlock',
  'pthread_rwlock_trywrlock',
  'pthread_spin_trylock',
  'sched_yield',
  'sem_getvalue',
  'sem_timedwait',
  'sem_trywait',
  'sleep',
  'thrd_sleep',
  'thrd_yield',
  'usleep',
])

const reads: readonly CodeSite['kind'][] = ['load', 'atomicLoad', 'atomicUpdate']

/**
 * Loops that can be spins, by site. Others need not be looked at: they read nothing they could wait for, or they call
 * library functions that are not instrumented, so that an iteration may read or change what the log does not show.
 */
export function spinCandidates({ sites, functions, layout }: Artifact): Uint8Array {
  // Everything such a program does is in the log: any loop may wait.
  if (layout.own) return Uint8Array.from(sites, ({ kind }) => (kind === 'loop' ? 1 : 0))
  const user = new Set(functions.filter((f) => f.user).map((f) => f.symbol))
  const callsOf = new Map<string, CodeSite[]>()
  for (const site of sites) {
    if (site.kind !== 'call') continue
    const container = site.inlined?.at(-1)?.function ?? site.function
    const calls = callsOf.get(container)
    if (calls) calls.push(site)
    else callsOf.set(container, [site])
  }
  const opaque = new Map<string, boolean>()
  const isOpaqueFunction = (name: string): boolean => {
    const known = opaque.get(name)
    if (known !== undefined) return known
    opaque.set(name, false)
    const result = (callsOf.get(name) ?? []).some(isOpaqueCall)
    opaque.set(name, result)
    return result
  }
  const isOpaqueCall = ({ callee }: CodeSite): boolean => {
    if (callee === undefined) return true
    if (transparentCalls.has(callee)) return false
    return user.has(callee) ? isOpaqueFunction(callee) : true
  }
  const canWait = ({ kind, callee = '' }: CodeSite): boolean =>
    kind === 'call' ? idle.has(callee) || user.has(callee) : reads.includes(kind)

  const places = sites.filter((site) => site.kind !== 'loop').sort((a, b) => a.offset - b.offset)
  const bodyOf = ({ offset, end = Number.POSITIVE_INFINITY }: CodeSite): CodeSite[] => {
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (places[middle].offset <= offset) low = middle + 1
      else high = middle
    }
    let to = low
    while (to < places.length && places[to].offset < end) to++
    return places.slice(low, to)
  }
  return Uint8Array.from(sites, (site) => {
    if (site.kind !== 'loop') return 0
    const body = bodyOf(site)
    return body.some(canWait) && !body.some((place) => place.kind === 'call' && isOpaqueCall(place)) ? 1 : 0
  })
}
