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

/**
 * Loops whose iterations may read or change what the log does not show, because they call library functions that are
 * not instrumented: such a loop is never taken for a spin. By site, 1 where that is so.
 */
export function opaqueLoops({ sites, functions }: Artifact): Uint8Array {
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
  const calls = sites.filter((site) => site.kind === 'call')
  return Uint8Array.from(sites, (loop) => {
    if (loop.kind !== 'loop') return 0
    const end = loop.end ?? Number.POSITIVE_INFINITY
    return calls.some((c) => c.offset > loop.offset && c.offset < end && isOpaqueCall(c)) ? 1 : 0
  })
}
