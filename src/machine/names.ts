/**
 * Names that do not depend on the interleaving.
 *
 * A table gives each canonical name a small dense index, the same in every execution of one process: the engine
 * works on indexes, files hold names. Indexes follow the order of discovery; `preload` reproduces that order when a
 * saved search is read back.
 */

/** 32-bit string hash (FNV-1a with a final mix); stable across processes, used by fingerprints. */
export function hashName(name: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193)
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  return h | 0
}

/** A thread is named by its parent and its rank among that parent's children: `0`, `0.1`, `0.1.2`. */
export class ThreadTable {
  count = 0
  /** Canonical names by index. */
  readonly names: string[] = []
  /** Canonical hash by index. */
  readonly hashes: number[] = []
  private readonly children: number[][] = []
  private readonly roots: number[] = []
  private readonly labels: (string | undefined)[] = []

  /** Index of the root thread of that rank, from 0. */
  root(rank: number): number {
    return this.roots[rank] ?? this.add(this.roots, rank, String(rank))
  }

  /** Index of the parent's child of that rank, from 1. */
  child(parent: number, rank: number): number {
    const siblings = this.children[parent]
    return siblings[rank] ?? this.add(siblings, rank, `${this.names[parent]}.${rank}`)
  }

  /** Index of a canonical name. */
  byName(name: string): number {
    const [head, ...rest] = name.split('.').map(Number)
    if (![head, ...rest].every((n) => Number.isInteger(n) && n >= 0)) {
      throw new RangeError(`"${name}" is not a thread name; they look like 0, 0.1 or 0.1.2`)
    }
    let index = this.root(head)
    for (const rank of rest) index = this.child(index, rank)
    return index
  }

  /** Takes in names in the order saved; `result[old index]` is the index here. */
  preload(names: readonly string[]): number[] {
    return names.map((name) => this.byName(name))
  }

  /** A name for people, shown instead of the canonical one. */
  label(index: number, label: string): void {
    this.labels[index] = label
  }

  labelOf(index: number): string {
    return this.labels[index] ?? this.names[index]
  }

  private add(siblings: number[], rank: number, name: string): number {
    const index = this.count++
    siblings[rank] = index
    this.names.push(name)
    this.hashes.push(hashName(name))
    this.children.push([])
    return index
  }
}

export type ObjectKind =
  | 'memory'
  | 'mutex'
  /** A lock that the first to come holds while it initialises something; see `pthread_once`. */
  | 'once'
  | 'rwlock'
  | 'condition'
  | 'semaphore'
  | 'barrier'
  | 'futex'
  /** Something of the runtime's, such as a pipe. */
  | 'state'
  | 'output'
  | 'invariant'
  | 'process'

/**
 * Objects that operations act on. A memory location is an exact byte range; ranges that overlap without being equal
 * know each other through `overlaps`, so that an access of another size is still seen to conflict.
 */
export class LocationTable {
  count = 0
  readonly keys: string[] = []
  readonly kinds: ObjectKind[] = []
  readonly hashes: number[] = []
  /** Other locations that share bytes with this one; null for nearly all. */
  readonly overlaps: (number[] | null)[] = []
  /** The same as pairs, in the order of discovery. */
  readonly overlapping: (readonly [number, number])[] = []
  /** Invariants that look at whatever changes this location, as locations of their own; null for nearly all. */
  readonly watchers: (number[] | null)[] = []
  /** Locations wider than a machine word: an access to one is not atomic in real life. */
  readonly wide = new Set<number>()
  /** True once any two locations overlap: lets the hot path skip the look-up. */
  anyOverlap = false
  /** Called when locations from that index on have come by name alone: a front end may know which of them overlap. */
  onPreload: (from: number) => void = () => {}
  private readonly index = new Map<string, number>()

  /** Index of the object of that canonical key (kind and key together are unique). */
  intern(kind: ObjectKind, key: string): number {
    const full = `${kind} ${key}`
    const known = this.index.get(full)
    if (known !== undefined) return known
    const index = this.count++
    this.index.set(full, index)
    this.keys.push(key)
    this.kinds.push(kind)
    this.hashes.push(hashName(full))
    this.overlaps.push(null)
    this.watchers.push(null)
    return index
  }

  /** Records that two memory locations share bytes. */
  addOverlap(a: number, b: number): void {
    if (this.overlaps[a]?.includes(b)) return
    this.overlapping.push([a, b])
    ;(this.overlaps[a] ??= []).push(b)
    ;(this.overlaps[b] ??= []).push(a)
    this.anyOverlap = true
  }

  /** Records that every change of a location is a change of the invariant, too. */
  addWatcher(location: number, invariant: number): void {
    ;(this.watchers[location] ??= []).push(invariant)
  }

  /** See `ThreadTable.preload`. */
  preload(entries: readonly (readonly [ObjectKind, string])[]): number[] {
    const before = this.count
    const indexes = entries.map(([kind, key]) => this.intern(kind, key))
    if (this.count > before) this.onPreload(before)
    return indexes
  }

  entries(): [ObjectKind, string][] {
    return this.keys.map((key, i) => [this.kinds[i], key])
  }
}

/** A place in the program. */
export interface Site {
  /** Canonical and unique in the program; what files and `race:<site>` points hold. */
  readonly name: string
  readonly function: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
  /** In code that came with the compiler, not in the user's own. */
  readonly isLibrary?: boolean
  /** Frames the compiler inlined, innermost first. */
  readonly inlined?: readonly { function: string; file?: string; line?: number }[]
}
