import type { PointKind } from './operation.js'

/**
 * The kinds a user can name. `yield` and `txn` are always on; `everywhere` is every visible operation. `unlock` is after a release,
 * `release` before it: needed only where somebody can tell that the lock is held without waiting for it (`trylock`).
 */
export const pointKinds = [
  'yield',
  'txn',
  'lock',
  'unlock',
  'release',
  'sync',
  'atomic',
  'everywhere',
] as const
export type NamedPointKind = (typeof pointKinds)[number]

/** A point before one access, by default of one thread. */
export interface RacePoint {
  readonly site: string
  /** Canonical thread name; absent means any thread. */
  readonly thread?: string
  /** An access of several words (a copy) is done word by word, with a point before each. */
  readonly words?: boolean
}

/** `within f` accepts points with `f` on the call stack, `without f` rejects them; the last rule that matches wins. */
export interface PointRule {
  readonly accept: boolean
  readonly function: string
}

/** Where the scheduler may switch. Plain data: saved, sent to workers, printed. */
export interface PointSet {
  readonly kinds: readonly NamedPointKind[]
  readonly races: readonly RacePoint[]
  readonly rules: readonly PointRule[]
}

export const everywhere: PointSet = { kinds: ['everywhere'], races: [], rules: [] }

/** Whether every operation is a point, so that what a thread will do next is all announced. */
export function isEverywhere(points: PointSet): boolean {
  return points.kinds.includes('everywhere') && points.rules.length === 0
}

const sitePrefixes = ['race:', 'words:'] as const

/** Reads `lock,unlock,race:queue.c:41`; throws a RangeError that says what would be right. */
export function parsePoints(text: string, rules: readonly PointRule[] = []): PointSet {
  const kinds = new Set<NamedPointKind>(['yield'])
  const races: RacePoint[] = []
  for (const word of text
    .split(',')
    .map((w) => w.trim())
    .filter(Boolean)) {
    const prefix = sitePrefixes.find((p) => word.startsWith(p))
    if (prefix) {
      const [site, thread] = word.slice(prefix.length).split('@')
      if (!site)
        throw new RangeError(
          `${prefix} needs a site, for example ${prefix}queue.c:41 or ${prefix}queue.c:41@0.1`,
        )
      races.push({ site, ...(thread ? { thread } : {}), ...(prefix === 'words:' ? { words: true } : {}) })
    } else if ((pointKinds as readonly string[]).includes(word)) kinds.add(word as NamedPointKind)
    else
      throw new RangeError(
        `unknown preemption point "${word}"; known are ${pointKinds.join(', ')}, race:SITE and words:SITE`,
      )
  }
  return { kinds: pointKinds.filter((k) => kinds.has(k)), races, rules }
}

export function formatPoints(points: PointSet): string {
  const races = points.races.map(
    (r) => `${r.words ? 'words' : 'race'}:${r.site}${r.thread ? `@${r.thread}` : ''}`,
  )
  return [...points.kinds, ...races].join(',')
}

/** Whether the set stops before a release, sites and rules aside. */
export function stopsBeforeRelease({ kinds }: PointSet): boolean {
  return kinds.includes('everywhere') || kinds.includes('release')
}

/** Whether every point of `small` is one of `big`, so that its state space is part of that of `big`. */
export function includesPoints(big: PointSet, small: PointSet): boolean {
  if (!sameRules(big.rules, small.rules)) return false
  const isAll = big.kinds.includes('everywhere')
  return (
    (isAll || small.kinds.every((kind) => isAlwaysOn(kind) || big.kinds.includes(kind))) &&
    small.races.every((race) => (isAll && !race.words) || big.races.some((r) => coversRace(r, race)))
  )
}

/** Both include each other. */
export function samePoints(a: PointSet, b: PointSet): boolean {
  return includesPoints(a, b) && includesPoints(b, a)
}

/** The set with further points. */
export function addPoints(
  points: PointSet,
  { kinds = [], races = [] }: Partial<Pick<PointSet, 'kinds' | 'races'>>,
): PointSet {
  const fresh = races.filter((race) => !points.races.some((r) => coversRace(r, race)))
  return {
    kinds: pointKinds.filter((kind) => points.kinds.includes(kind) || kinds.includes(kind)),
    races: [...points.races.filter((race) => !fresh.some((r) => coversRace(r, race))), ...fresh],
    rules: points.rules,
  }
}

/** Every operation is a point, and what these points split stays split. */
export function finest(points: PointSet): PointSet {
  return { ...everywhere, races: points.races.filter((race) => race.words) }
}

function coversRace(big: RacePoint, small: RacePoint): boolean {
  return (
    big.site === small.site &&
    (big.thread === undefined || big.thread === small.thread) &&
    (big.words === true || small.words !== true)
  )
}

function sameRules(a: readonly PointRule[], b: readonly PointRule[]): boolean {
  return a.length === b.length && a.every((r, i) => r.accept === b[i].accept && r.function === b[i].function)
}

function isAlwaysOn(kind: PointKind | NamedPointKind): boolean {
  return kind === 'yield' || kind === 'txn'
}

/** Whether the set stops before (for `unlock`: after) operations of that kind, sites and rules aside. */
export function hasKind(points: PointSet, kind: PointKind): boolean {
  if (kind === 'none') return false
  if (isAlwaysOn(kind) || points.kinds.includes('everywhere')) return true
  return kind !== 'access' && points.kinds.includes(kind)
}

/**
 * Whether rules let a point be taken with this call stack (innermost first). Mandatory points are not asked.
 * With any `within` rule the default is to reject (Blum, "Practical Concurrency Testing", §3.4.1).
 */
export function rulesAccept(rules: readonly PointRule[], stack: readonly string[]): boolean {
  for (let i = rules.length - 1; i >= 0; i--) {
    if (stack.includes(rules[i].function)) return rules[i].accept
  }
  return !rules.some((rule) => rule.accept)
}
