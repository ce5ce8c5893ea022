import type { CodeSite } from '../artifact.js'

/**
 * Function names, innermost first: of the site itself, then of each call that led there. A call that the host serves
 * is both: it is named once.
 */
export function callStack(sites: readonly CodeSite[], site: number, calls: readonly number[]): string[] {
  const names: string[] = []
  const add = (index: number) => {
    const place = sites[index]
    if (!place) return
    names.push(place.function)
    for (const outer of place.inlined ?? []) names.push(outer.function)
  }
  if (site >= 0 && site !== calls[0]) add(site)
  for (const call of calls) add(call)
  return names
}
