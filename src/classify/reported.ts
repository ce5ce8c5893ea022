import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { UserError } from '../files/user-error.js'
import type { Machine } from '../machine/machine.js'
import type { Site } from '../machine/names.js'
import type { ReportedPlace, ReportedRace, ReportedSide } from './reported-race.js'
import { readSanitizer } from './tsan.js'

/** Reads ThreadSanitizer's text or our own JSON. */
export function readReportedRaces(path: string): ReportedRace[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UserError(code === 'ENOENT' ? `${path}: no such file` : `${path}: cannot be read: ${message}`)
  }
  const races = text.trimStart().startsWith('{') ? readOwn(path, text) : readSanitizer(text)
  if (races.length === 0) {
    throw new UserError(
      `${path}: no race in it; --races-from takes what ThreadSanitizer prints, or what "faultline races --json" and ` +
        '"faultline check --races --json" print',
    )
  }
  return joinSame(races)
}

/** `races[]` of a report of ours. */
function readOwn(path: string, text: string): ReportedRace[] {
  let report: { races?: unknown }
  try {
    report = JSON.parse(text)
  } catch (error) {
    throw new UserError(`${path}: this is not JSON, or truncated: ${(error as Error).message}`)
  }
  const races = Array.isArray(report.races) ? report.races : []
  return races.map((race: { sides?: unknown }, i) => {
    const sides = Array.isArray(race?.sides) ? race.sides : []
    const read = sides.map(readSide)
    if (read.length !== 2 || read.includes(null)) {
      throw new UserError(`${path}: races[${i}] needs two "sides", each with a "location"`)
    }
    return { sides: read as [ReportedSide, ReportedSide], count: 1 }
  })
}

function readSide(side: { location?: unknown; function?: unknown; action?: unknown }): ReportedSide | null {
  if (typeof side?.location !== 'string') return null
  const name = typeof side.function === 'string' ? side.function : null
  const operation = typeof side.action === 'string' ? side.action : ''
  return { stack: [placeNamed(side.location, name)], operation }
}

/** `queue.c:41`, or the name of a place in a model. */
export function placeNamed(location: string, name: string | null = null): ReportedPlace {
  const [, file, line] = /^(.*\.\w+):(\d+)(?::\d+)?$/.exec(location) ?? []
  return file === undefined
    ? { function: name, file: null, line: null, name: location }
    : { function: name, file, line: Number(line), name: null }
}

function joinSame(races: readonly ReportedRace[]): ReportedRace[] {
  const known = new Map<string, ReportedRace>()
  for (const race of races) {
    const key = race.sides
      .map(({ stack }) => placeText(stack[0]))
      .sort()
      .join('\n')
    const before = known.get(key)
    known.set(key, before === undefined ? race : { ...before, count: before.count + race.count })
  }
  return [...known.values()]
}

export function placeText({ file, line, name, function: inner }: ReportedPlace): string {
  if (file === null) return name ?? inner ?? '?'
  return line === null ? file : `${file}:${line}`
}

/** Names of the sites that the innermost place of a side stands for that the program knows. */
export function sitesOf(
  { sites }: Machine,
  { stack }: ReportedSide,
): { place: ReportedPlace; sites: string[] } {
  for (const place of stack) {
    const found = sites.filter((site) => isAt(site, place)).map((site) => site.name)
    if (found.length > 0) return { place, sites: found }
  }
  return { place: stack[0], sites: [] }
}

function isAt(site: Site, { file, line, name }: ReportedPlace): boolean {
  if (file === null) return site.name === name
  return [site, ...(site.inlined ?? [])].some(
    (frame) => frame.line === line && frame.file !== undefined && isSameFile(frame.file, file),
  )
}

/** Paths of two machines: the same name, and what is given of the folders agrees. */
function isSameFile(one: string, other: string): boolean {
  if (basename(one) !== basename(other)) return false
  const parts = [one, other].map((path) =>
    path
      .split('/')
      .filter((part) => part !== '.' && part !== '')
      .reverse(),
  )
  const shared = Math.min(parts[0].length, parts[1].length)
  let same = 0
  while (same < shared && parts[0][same] === parts[1][same]) same++
  // A relative path is the end of an absolute one; where both go on differently, the name alone must do.
  return same >= 1
}
