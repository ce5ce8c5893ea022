import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { UserError } from '../files/user-error.js'
import { type Bug, type BugKind, bugKinds } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import type { Site } from '../machine/names.js'
import { count } from '../words/words.js'

/** Bugs the user knows of and wants to step over: those of a kind, at one place or anywhere. Plain data. */
export interface Ignored {
  readonly kind: BugKind
  /** A function, `file:line` or a file; null for every place. */
  readonly place: string | null
}

/** Reads `leak` or `lock-misuse@queue.c:41`; throws a RangeError that says what would be right. */
export function parseIgnored(text: string): Ignored {
  const [, kind, , place = null] = /^([^@]*)(@(.+))?$/.exec(text.trim()) ?? []
  const known = bugKinds.find((name) => name === kind)
  if (known === undefined) {
    throw new RangeError(
      `"${text}" is not KIND or KIND@PLACE: kinds are ${bugKinds.join(', ')}; a place is a function, a file or file:line`,
    )
  }
  return { kind: known, place }
}

/** One entry per line; what follows # is a comment. */
export function readSuppressions(path: string): Ignored[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UserError(`--suppressions ${path}: cannot be read: ${(error as Error).message}`)
  }
  return text.split('\n').flatMap((line, i) => {
    const entry = line.replace(/#.*/, '').trim()
    if (entry === '') return []
    try {
      return [parseIgnored(entry)]
    } catch (error) {
      throw new UserError(`${path}:${i + 1}: ${(error as Error).message}`)
    }
  })
}

export function formatIgnored({ kind, place }: Ignored): string {
  return place === null ? kind : `${kind}@${place}`
}

/** Which entry a bug falls under, as text; undefined for none. Waiting threads are at the place of a deadlock. */
export function ignoredAs(bug: Bug, entries: readonly Ignored[], machine: Machine): string | undefined {
  const sites = [bug.site, ...(bug.waits ?? []).map((wait) => wait.site)].flatMap(
    (i) => machine.sites[i] ?? [],
  )
  const entry = entries.find(
    ({ kind, place }) => kind === bug.kind && (place === null || sites.some((site) => isAt(site, place))),
  )
  return entry && formatIgnored(entry)
}

function isAt(site: Site, place: string): boolean {
  const places = [site, ...(site.inlined ?? [])]
  return (
    site.name === place ||
    places.some(({ function: name, file, line }) => {
      if (name === place) return true
      if (file === undefined) return false
      return [file, basename(file)].some((f) => f === place || `${f}:${line}` === place)
    })
  )
}

/** A line of the guarantee for each that was used. */
export function ignoredCaveats(ignored: Readonly<Record<string, number>>): string[] {
  return Object.entries(ignored).map(([entry, executions]) => {
    // Leaks are looked for when all is over.
    const rest = /^leak\b/.test(entry) ? '' : ', and what comes after it was not seen'
    return `${count(executions, 'execution')} showed ${entry}, which is ignored${rest}`
  })
}
