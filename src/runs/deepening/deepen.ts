import type { Machine } from '../../machine/machine.js'
import { isBothOrder, type RaceKind, type RaceRecord, RaceTable } from '../../races/index.js'
import type { MemoryLimit } from '../budget.js'
import { addCounters, type Counters, hasIgnored, noCounters, ranIn } from '../counters.js'
import type { Ignored } from '../ignored.js'
import { defaultSaveEvery } from '../saved-search.js'
import {
  type Answer,
  type Assignment,
  type Findings,
  type RefusedError,
  raceKey,
  type SavedJob,
} from './assignment.js'
import { type Background, backgroundQuantum, backgrounds, mostBehind } from './background.js'
import { Board, type BoardSettings } from './board.js'
import { type FoundByDeepening, racyAccesses, sameShownBug } from './findings.js'
import type { Job } from './job.js'
import { restoreRun, type SavedRun, saveRun } from './saved-run.js'
import { type IsProgramError, type JobWorker, localWorker } from './worker.js'

export interface DeepenOptions {
  readonly machine: Machine
  readonly isProgramError: IsProgramError
  /** Starts a worker thread; without it everything is done in this thread. */
  readonly spawn?: ((name: string) => JobWorker) | undefined
  readonly workers: number
  readonly settings?: Partial<BoardSettings>
  readonly races: RaceKind
  /** `deepen` or `auto`, as the user asked: kept with a saved run. */
  readonly strategy: string
  readonly seed: number
  readonly maxSteps?: number | undefined
  readonly maxExecutions?: number | undefined
  readonly keepGoing: boolean
  readonly ignore?: readonly Ignored[] | undefined
  readonly selfCheck: number
  /** Searches beside the jobs get a share of the time. */
  readonly hasBackground?: boolean
  /** What a look before has shown. */
  readonly before?: readonly Findings[]
  /** One of them explored the state space with points everywhere, and is to be gone on with. */
  readonly begun?: { readonly findings: Findings; readonly saved: SavedJob } | undefined
  readonly resumed?: SavedRun | undefined
  /** Wall seconds each worker still has. */
  readonly timeLeft: () => number
  readonly memory?: MemoryLimit | undefined
  /** See `Patience`: for what is done in this thread. */
  readonly isOverdue?: (() => boolean) | undefined
  readonly isInterrupted?: () => boolean
  /** Seconds between two saves. */
  readonly saveEvery?: number
  readonly onSave?: (saved: SavedRun) => void
  /** Told a few times per second. */
  readonly onProgress?: (run: Deepening) => void
}

export type DeepenStop = 'exhausted' | 'bug' | 'executions' | 'budget' | 'memory' | 'interrupted'

/** The program cannot be checked; said by a worker. */
export class RefusedByWorker extends Error {
  override readonly name = 'RefusedByWorker'
  constructor(readonly refused: RefusedError) {
    super(refused.message)
  }
}

/** What this thread does alone before threads are started: most tests are done by then. */
const localSeconds = 0.5
const tickMs = 50
/** How long a worker stays with one search while others are due. */
const jobQuantum = 1
/** How long a worker may take to write its search out when all is over. */
const graceMs = 1000
/** Schedules to be sampled before a run gives up whose executions are cut: then its jobs have proven nothing. */
const leastSamples = 1000

type Task =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'background'; readonly search: Background }

/** A worker and what it is at. */
interface Slot {
  readonly worker: JobWorker
  isReady: boolean
  /** No more assignments. */
  isRetired: boolean
  task: Task | null
  run: number
  /** Counters of the task before this run. */
  base: Counters
  /** Of this run. */
  findings: Findings | null
  isSuspending: boolean
}

/**
 * Iterative Deepening (Quicksand §3): gives jobs to workers, learns points from the races they find, and goes on until
 * every job is done, a bug ends it, or time is up. All decisions about jobs are the board's; this is about workers,
 * time and what was found.
 */
export class Deepening {
  readonly board: Board
  readonly backgrounds: Background[]
  readonly races: RaceTable
  /** Keys of candidates that pure happens-before sees too; not used when that is what detects. */
  readonly confirmed = new Set<string>()
  /** Pairs of all runs, those under way included: what is told meanwhile. How often is not kept right here. */
  private readonly known: RaceTable
  private bothOrders = { version: -1, count: 0 }
  readonly bugs: FoundByDeepening[] = []
  /** What went wrong with workers, for people. */
  readonly mishaps: string[] = []
  /** An access of several words raced in a search that should have split it. */
  isCoarse = false
  needsRelease = false
  /** Of searches before these: a look before, or the run that was saved. */
  private earlier: Counters = noCounters
  private readonly slots: Slot[] = []
  private runs = 0
  private readonly start = performance.now()
  private endedAt: number | undefined
  private savedAt = 0
  /** Why the last save failed, if it did. */
  saveTrouble: string | null = null
  private stopping: DeepenStop | null = null
  private isOver = false
  private hasThreads = false
  private resolve!: (stop: DeepenStop) => void
  private reject!: (error: unknown) => void

  constructor(private readonly options: DeepenOptions) {
    const { settings = {}, machine, resumed, before = [], begun } = options
    this.board = new Board({ ...settings, proof: begun !== undefined })
    this.backgrounds = (options.hasBackground ?? true) ? backgrounds(this.board.settings.rules) : []
    this.races = new RaceTable(machine)
    this.known = new RaceTable(machine)
    if (resumed) restoreRun(resumed, this)
    for (const findings of before) {
      this.earlier = addCounters(this.earlier, findings.counters)
      this.races.merge(findings.races ?? [])
      this.learn(null, findings)
      if (hasFailed(findings)) this.board.foundBug(null)
    }
    if (begun) this.takeOver(begun)
  }

  private takeOver({ findings, saved }: NonNullable<DeepenOptions['begun']>): void {
    const { counters, eta = Infinity, share = 0, kindsSeen } = findings
    this.races.merge(findings.races ?? [])
    this.learn(null, findings)
    if (hasFailed(findings)) this.board.foundBug(null)
    if (!this.board.goOnProving({ saved, counters, eta, share, kindsSeen })) this.takeEarlier(counters)
  }

  /** See `Machine.needsEverywhere`. */
  get needsEverywhere(): boolean {
    return this.options.machine.needsEverywhere
  }

  /** Runs to its end and says why it ended. */
  async run(): Promise<DeepenStop> {
    const timer = setInterval(() => this.guarded(() => this.tick()), tickMs)
    try {
      return await new Promise<DeepenStop>((resolve, reject) => {
        this.resolve = resolve
        this.reject = reject
        const { machine, isProgramError, isOverdue } = this.options
        this.employ(localWorker(machine, isProgramError, isOverdue ? { isOverdue } : {}))
        // So that whoever ends this before the first interval is over finds a file; and a path that cannot be written
        // is told of now.
        this.options.onSave?.(saveRun(this, this.options.machine, this.options))
        this.tick()
      })
    } finally {
      this.isOver = true
      this.endedAt = this.seconds
      clearInterval(timer)
      for (const slot of this.slots) slot.worker.close()
      this.save()
    }
  }

  /** Of all searches. */
  get counters(): Counters {
    return [...this.board.jobs, ...this.backgrounds].reduce(
      (sum, part) => addCounters(sum, part.counters),
      this.earlier,
    )
  }

  /** Wall time. */
  get seconds(): number {
    return this.endedAt ?? (performance.now() - this.start) / 1000
  }

  /** What each worker is at, for people. */
  get running(): readonly { readonly worker: string; readonly task: Task }[] {
    return this.slots.flatMap(({ worker, task }) => (task ? [{ worker: worker.name, task }] : []))
  }

  /** Pairs known. */
  get raceCount(): number {
    return this.known.count
  }

  /** Those of them seen in both orders. */
  get bothOrderCount(): number {
    if (this.bothOrders.version !== this.known.version) {
      this.bothOrders = {
        version: this.known.version,
        count: this.known.toData().filter(isBothOrder).length,
      }
    }
    return this.bothOrders.count
  }

  /** Races of all runs, those under way included. */
  allRaces(): RaceTable {
    const all = new RaceTable(this.options.machine)
    all.merge(this.races.toData())
    for (const { findings } of this.slots) all.merge(findings?.races ?? [])
    return all
  }

  /** Whether the accesses were seen with no order between them, and not merely with no common lock. */
  isConfirmed(race: RaceRecord): boolean {
    return this.options.races === 'pure' || this.confirmed.has(raceKey(race))
  }

  /** Counters of a saved run. */
  takeEarlier(counters: Counters): void {
    this.earlier = addCounters(this.earlier, counters)
  }

  get earlierCounters(): Counters {
    return this.earlier
  }

  private tick(): void {
    if (this.isOver) return
    const { options } = this
    if (options.isInterrupted?.()) this.stop('interrupted')
    else if (options.timeLeft() <= 0) this.stop('budget')
    else if (options.memory?.isReached) this.stop('memory')
    // A proof is one search: this thread has begun it, and knows the program by now.
    const isLocal = this.seconds <= localSeconds || this.board.isProving
    if (!this.hasThreads && this.stopping === null && options.spawn && !isLocal) this.hireThreads()
    if (this.seconds - this.savedAt > this.saveEvery) this.save()
    options.onProgress?.(this)
  }

  private get saveEvery(): number {
    return this.options.onSave ? (this.options.saveEvery ?? defaultSaveEvery) : Infinity
  }

  private save(): void {
    const { onSave, machine } = this.options
    this.savedAt = this.seconds
    try {
      onSave?.(saveRun(this, machine, this.options))
      this.saveTrouble = null
    } catch (error) {
      // The run is worth more than its file: it goes on, and the next save may succeed.
      this.saveTrouble = (error as Error).message
    }
  }

  private hireThreads(): void {
    this.hasThreads = true
    for (let i = 0; i < this.options.workers; i++) this.employ(this.options.spawn!(`worker ${i + 1}`))
  }

  private employ(worker: JobWorker): void {
    const slot: Slot = {
      worker,
      isReady: false,
      isRetired: false,
      task: null,
      run: -1,
      base: noCounters,
      findings: null,
      isSuspending: false,
    }
    this.slots.push(slot)
    worker.onAnswer = (answer) => this.guarded(() => this.hear(slot, answer))
    worker.onDeath = (reason) => this.guarded(() => this.bury(slot, reason))
  }

  private guarded(act: () => void): void {
    if (this.isOver) return
    try {
      act()
    } catch (error) {
      this.isOver = true
      this.reject(error)
    }
  }

  private hear(slot: Slot, answer: Answer): void {
    switch (answer.kind) {
      case 'ready':
        slot.isReady = true
        this.retireLocal(slot)
        break
      case 'refused':
        throw new RefusedByWorker(answer.error)
      case 'progress':
        if (answer.run !== slot.run || slot.task === null) return
        this.note(slot, answer.findings)
        if (answer.saved) taskOf(slot.task).saved = answer.saved
        this.reconsider(slot)
        return
      case 'ended': {
        if (answer.run !== slot.run || slot.task === null) return
        this.note(slot, answer.findings)
        this.races.merge(slot.findings?.races ?? [])
        const { task } = slot
        slot.task = null
        slot.findings = null
        this.end(task, answer)
        break
      }
    }
    this.pump()
  }

  /** The first thread that is ready takes over from this one. */
  private retireLocal(slot: Slot): void {
    const [local] = this.slots
    if (slot === local || local.isRetired) return
    local.isRetired = true
    this.suspend(local)
  }

  /** Takes in what a run has shown so far. */
  private note(slot: Slot, findings: Findings): void {
    const { task } = slot
    if (task === null) return
    const races = findings.races ?? slot.findings?.races
    slot.findings = races ? { ...findings, races } : findings
    const search = taskOf(task)
    search.counters = addCounters(slot.base, findings.counters)
    if (task.kind === 'job') {
      task.job.eta = findings.eta ?? task.job.eta
      task.job.share = findings.share ?? task.job.share
      task.job.kindsSeen |= findings.kindsSeen
      this.learn(task.job, findings)
    } else {
      task.search.completedBound =
        findings.completedBound === null ? Infinity : (findings.completedBound ?? -1)
      this.learn(null, findings)
    }
    for (const shown of findings.bugs) this.noteBug(task, shown)
    if (hasFailed(findings)) this.board.foundBug(null)
    const { maxExecutions } = this.options
    if (maxExecutions !== undefined && ranIn(this.counters) >= maxExecutions) this.stop('executions')
  }

  private noteBug(task: Task, shown: Findings['bugs'][number]): void {
    const known = this.bugs.find((bug) => sameShownBug(bug.shown, shown))
    if (known) known.count = Math.max(known.count, shown.count)
    else {
      const job = task.kind === 'job' ? task.job : null
      const ofJob = this.board.isProving ? 'optimal' : 'deepen'
      const strategy = task.kind === 'job' ? ofJob : task.search.strategy
      this.bugs.push({ shown, job, strategy, execution: ranIn(this.counters), count: shown.count })
    }
    this.board.foundBug(task.kind === 'job' ? task.job : null)
    if (!this.options.keepGoing) this.stop('bug')
  }

  private learn(job: Job | null, findings: Findings): void {
    this.isCoarse ||= findings.coarse
    for (const key of findings.confirmed ?? []) this.confirmed.add(key)
    this.known.merge(findings.races ?? [])
    if (findings.needsRelease && !this.needsRelease) {
      this.needsRelease = true
      this.board.needRelease()
    }
    this.board.report(job, racyAccesses(findings))
  }

  private end(task: Task, { stopped, saved }: Answer & { kind: 'ended' }): void {
    const search = taskOf(task)
    search.saved = saved
    if (task.kind === 'job') {
      if (stopped === 'exhausted') this.board.complete(task.job)
      else if (task.job.status === 'running') task.job.status = 'suspended'
    } else task.search.status = stopped === 'exhausted' ? 'complete' : 'waiting'
  }

  /** Whether the search a worker is at should make room. */
  private reconsider(slot: Slot): void {
    const { task, findings } = slot
    if (task === null || slot.isSuspending || this.stopping !== null) return
    const seconds = findings?.counters.seconds ?? 0
    if (task.kind === 'background') {
      if (this.isDone || (seconds >= backgroundQuantum && this.isJobFree())) this.suspend(slot)
      return
    }
    const { job } = task
    const isGone = job.status !== 'running'
    const isDue = seconds >= jobQuantum && this.mostBehind() !== undefined
    if (isGone || isDue || this.board.reconsider(job, this.options.timeLeft()) !== job) this.suspend(slot)
  }

  private mostBehind(): Background | undefined {
    return mostBehind(this.backgrounds, this.counters.seconds, this.board.isProving)
  }

  /** All jobs are done, and what was cut has been sampled. */
  private get isDone(): boolean {
    return this.board.isDone && this.owedSamples === undefined
  }

  /** The search that samples, while it has to make up for what was cut. */
  private get owedSamples(): Background | undefined {
    if (this.counters.cut === 0) return undefined
    return this.backgrounds.find(
      ({ strategy, status, counters }) =>
        strategy === 'pos' &&
        (status === 'waiting' || status === 'running') &&
        ranIn(counters) < leastSamples,
    )
  }

  private isJobFree(): boolean {
    return this.board.jobs.some((job) => job.status === 'pending' || job.status === 'suspended')
  }

  private suspend(slot: Slot): void {
    if (slot.task === null || slot.isSuspending) return
    slot.isSuspending = true
    slot.worker.suspend(slot.run)
  }

  /** Gives work to whoever has none; ends the run when there is none left. */
  private pump(): void {
    if (this.isOver) return
    if (this.options.timeLeft() <= 0) this.stop('budget')
    for (const slot of this.slots) {
      if (slot.isReady && !slot.isRetired && slot.task === null && this.stopping === null) this.assign(slot)
    }
    if (this.isDone) for (const slot of this.slots) this.suspend(slot)
    if (this.slots.some((slot) => slot.task !== null)) return
    if (this.stopping !== null || this.isDone) this.resolve(this.stopping ?? 'exhausted')
  }

  private assign(slot: Slot): void {
    const task = this.choose()
    if (task === null) return
    const { options } = this
    const search = taskOf(task)
    search.status = 'running'
    slot.task = task
    slot.run = ++this.runs
    slot.base = search.counters
    slot.findings = null
    slot.isSuspending = false
    const assignment: Assignment = {
      run: slot.run,
      points: search.points,
      strategy: task.kind === 'job' ? 'optimal' : task.search.strategy,
      seed: options.seed,
      maxSteps: options.maxSteps,
      maxExecutions:
        options.maxExecutions === undefined ? undefined : options.maxExecutions - ranIn(this.counters),
      keepGoing: options.keepGoing,
      ignore: options.ignore ?? [],
      selfCheck: search.saved ? 0 : options.selfCheck,
      races: options.races,
      saved: search.saved,
      saveEvery: this.saveEvery,
    }
    slot.worker.assign(assignment)
  }

  private choose(): Task | null {
    if (this.isDone) return null
    const due = this.mostBehind()
    if (due && this.counters.seconds > jobQuantum) return { kind: 'background', search: due }
    const job = this.board.next(this.options.timeLeft())
    if (job) return { kind: 'job', job }
    if (this.board.isDone) {
      const owed = this.owedSamples
      return owed?.status === 'waiting' ? { kind: 'background', search: owed } : null
    }
    if (this.board.isProving) return null
    // All jobs are being run by others.
    const idle = this.backgrounds
      .filter((search) => search.status === 'waiting')
      .sort((a, b) => a.counters.seconds / a.share - b.counters.seconds / b.share)[0]
    return idle ? { kind: 'background', search: idle } : null
  }

  private stop(reason: DeepenStop): void {
    if (this.stopping !== null) return
    this.stopping = reason
    for (const slot of this.slots) this.suspend(slot)
    const patience = setTimeout(() => {
      if (!this.isOver) this.resolve(reason)
    }, graceMs)
    patience.unref()
    setImmediate(() => this.guarded(() => this.pump()))
  }

  /** A worker died: its job goes back to where it was written out last, another worker takes its place. */
  private bury(slot: Slot, reason: string): void {
    const { task } = slot
    const wasReady = slot.isReady
    slot.isReady = false
    slot.isRetired = true
    slot.task = null
    this.races.merge(slot.findings?.races ?? [])
    slot.findings = null
    if (task?.kind === 'job') {
      this.mishaps.push(`a worker died while it explored job ${task.job.id}: ${reason}`)
      if (task.job.status === 'running') this.board.crashed(task.job, reason)
    } else if (task?.kind === 'background') {
      this.mishaps.push(`a worker died in ${task.search.title}: ${reason}`)
      task.search.status = ++task.search.crashes > 1 ? 'crashed' : 'waiting'
    } else {
      this.mishaps.push(`a worker died: ${reason}`)
      // One that cannot even start will not start next time: whoever is left does the work.
      if (!wasReady) {
        this.slots[0].isRetired = false
        this.pump()
        return
      }
    }
    if (this.stopping === null && this.options.spawn) this.employ(this.options.spawn(slot.worker.name))
    this.pump()
  }
}

function taskOf(task: Task): Job | Background {
  return task.kind === 'job' ? task.job : task.search
}

/** An execution ended early: whether its bug is ignored makes no difference to what was not seen. */
function hasFailed({ bugs, counters }: Findings): boolean {
  return bugs.length > 0 || hasIgnored(counters)
}
