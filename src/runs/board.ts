import {
  addPoints,
  includesPoints,
  type NamedPointKind,
  type PointSet,
  type RacePoint,
  samePoints,
} from '../machine/points.js'
import { type BoardSettings, defaultSettings, firstDoubt, type RacyAccess } from './board-settings.js'
import { type Job, newJob } from './job.js'
import { isSameSpace, sizeOf } from './job-space.js'
import { isOpen, isWhole, type SearchRecord } from './search-record.js'

/** The sets to begin with (Quicksand §3.2; atomics are ours, as our detectors let them race with nobody). */
const seedKinds: readonly (readonly NamedPointKind[])[] = [
  ['yield'],
  ['yield', 'lock'],
  ['yield', 'unlock'],
  ['yield', 'atomic'],
]

/** All that orders threads: with every racy access added, the set that stands for every schedule. */
const syncKinds: readonly NamedPointKind[] = ['yield', 'lock', 'unlock', 'sync', 'atomic']

const Priority = { verify: 4, seed: 3, bothOrder: 2, singleOrder: 1, maximal: 0, subsetFails: -1 } as const

/** More than this many jobs wait only to be pruned: what further ones would show is in the maximal set anyway. */
const maxPending = 256

/**
 * All jobs of a run and what is decided about them: algorithms 1 to 3 of Quicksand (§3). No clock and no worker here:
 * estimates and time left are told.
 *
 * The maximal job is apart. It holds every point known and begins anew when one is added (algorithm 1); the smaller jobs
 * are the paper's, made as if it were not there. Once it is complete and brought no new point, everything else is
 * pruned.
 */
export class Board {
  readonly jobs: Job[] = []
  readonly settings: BoardSettings
  /** See `BoardSettings.proof`; false once it was given up. */
  isProving: boolean
  /** An execution failed: see `foundBug`. */
  hasFailed = false
  /** Points before releases are needed: see `needRelease`. */
  private needsRelease = false
  private readonly races: RacyAccess[] = []
  /** The maximal state space was begun and will take too long to come first. */
  maximalIsLarge = false
  private maximalJob: Job

  constructor(settings: Partial<BoardSettings> = {}) {
    this.settings = { ...defaultSettings, ...settings }
    this.isProving = this.settings.proof
    for (const kinds of seedKinds)
      this.add({ kinds, races: [], rules: this.settings.rules }, { kind: 'seed' })
    this.maximalJob = this.addMaximal()
  }

  /** The job that holds every point known. */
  get maximal(): Job {
    return this.maximalJob
  }

  /** Every racy access known. */
  get racyAccesses(): readonly RacyAccess[] {
    return this.races
  }

  /** Nothing is left to explore. */
  get isDone(): boolean {
    return !this.jobs.some(isOpen)
  }

  /**
   * A job reports accesses that race in its state space (algorithm 2): for each a small job, unless there is an equal
   * one, and a big one, unless some job contains it. Reported by nobody in particular, the seed kinds are what the big
   * job adds to. True if one of them was not known before.
   */
  report(from: Job | null, accesses: readonly RacyAccess[]): boolean {
    let isNew = false
    const base = from?.points ?? this.pointsOf(syncKinds, [])
    for (const access of accesses) {
      isNew = this.learn(access) || isNew
      const { race } = access
      if (includesPoints(base, { kinds: [], races: [race], rules: base.rules })) continue
      const origin = { race, from: from?.id ?? -1 }
      const priority = access.isBothOrder ? Priority.bothOrder : Priority.singleOrder
      const big = addPoints(base, { races: [race] })
      if (from !== this.maximalJob && !this.ladder.some((job) => includesPoints(job.points, big))) {
        this.add(big, { kind: 'big', ...origin }, priority)
      }
      const small = this.pointsOf(['yield'], [race])
      if (!this.ladder.some((job) => samePoints(job.points, small))) {
        this.add(small, { kind: 'small', ...origin }, priority)
      }
    }
    if (isNew && !includesPoints(this.maximalJob.points, this.knownPoints)) this.renewMaximal()
    return isNew
  }

  /** Somebody can tell that a lock is held without waiting for it: a point before releases is needed. */
  needRelease(): void {
    if (this.needsRelease) return
    this.needsRelease = true
    if (!this.kinds.includes('everywhere')) this.renewMaximal()
  }

  /** The kinds of the maximal set. */
  private get kinds(): readonly NamedPointKind[] {
    if (this.isProving || this.hasFailed) return ['yield', 'everywhere']
    return this.needsRelease ? [...syncKinds, 'release'] : syncKinds
  }

  /**
   * Takes over a search of the state space with points everywhere from where it stands; false if it does not split all
   * that has to be split by now.
   */
  takeOver({
    saved,
    counters,
    eta,
    share,
    kindsSeen,
  }: Pick<SearchRecord, 'saved' | 'counters' | 'eta' | 'share' | 'kindsSeen'>): boolean {
    const job = this.maximalJob
    if (!this.isProving || saved === null || !includesPoints(saved.points, job.points)) return false
    Object.assign(job, { status: 'suspended', saved, counters, eta, share, kindsSeen })
    return true
  }

  /** At first an estimate says little: a proof has an eighth of the time before one is taken at its word. */
  private proofFactor({ counters }: Job, timeLeft: number): number {
    return counters.seconds < (counters.seconds + timeLeft) / 8 ? firstDoubt : this.settings.etaFactor
  }

  /** The proof will not be done in time, or would prove nothing: everything else has its turn. */
  private giveUpProof(): void {
    this.isProving = false
    if (this.hasFailed) this.maximalIsLarge = true
    else this.renewMaximal('it would take too long with points everywhere')
  }

  /**
   * Algorithm 3: the job to go on with when `job`, just interrupted, is the one at hand. `timeLeft` is the wall time a
   * worker still has.
   */
  reconsider(job: Job, timeLeft: number): Job {
    if (!isOpen(job)) return this.next(timeLeft) ?? job
    const { etaFactor, etaThreshold } = this.settings
    const ran = job.counters.executions + job.counters.blocked + job.counters.postponed
    if (ran < etaThreshold) return job
    if (this.isProving && job === this.maximalJob) {
      if (job.counters.cut === 0 && job.eta < this.proofFactor(job, timeLeft) * timeLeft) return job
      this.giveUpProof()
      return this.next(timeLeft) ?? job
    }
    if (job === this.maximalJob && this.isFirst) {
      if (this.settings.verify || job.eta < this.settings.trial * timeLeft) return job
      this.maximalIsLarge = true
    } else if (job.eta < etaFactor * timeLeft) return job
    for (const pending of this.pending()) {
      // A superset of what was just deferred, or of what another worker still has, takes at least as long.
      const isBarred = this.begun().some((s) => s !== pending && includesPoints(pending.points, s.points))
      if (!isBarred) return pending
    }
    for (const suspended of this.suspended()) {
      if (suspended === job || includesPoints(suspended.points, job.points)) continue
      if (job.eta > suspended.eta && !this.hasSuspendedSubset(suspended)) return suspended
    }
    return job
  }

  /**
   * The job for a worker that has none, or null. A pending one that no deferred one is part of; then the deferred one
   * that should end first; then, since the worker would be idle, any.
   */
  next(timeLeft: number): Job | null {
    if (this.isProving) {
      if (isOpen(this.maximalJob)) return this.maximalJob.status === 'running' ? null : this.maximalJob
      // Done, and yet something was cut; or its worker died on it.
      this.giveUpProof()
    }
    const pending = this.pending()
    const { etaFactor } = this.settings
    const deferred = this.begun().filter((job) => !(job.eta < etaFactor * timeLeft))
    const free = pending.find((job) => !deferred.some((s) => includesPoints(job.points, s.points)))
    if (free) return free
    const suspended = this.suspended()
    return suspended.find((job) => !this.hasSuspendedSubset(job)) ?? suspended[0] ?? pending[0] ?? null
  }

  /** The state space of a job is explored to its end: all that is part of it is done. */
  complete(job: Job): void {
    job.status = 'complete'
    job.eta = 0
    job.share = 1
    job.saved = null
    if (!isWhole(job)) return
    for (const other of this.jobs) {
      if (other !== job && isOpen(other) && includesPoints(job.points, other.points)) {
        this.prune(other, `part of job ${job.id}`)
      }
    }
  }

  /**
   * An execution failed, of that job or of another search. Supersets of the job might find only the same again: they go
   * last (§3.4). What the other threads of a failed execution would have done next is not seen, and so may be races with
   * it: to whoever goes on after a bug, only points everywhere stand for every schedule.
   */
  foundBug(job: Job | null): void {
    const isNew = !this.hasFailed
    this.hasFailed = true
    if (isNew && !this.isProving) this.renewMaximal()
    if (job === null || job.hasBug) return
    job.hasBug = true
    for (const other of this.jobs) {
      if (other !== job && other.status === 'pending' && includesPoints(other.points, job.points)) {
        other.priority = Priority.subsetFails
      }
    }
  }

  /** Takes back what a run was saved with. */
  restore(
    jobs: readonly Job[],
    races: readonly RacyAccess[],
    flags: Pick<Board, 'maximalIsLarge' | 'isProving' | 'hasFailed'> & { readonly needsRelease: boolean },
  ): void {
    this.maximalIsLarge = flags.maximalIsLarge
    this.isProving = flags.isProving
    this.hasFailed = flags.hasFailed
    this.needsRelease = flags.needsRelease
    this.jobs.splice(0, this.jobs.length, ...jobs)
    this.races.splice(0, this.races.length, ...races)
    this.maximalJob = this.jobs.findLast((job) => job.origin.kind === 'maximal') ?? this.addMaximal()
  }

  /** The paper's jobs: all but the maximal ones. */
  private get ladder(): Job[] {
    return this.jobs.filter((job) => job.origin.kind !== 'maximal')
  }

  private add(points: PointSet, origin: Job['origin'], priority: number = Priority.seed): Job {
    const job = newJob(this.jobs.length + 1, points, origin, priority)
    this.jobs.push(job)
    if (this.jobs.filter((j) => j.status === 'pending').length > maxPending && origin.kind !== 'maximal') {
      this.prune(job, 'too many jobs; the maximal set contains it')
    }
    return job
  }

  private get knownPoints(): PointSet {
    return this.pointsOf(
      [],
      this.races.map((access) => access.race),
    )
  }

  private addMaximal(): Job {
    const isEverywhere = this.kinds.includes('everywhere')
    const races = this.races.map((access) => access.race).filter((race) => !isEverywhere || race.words)
    const points = this.pointsOf(this.kinds, races)
    return this.add(points, { kind: 'maximal' }, this.isFirst ? Priority.verify : Priority.maximal)
  }

  /** The maximal state space comes before the others. */
  private get isFirst(): boolean {
    return this.settings.verify || (this.settings.trial > 0 && !this.maximalIsLarge)
  }

  /** True if the access was not known. */
  private learn(access: RacyAccess): boolean {
    const { site, thread, words } = access.race
    const known = this.races.find(({ race }) => race.site === site && race.thread === thread)
    if (known === undefined) this.races.push(access)
    else if (words && !known.race.words) {
      this.races[this.races.indexOf(known)] = {
        race: access.race,
        isBothOrder: known.isBothOrder || access.isBothOrder,
      }
      return true
    } else if (access.isBothOrder && !known.isBothOrder) {
      this.races[this.races.indexOf(known)] = { race: known.race, isBothOrder: true }
      for (const job of this.jobs) {
        const { origin } = job
        if (job.status !== 'pending' || job.priority !== Priority.singleOrder || !('race' in origin)) continue
        if (origin.race.site === site && origin.race.thread === thread) job.priority = Priority.bothOrder
      }
    }
    return known === undefined
  }

  /** Algorithm 1: with a new point the maximal set is another. */
  renewMaximal(reason = 'points were added'): void {
    const old = this.maximalJob
    this.maximalJob = this.addMaximal()
    if (isOpen(old)) this.prune(old, `${reason}: job ${this.maximalJob.id}`)
  }

  private prune(job: Job, reason: string): void {
    // Whoever runs it is told by the status.
    job.status = 'pruned'
    job.reason = reason
    job.saved = null
  }

  /** By priority, then by size. Those that add nothing to a complete one are pruned on the way. */
  private pending(): Job[] {
    for (const job of this.jobs) {
      if (job.status !== 'pending') continue
      const same = this.jobs.find((done) => isWhole(done) && isSameSpace(done, job.points))
      if (same === undefined) continue
      if (job === this.maximalJob) this.completeAs(same)
      else this.prune(job, `the same state space as job ${same.id}`)
    }
    return this.jobs
      .filter((job) => job.status === 'pending')
      .sort((a, b) => b.priority - a.priority || sizeOf(a.points) - sizeOf(b.points) || a.id - b.id)
  }

  /** The maximal state space is one that was explored already. */
  private completeAs(same: Job): void {
    this.maximalJob.reason = `the same state space as job ${same.id}`
    this.maximalJob.kindsSeen = same.kindsSeen
    this.complete(this.maximalJob)
  }

  private suspended(): Job[] {
    return this.jobs.filter((job) => job.status === 'suspended').sort((a, b) => a.eta - b.eta || a.id - b.id)
  }

  private begun(): Job[] {
    return this.jobs.filter((job) => job.status === 'suspended' || job.status === 'running')
  }

  private hasSuspendedSubset(job: Job): boolean {
    return this.suspended().some((s) => s !== job && includesPoints(job.points, s.points))
  }

  private pointsOf(kinds: readonly NamedPointKind[], races: readonly RacePoint[]): PointSet {
    return { kinds, races, rules: this.settings.rules }
  }
}
