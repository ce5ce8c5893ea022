import { Op, operations } from '../../../machine/operation.js'
import {
  everywhere,
  hasKind,
  isEverywhere,
  type PointRule,
  type PointSet,
  type RacePoint,
  stopsBeforeRelease,
} from '../../../machine/points.js'
import { type CodeSite, type CodeSiteKind, SPLIT_FLAG } from '../artifact.js'

const NO = 0
const YES = 1
/** Only for the threads of `racers`. */
const SOME = 2
/** Beside one of them: an access of several words is made word by word. See `WORDS` in artifact.ts. */
const WORDS = SPLIT_FLAG

/** The thread stops, rules permitting. */
export const STOP = 1
/** The thread stops whatever points and rules are. */
export const STOP_ALWAYS = 2

/** Operations in which a thread gives up the processor, besides those that yield. */
const halting = new Set<number>([Op.condReturn, Op.join])

/** Kinds of sites at which memory can be touched. */
const touching: readonly CodeSiteKind[] = [
  'load',
  'store',
  'atomicLoad',
  'atomicStore',
  'atomicUpdate',
  'fence',
  'call',
]

/** Functions of the runtime whose arguments say which words they touch. */
const fixedLength = new Set([
  '__tsan_memcpy',
  '__tsan_memmove',
  '__tsan_memset',
  'memcpy',
  'memmove',
  'memset',
  'memcmp',
])

/**
 * Which operations are preemption points: a byte per site for accesses, which instrumented code looks at, and a byte
 * per kind for operations that always call the machine.
 */
export class Stops {
  /** By site: 0 when it is no point. */
  readonly flags: Uint8Array
  /** The same while every site is a point. */
  readonly forced: Uint8Array
  /** A function whose length depends on what it finds is split: what it will do next cannot be told from what it did. */
  hasVaryingWords = false
  /** By operation kind: whether the thread stops before it. */
  readonly before = new Uint8Array(operations.length)
  /** A released lock is a point whatever comes next. */
  afterUnlock = false
  /** Every visible operation is a point: what follows an operation stops by itself. */
  everywhere = true
  rules: readonly PointRule[] = []
  /** By site: names of threads, for flags that hold for some threads only. */
  private points: PointSet = everywhere
  private haltsBeforeWait = false
  private racers = new Map<number, Set<string>>()

  constructor(private readonly sites: readonly CodeSite[]) {
    this.flags = new Uint8Array(sites.length)
    this.forced = new Uint8Array(sites.length)
    this.use(everywhere)
  }

  /**
   * Where waits may end without a signal, threads stop before them whatever the points are: how many such ends are left
   * must not decide where a transition ends.
   */
  allowSpurious(isOn: boolean): void {
    this.haltsBeforeWait = isOn
    this.markOperations()
  }

  use(points: PointSet): void {
    this.points = points
    this.everywhere = isEverywhere(points)
    this.rules = points.rules
    this.sites.forEach((site, i) => {
      this.flags[i] = this.isPoint(points, site) ? YES : NO
    })
    this.markOperations()
    this.afterUnlock = hasKind(points, 'unlock') && !this.everywhere
    this.racers = new Map()
    this.hasVaryingWords = false
    for (const race of points.races) this.addRace(race)
    this.flags.forEach((flag, i) => {
      this.forced[i] = YES | (flag & WORDS)
    })
  }

  private markOperations(): void {
    const { points } = this
    const beforeRelease = stopsBeforeRelease(points)
    operations.forEach(({ point }, kind) => {
      const isPoint = point === 'unlock' ? beforeRelease : hasKind(points, point)
      const isAlways = point === 'yield' || point === 'txn' || halting.has(kind)
      this.before[kind] = isAlways ? STOP_ALWAYS : isPoint ? STOP : 0
    })
    if (this.haltsBeforeWait) this.before[Op.condWait] = STOP_ALWAYS
  }

  /** Whether a flagged site is a point for the thread of that name. */
  holdsFor(site: number, thread: string): boolean {
    const flag = this.flags[site] & ~WORDS
    return flag === YES || (flag === SOME && this.racers.get(site)!.has(thread))
  }

  private isPoint(points: PointSet, site: CodeSite): boolean {
    if (!touching.includes(site.kind)) return false
    if (points.kinds.includes('everywhere')) return true
    return points.kinds.includes('atomic') && (site.kind.startsWith('atomic') || site.kind === 'fence')
  }

  /** Whether an access of several words is split there. */
  splits(site: number): boolean {
    return (this.flags[site] & WORDS) !== 0
  }

  /** A race point names a site, or a line and with it all sites there. */
  private addRace({ site: name, thread, words = false }: RacePoint): void {
    let found = false
    this.sites.forEach((site, i) => {
      if (!touching.includes(site.kind) || (site.name !== name && `${site.file}:${site.line}` !== name))
        return
      found = true
      if (words) {
        this.flags[i] |= WORDS
        if (site.kind === 'call' && !fixedLength.has(site.callee ?? '')) this.hasVaryingWords = true
      }
      if ((this.flags[i] & YES) !== 0) return
      if (thread === undefined) this.flags[i] = YES | (this.flags[i] & WORDS)
      else {
        this.flags[i] |= SOME
        const threads = this.racers.get(i)
        if (threads) threads.add(thread)
        else this.racers.set(i, new Set([thread]))
      }
    })
    if (!found)
      throw new RangeError(`no access at "${name}"; name a site as reports of races do, or FILE:LINE`)
  }
}
