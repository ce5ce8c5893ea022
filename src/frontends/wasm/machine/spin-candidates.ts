import type { Artifact, CodeSite } from '../artifact.js'
import { wrapped } from '../wraps.js'

/** Library functions whose accesses are logged, or that touch nothing the program can see. */
const transparent = new Set<string>([
  ...wrapped,
  'memcpy',
  'memmove',
  'memset',
  'pthread_equal',
  'pthread_self',
])

/** Library functions that an iteration which changes nothing can be made of. */
const idle = new Set<string>([
  'pthread_mutex_trylock',
  'pthread_mutex_timedlock',
  'pthread_once',
  'sched_yield',
  'thrd_yield',
  'usleep',
  'nanosleep',
  'sleep',
  'clock_nanosleep',
  'thrd_sleep',
  'memcpy',
  'memmove',
])

const reads: readonly CodeSite['kind'][] = ['load', 'atomicLoad', 'atomicUpdate']

/**
 * Loops that can be spins, by site. Others need not be looked at: they read nothing they could wait for, or they call
 * library functions that are not instrumented, so that an iteration may read or change what the log does not show.
 */
export function spinCandidates({ sites, functions }: Artifact): Uint8Array {
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
    if (transparent.has(callee)) return false
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
