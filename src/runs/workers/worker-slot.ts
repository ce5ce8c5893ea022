import { type Counters, noCounters } from '../counters.js'
import type { SearchRecord } from '../search-record.js'
import type { Findings, FoundBug } from './messages.js'
import type { SearchWorker } from './worker.js'

/** A worker of a run, and what it is doing. */
export class WorkerSlot {
  isReady = false
  /** No more assignments. */
  isRetired = false
  search: SearchRecord | null = null
  /** Of the assignment under way. */
  id = -1
  /** Counters of the search before this assignment. */
  base: Counters = noCounters
  findings: Findings | null = null
  /** By bug, how many executions of this assignment are counted already. */
  private counted = new Map<string, number>()
  private suspends = false

  /** A crew is several workers, which can go on with a search that several have explored. */
  constructor(
    readonly worker: SearchWorker,
    readonly isCrew: boolean,
  ) {}

  /** It was asked to write out what it is doing. */
  get isSuspending(): boolean {
    return this.suspends
  }

  take(search: SearchRecord, id: number): void {
    this.search = search
    this.id = id
    this.base = search.counters
    this.findings = null
    this.counted = new Map()
    this.suspends = false
  }

  /** What the assignment has shown so far; races are told only where there are new ones. */
  hear(findings: Findings): void {
    const races = findings.races ?? this.findings?.races
    this.findings = races ? { ...findings, races } : findings
  }

  /** Executions that showed a bug since it was told last. */
  newlyCounted({ kind, site, message, count }: FoundBug): number {
    const key = `${kind} ${site ?? message}`
    const before = this.counted.get(key) ?? 0
    this.counted.set(key, count)
    return count - before
  }

  suspend(): void {
    if (this.search === null || this.suspends) return
    this.suspends = true
    this.worker.suspend(this.id)
  }

  /** The assignment is over. */
  leave(): void {
    this.search = null
    this.findings = null
  }
}
