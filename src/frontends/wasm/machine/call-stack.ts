import type { Frame } from '../../../machine/bug.js'
import type { CodeSite } from '../artifact.js'

/** Calls back for every site on a stack, innermost first. A call that the host serves is both site and call: once. */
function eachSite(
  sites: readonly CodeSite[],
  site: number,
  calls: readonly number[],
  visit: (site: CodeSite) => void,
) {
  if (site >= 0 && site !== calls[0] && sites[site]) visit(sites[site])
  for (const call of calls) if (sites[call]) visit(sites[call])
}

/** Function names, innermost first: of the site itself, then of each call that led there. */
export function callStack(sites: readonly CodeSite[], site: number, calls: readonly number[]): string[] {
  const names: string[] = []
  eachSite(sites, site, calls, (place) => {
    names.push(place.function)
    for (const outer of place.inlined ?? []) names.push(outer.function)
  })
  return names
}

/** The same with lines. */
export function callFrames(sites: readonly CodeSite[], site: number, calls: readonly number[]): Frame[] {
  const frames: Frame[] = []
  eachSite(sites, site, calls, (place) => {
    frames.push(frameOf(place))
    for (const outer of place.inlined ?? []) frames.push(frameOf(outer))
  })
  return frames
}

function frameOf({ function: name, file, line, column }: Frame): Frame {
  return {
    function: name,
    ...(file === undefined ? { isLibrary: true } : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(file !== undefined && isLibraryFile(file) ? { isLibrary: true } : {}),
  }
}

/** Headers of the compiler and of its sysroot, wherever they lie. */
export function isLibraryFile(file: string): boolean {
  return /\/(?:usr\/include|c\+\+\/v1|wasi-sysroot|lib\/clang)\//.test(file)
}
