import type { Frame } from '../../../machine/bug.js'
import type { Site } from '../../../machine/names.js'
import type { CodeSite } from '../artifact.js'
import type { Glue } from './glue.js'
import type { ProgramMemory } from './program.js'
import type { ThreadStates } from './thread-states.js'

/** Sites of the calls a thread is in, innermost first. */
export function openCalls(
  {
    states,
    glue,
    memory,
    running,
  }: { states: ThreadStates; glue: Glue; memory: ProgramMemory; running: number },
  thread: number,
): number[] {
  const slot = states.slots[thread]
  if (slot === undefined) return []
  const top = thread === running ? glue.shadow() : memory.words[(slot.control >>> 2) + 1]
  const calls: number[] = []
  for (let at = top - 4; at > slot.shadow; at -= 4) calls.push(memory.words[at >>> 2])
  return calls
}

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

/**
 * Headers of the compiler and of its sysroot, wherever they lie, those that we put before them, and what a kit puts below
 * the program: reports show the line of the program that called them.
 */
export function isLibraryFile(file: string): boolean {
  return /(?:^|\/)faultline_kit\.[ch]$|\/(?:usr\/include|c\+\+\/v1|wasi-sysroot|lib\/clang)\/|^faultline\//.test(
    file,
  )
}

/** Whether a place and all that it is inlined in are the library's. */
export function isInLibrary(site: CodeSite | undefined): boolean {
  if (site === undefined) return false
  return [site, ...(site.inlined ?? [])].every(({ file }) => file !== undefined && isLibraryFile(file))
}

/** Of the calls a thread is in, innermost first, the first that the program makes and not the library. */
export function ownCall(sites: readonly CodeSite[], calls: readonly number[]): number | undefined {
  return calls.find((call) => {
    const { file } = sites[call] ?? {}
    return file !== undefined && !isLibraryFile(file)
  })
}

/** Sites that say whether they are in the library. */
export function withLibrary(sites: readonly CodeSite[]): readonly Site[] {
  return sites.map((site) =>
    site.file !== undefined && isLibraryFile(site.file) ? { ...site, isLibrary: true } : site,
  )
}
