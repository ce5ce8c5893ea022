import type { Machine } from '../machine/machine.js'
import type { RacePoint } from '../machine/points.js'
import { isBothOrder, isExact, type RaceKind, type RaceRecord, RaceTable } from '../races/index.js'
import { hasIgnored } from './counters.js'
import type { RacesSeen } from './racy-accesses.js'
import { type Findings, raceKey } from './workers/messages.js'

/** What a run has learnt about the program from all its searches on the usual platform. */
export class Knowledge implements RacesSeen {
  /** Races of searches, or of assignments of one, that have ended. */
  private readonly ended: RaceTable
  /** Pairs of all searches, those under way included: how often each was seen is not kept right here. */
  private readonly known: RaceTable
  private bothOrders = { version: -1, count: 0 }
  /** Keys of candidates that pure happens-before sees too; not used when that is what detects. */
  readonly confirmed = new Set<string>()
  private readonly long = new Set<string>()
  private readonly watchedBy = new Map<string, RacePoint>()
  needsRelease = false
  hasFreed = false
  hasWaited = false
  /** An execution ended where it misused a lock. */
  hasMisused = false
  /** An execution ended early, on whatever platform. */
  hasFailed = false

  constructor(
    private readonly machine: Machine,
    private readonly detector: RaceKind | null,
  ) {
    this.ended = new RaceTable(machine)
    this.known = new RaceTable(machine)
  }

  /** Takes in what a search on the usual platform has shown so far. */
  learn({ races = [], confirmed = [], longSites, operations, bugs, counters }: Findings): void {
    this.known.merge(races)
    for (const key of confirmed) this.confirmed.add(key)
    for (const site of longSites) this.long.add(site)
    for (const point of operations.watched) this.watchedBy.set(`${point.thread} ${point.site}`, point)
    this.needsRelease ||= operations.needsRelease
    this.hasFreed ||= operations.hasFreed
    this.hasWaited ||= operations.hasWaited
    this.hasMisused ||=
      bugs.some(({ kind }) => kind === 'lock-misuse') ||
      Object.keys(counters.ignored).some((entry) => entry.startsWith('lock-misuse'))
  }

  /** Takes in the races of an assignment that is over. */
  keepRaces(races: readonly RaceRecord[]): void {
    this.ended.merge(races)
  }

  /** What was saved of all this. */
  restore(saved: SavedKnowledge): void {
    this.ended.merge(saved.races)
    this.known.merge(saved.races)
    for (const key of saved.confirmed) this.confirmed.add(key)
    for (const site of saved.longSites) this.long.add(site)
    for (const point of saved.watched) this.watchedBy.set(`${point.thread} ${point.site}`, point)
    const { needsRelease, hasFreed, hasWaited, hasMisused, hasFailed } = saved
    Object.assign(this, { needsRelease, hasFreed, hasWaited, hasMisused, hasFailed })
  }

  save(underWay: readonly (readonly RaceRecord[])[]): SavedKnowledge {
    const { longSites, watched, needsRelease, hasFreed, hasWaited, hasMisused, hasFailed } = this
    const races = this.racesWith(underWay)
    return {
      races,
      confirmed: [...this.confirmed],
      longSites,
      watched,
      needsRelease,
      hasFreed,
      hasWaited,
      hasMisused,
      hasFailed,
    }
  }

  /** Races of all searches, those under way included. */
  racesWith(underWay: readonly (readonly RaceRecord[])[]): readonly RaceRecord[] {
    const all = new RaceTable(this.machine)
    all.merge(this.ended.toData())
    for (const races of underWay) all.merge(races)
    return all.toData()
  }

  get races(): readonly RaceRecord[] {
    return this.known.toData()
  }

  get longSites(): readonly string[] {
    return [...this.long]
  }

  get watched(): readonly RacePoint[] {
    return [...this.watchedBy.values()]
  }

  /** Pairs known. */
  get raceCount(): number {
    return this.known.count
  }

  /** Those of them seen in both orders. */
  get bothOrderCount(): number {
    const { version } = this.known
    if (this.bothOrders.version !== version) {
      this.bothOrders = { version, count: this.races.filter(isBothOrder).length }
    }
    return this.bothOrders.count
  }

  /** Whether the accesses were seen with no order between them, and not merely with no common lock. */
  isConfirmed(race: RaceRecord): boolean {
    return (this.detector !== null && isExact(this.detector)) || this.confirmed.has(raceKey(race))
  }
}

/** Plain data. */
export interface SavedKnowledge extends RacesSeen {
  readonly confirmed: readonly string[]
  readonly needsRelease: boolean
  readonly hasFreed: boolean
  readonly hasWaited: boolean
  readonly hasMisused: boolean
  readonly hasFailed: boolean
}

/** An execution ended early: whether its bug is ignored makes no difference to what was not seen. */
export function hasFailed({ bugs, counters }: Findings): boolean {
  return bugs.length > 0 || hasIgnored(counters)
}
