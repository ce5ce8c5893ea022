import type { Site } from '../../machine/names.js'
import type { StackReport } from '../report.js'

/** Where a failure is: in the library that is where the program called it. */
export function shownPlace(site: Site | undefined, stacks: readonly StackReport[]) {
  if (site === undefined) return { location: null, function: null }
  const caller = site.isLibrary
    ? stacks.find(({ title }) => title === 'failed')?.frames.find(({ location }) => location !== null)
    : undefined
  return {
    location: caller?.location ?? locationText(site),
    function: caller?.function ?? site.function,
  }
}

export function locationText(site: Site): string {
  return site.file && site.line ? `${site.file}:${site.line}` : site.name
}
