import type { RaceRecord } from '../races/index.js'
import { isWaiting } from './background.js'
import type { BoardSettings } from './board-settings.js'
import type { Budget, CpuBudget, MemoryLimit } from './budget.js'
import { addCounters, type Counters, noCounters, ranIn } from './counters.js'
import { Deepening, isJob, stepLimit } from './deepening.js'
import { History } from './history.js'
import { isDivided, JointProof, worthSharing } from './joint-proof.js'
import { hasFailed, Knowledge } from './knowledge.js'
import { planOf, type RunPlan, type RunSettings } from './plan.js'
import { noteBug, type RunBug } from './run-bug.js'
import { restoreRun, type SavedRun, saveRun } from './saved-run.js'
import { Saver } from './saver.js'
import type { StopReason } from './search.js'
import { isPastRaces, searchPlan } from './search-plan.js'
import { markCrashed, type SearchRecord, updateRecord } from './search-record.js'
import { Stages } from './stages.js'
import { crewWorker } from './workers/crew.js'
import type { Findings, FoundBug, WorkerMessage } from './workers/messages.js'
import { localWorker, RefusedByWorker, type SearchWorker } from './workers/worker.js'
import { WorkerSlot } from './workers/worker-slot.js'

/** What a run may use, and who is told of it. */
export interface RunControl {
  readonly budget: Budget
  /** Processor time, in addition to the wall time of `budget`. */
  readonly cpu?: CpuBudget | undefined
  readonly memory?: MemoryLimit | undefined
  readonly workers: number
  /** Starts a worker thread; without it everything is done in this thread. */
  readonly spawn?: ((name: string) => SearchWorker) | undefined
  readonly isInterrupted?: (() => boolean) | undefined
  /** Seconds between two saves. */
  readonly saveEvery?: number | undefined
  readonly onSave?: ((saved: SavedRun) => void) | undefined
  /** Called a few times per second. */
  readonly onProgress?: ((run: Run) => void) | undefined
  /**
   * For tests: another plan than the strategy's, other settings of the board, no searches alongside the jobs, and how long a proof
   * must still take for all workers to join in.
   */
  readonly plan?: RunPlan
  readonly board?: Partial<BoardSettings>
  readonly hasBackgrounds?: boolean
  readonly worthSharing?: number
}

/** How long deepening stays in this thread before others are started: most tests are done by then. */
const localSeconds = 0.5
const tickMs = 50
/** How long a worker may take to write its search out when all is over. */
const graceMs = 1000

/**
 * Checks a program: the searches of the plan one after the other, then deepening if that is asked for. Gives searches to
 * workers, takes in what they find, and goes on until all is done, a bug ends it, or a limit is reached.
 */
export class Run {
  readonly plan: RunPlan
  /** The searches of the plan that come one after the other. */
  readonly sequence: Stages
  /** From when the stages are over, if the plan deepens. */
  deepening: Deepening | null = null
  readonly knowledge: Knowledge
  readonly bugs: RunBug[] = []
  readonly history = new History<SearchRecord>()
  /** What went wrong with workers, for people. */
  readonly problems: string[] = []
  maxSteps: number | undefined
  /** Wall seconds of earlier sessions, of a run that was saved. */
  secondsBefore = 0
  private deepeningSince = 0
  private readonly slots: WorkerSlot[] = []
  private readonly jointProof: JointProof
  private assignments = 0
  private start = performance.now()
  private endedAt: number | undefined
  private readonly saver: Saver
  private stopping: StopReason | null = null
  private isOver = false
  private hasThreads = false
  private resolve!: (stop: StopReason) => void
  private reject!: (error: unknown) => void

  constructor(
    readonly settings: RunSettings,
    private readonly control: RunControl,
    resumed?: SavedRun,
  ) {
    this.plan = control.plan ?? planOf(settings)
    this.knowledge = new Knowledge(settings.program.machine, this.races)
    this.sequence = new Stages(this.plan, settings, this.knowledge, () => this.timeLeft())
    this.maxSteps = settings.maxSteps
    this.saver = new Saver(control)
    this.jointProof = new JointProof(control.worthSharing ?? worthSharing)
    if (resumed) restoreRun(resumed, this)
  }

  /** How races are looked for: deepening needs them whether the user asks or not. */
  get races() {
    return this.settings.races ?? (this.plan.deepens ? 'pure' : null)
  }

  get stages(): readonly SearchRecord[] {
    return this.sequence.records
  }

  get searches(): readonly SearchRecord[] {
    return [...this.stages, ...(this.deepening?.searches ?? [])]
  }

  /** Of all searches. */
  get counters(): Counters {
    return this.searches.reduce((sum, { counters }) => addCounters(sum, counters), noCounters)
  }

  /** Wall time. */
  get seconds(): number {
    return this.endedAt ?? this.secondsBefore + (performance.now() - this.start) / 1000
  }

  /** What each worker is doing. */
  get running(): readonly { readonly worker: string; readonly search: SearchRecord }[] {
    return this.slots.flatMap(({ worker, search }) => (search ? [{ worker: worker.name, search }] : []))
  }

  /** Races of all searches, those under way included. */
  get allRaces(): readonly RaceRecord[] {
    return this.knowledge.racesWith(this.racesUnderWay)
  }

  get racesUnderWay(): (readonly RaceRecord[])[] {
    return this.slots.map(({ search, findings }) => (search?.platform ? [] : (findings?.races ?? [])))
  }

  /** Runs to its end and says why it ended. */
  async run(): Promise<StopReason> {
    this.start = performance.now()
    const { machine, isProgramError } = this.settings.program
    const { budget } = this.control
    if (this.plan.deepens && this.maxSteps === undefined) {
      machine.usePoints(this.settings.points)
      this.maxSteps = stepLimit(machine, () => budget.isOverdue)
    }
    const timer = setInterval(() => this.guarded(() => this.tick()), tickMs)
    try {
      return await new Promise<StopReason>((resolve, reject) => {
        this.resolve = resolve
        this.reject = reject
        this.addWorker(
          localWorker(machine, isProgramError, {
            stopReason: () => this.limitReached(),
            isSpent: () => budget.isSpent,
            isOverdue: () => budget.isOverdue,
          }),
        )
        this.saver.begin(() => saveRun(this))
        this.tick()
      })
    } finally {
      this.isOver = true
      this.endedAt = this.seconds
      clearInterval(timer)
      for (const slot of this.slots) slot.worker.close()
      this.saver.save(this.seconds)
    }
  }

  /** Wall seconds each worker still has: processor time is shared by all of them. */
  private timeLeft(): number {
    const { budget, cpu, workers } = this.control
    return Math.min(budget.remainingSeconds, cpu === undefined ? Infinity : cpu.remainingSeconds / workers)
  }

  private limitReached(): StopReason | null {
    if (this.control.isInterrupted?.()) return 'interrupted'
    if (this.timeLeft() <= 0) return 'budget'
    return this.control.memory?.isReached ? 'memory' : null
  }

  private tick(): void {
    if (this.isOver) return
    this.stopAtLimits()
    // A proof is one search: this thread has begun it, and knows the program by now.
    const isLocal = this.isDivided
      ? !this.stages.some(isDivided) && this.seconds - this.secondsBefore <= localSeconds
      : this.deepening === null ||
        this.deepening.board.isProving ||
        this.seconds - this.deepeningSince <= localSeconds
    const canStart = this.control.spawn !== undefined || this.stages.some(isDivided)
    if (!this.hasThreads && this.stopping === null && canStart && !isLocal) this.startThreads()
    if (this.stopping === null) this.seeToProof()
    if (this.saver.isDue(this.seconds)) this.saver.save(this.seconds)
    this.control.onProgress?.(this)
  }

  /** A proof that takes long is shared by all workers; what runs alongside it has its turn now and then. */
  private seeToProof(): void {
    const { jointProof, deepening, control, settings } = this
    const { spawn, workers } = control
    const canStart = spawn !== undefined && workers > 1 && settings.maxExecutions === undefined
    if (jointProof.wanted(deepening, canStart)) jointProof.slot = this.addWorker(this.makeCrew(), true)
    if (jointProof.isOn && spawn !== undefined && this.slots[0].search === null) this.giveWork()
  }

  /** One search after the other, each on all workers. */
  private get isDivided(): boolean {
    return !this.plan.deepens && (this.control.workers > 1 || this.stages.some(isDivided))
  }

  private stopAtLimits(): void {
    const reason = this.limitReached()
    if (reason !== null) this.stop(reason)
  }

  /** Why the last save failed, if it did. */
  get saveProblem(): string | null {
    return this.saver.problem
  }

  private startThreads(): void {
    this.hasThreads = true
    if (this.isDivided) {
      this.addWorker(this.makeCrew(), true)
      return
    }
    for (let i = 0; i < this.control.workers; i++) this.addWorker(this.control.spawn!(`worker ${i + 1}`))
  }

  private makeCrew(): SearchWorker {
    const { machine, isProgramError } = this.settings.program
    const { spawn, workers } = this.control
    // Without threads, what several have explored is gone on with here.
    return crewWorker(spawn ?? (() => localWorker(machine, isProgramError)), spawn ? workers : 1, machine)
  }

  private addWorker(worker: SearchWorker, isCrew = false): WorkerSlot {
    const slot = new WorkerSlot(worker, isCrew)
    this.slots.push(slot)
    worker.onMessage = (message) => this.guarded(() => this.receive(slot, message))
    worker.onLost = (reason) => this.guarded(() => this.workerLost(slot, reason))
    return slot
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

  private receive(slot: WorkerSlot, message: WorkerMessage): void {
    switch (message.kind) {
      case 'ready':
        slot.isReady = true
        this.retireLocal(slot)
        break
      case 'refused':
        throw new RefusedByWorker(message.error)
      case 'progress':
        if (message.id !== slot.id || slot.search === null) return
        this.note(slot, slot.search, message.findings)
        if (message.saved) slot.search.saved = message.saved
        this.reconsider(slot)
        return
      case 'ended': {
        if (message.id !== slot.id || slot.search === null) return
        const { search } = slot
        this.note(slot, search, message.findings)
        if (!search.platform) this.knowledge.keepRaces(slot.findings?.races ?? [])
        slot.leave()
        search.saved = message.saved
        this.history.end(search, this.seconds)
        this.ended(search, message.stopped)
        this.stopAtLimits()
        break
      }
    }
    this.giveWork()
  }

  /** The first thread that is ready takes over from this one; a crew for a proof takes that only. */
  private retireLocal(slot: WorkerSlot): void {
    const [local] = this.slots
    if (slot === local || local.isRetired) return
    if (slot === this.jointProof.slot) {
      if (local.search === this.deepening?.board.maximal) local.suspend()
      return
    }
    local.isRetired = true
    local.suspend()
  }

  /** Takes in what an assignment has shown so far. */
  private note(slot: WorkerSlot, search: SearchRecord, findings: Findings): void {
    slot.hear(findings)
    updateRecord(search, slot.base, findings)
    if (!search.platform) this.knowledge.learn(findings)
    this.knowledge.hasFailed ||= hasFailed(findings)
    // Before `hasBug` is set: the board does more about the first bug of a job.
    if (!this.stages.includes(search)) this.deepening?.learn(search, findings)
    for (const found of findings.bugs) this.noteBug(slot, search, found, findings)
    const ran = ranIn(this.counters)
    const share = this.stages.includes(search) ? (search.outlook?.share ?? null) : null
    this.history.note({ seconds: this.seconds, ran, share })
    const { maxExecutions } = this.settings
    if (maxExecutions !== undefined && ran >= maxExecutions) this.stop('executions')
  }

  private noteBug(slot: WorkerSlot, search: SearchRecord, found: FoundBug, findings: Findings): void {
    search.hasBug = true
    const bug: RunBug = {
      found,
      isOfJob: isJob(search),
      strategy: this.deepening?.strategyOf(search) ?? search.strategy,
      execution: ranIn(this.counters) - ranIn(findings.counters) + found.execution,
      count: found.count,
      ...(search.platform ? { platform: search.platform } : {}),
    }
    noteBug(this.bugs, bug, slot.newlyCounted(found))
    if (!this.settings.keepGoing) this.stop('bug')
  }

  private ended(search: SearchRecord, stopped: StopReason): void {
    if (this.stages.includes(search)) this.sequence.ended(search, stopped, this.stopping === 'executions')
    else this.deepening?.ended(search, stopped)
  }

  /** Whether the search a worker is at should make room. */
  private reconsider(slot: WorkerSlot): void {
    const { search, findings } = slot
    if (search === null || slot.isSuspending || this.stopping !== null || this.stages.includes(search)) return
    const isApart = slot === this.jointProof.slot
    if (this.deepening?.shouldYield(search, findings?.counters.seconds ?? 0, isApart)) slot.suspend()
  }

  /** Gives work to whoever has none; ends the run when there is none left. */
  private giveWork(): void {
    if (this.isOver) return
    this.stopAtLimits()
    this.jointProof.endIfOver(this.deepening)
    for (const slot of this.slots) {
      if (slot.isReady && !slot.isRetired && slot.search === null && this.stopping === null) this.assign(slot)
    }
    const isDone = this.isDone
    if (isDone) for (const slot of this.slots) slot.suspend()
    if (this.slots.some((slot) => slot.search !== null)) return
    if (this.stopping !== null || isDone) this.resolve(this.stopping ?? 'exhausted')
  }

  /** Nothing is left to do. */
  private get isDone(): boolean {
    return this.sequence.next() === null && (!this.deepens || (this.deepening?.isDone ?? false))
  }

  private get deepens(): boolean {
    return this.plan.deepens && !this.sequence.hasProof
  }

  private nextFor(slot: WorkerSlot): SearchRecord | null {
    const stage = this.sequence.next()
    if (stage !== null) return isWaiting(stage) ? stage : null
    if (!this.deepens) return null
    this.deepening ??= this.startDeepening()
    const { jointProof } = this
    // Without threads, the crew has the only machine, from before it says that it is ready.
    if (jointProof.slot !== null && slot !== jointProof.slot && this.control.spawn === undefined) return null
    return jointProof.isOn ? jointProof.nextFor(slot, this.deepening) : this.deepening.next()
  }

  private startDeepening(): Deepening {
    const proof = this.sequence.proofBegun
    const deepening = this.makeDeepening(proof !== null)
    if (proof !== null && deepening.board.takeOver(proof)) {
      const { id } = deepening.board.maximal
      Object.assign(proof, {
        status: 'pruned',
        counters: noCounters,
        saved: null,
        reason: `part of job ${id}`,
      })
    }
    return deepening
  }

  makeDeepening(isProof: boolean): Deepening {
    const { points, verify = false, etaFactor, etaThreshold } = this.settings
    this.deepeningSince = this.seconds
    return new Deepening({
      knowledge: this.knowledge,
      timeLeft: () => this.timeLeft(),
      counters: () => this.counters,
      hasBackgrounds: this.control.hasBackgrounds ?? true,
      settings: {
        rules: points.rules,
        verify,
        proof: isProof,
        ...(etaFactor === undefined ? {} : { etaFactor }),
        ...(etaThreshold === undefined ? {} : { etaThreshold }),
        ...this.control.board,
      },
    })
  }

  private assign(slot: WorkerSlot): void {
    const search = this.nextFor(slot)
    if (search === null || (isDivided(search) && !slot.isCrew)) return
    search.status = 'running'
    this.history.begin(search, this.seconds)
    slot.take(search, ++this.assignments)
    const { plan, stages, maxSteps, races, settings } = this
    const limits = this.sequence.limitsOf(search)
    const left = (settings.maxExecutions ?? Infinity) - ranIn(this.counters)
    slot.worker.assign({
      id: slot.id,
      plan: searchPlan(search, settings, maxSteps, Math.min(limits.executions, left)),
      platform: search.platform,
      races,
      someRaces: !settings.races && isPastRaces(search, plan),
      watchesOperations: plan.deepens || stages.length > 1,
      saved: search.saved,
      ...(search.saved !== null && search.share > 0 ? { share: search.share } : {}),
      saveEvery: this.saver.every,
      patience: limits.patience,
    })
  }

  private stop(reason: StopReason): void {
    if (this.stopping !== null) return
    this.stopping = reason
    for (const slot of this.slots) slot.suspend()
    const patience = setTimeout(() => {
      if (!this.isOver) this.resolve(reason)
    }, graceMs)
    patience.unref()
    setImmediate(() => this.guarded(() => this.giveWork()))
  }

  /** A worker is gone: its search goes back to where it was written out last, another worker takes its place. */
  private workerLost(slot: WorkerSlot, reason: string): void {
    const { search } = slot
    const wasReady = slot.isReady
    slot.isReady = false
    slot.isRetired = true
    this.knowledge.keepRaces(slot.findings?.races ?? [])
    slot.leave()
    if (search !== null) {
      this.history.end(search, this.seconds)
      this.problems.push(`a worker stopped during ${search.title}: ${reason}`)
      if (search.status === 'running') markCrashed(search, reason)
    } else this.problems.push(`a worker stopped: ${reason}`)
    if (slot === this.jointProof.slot) {
      this.jointProof.lost(wasReady, this.deepening!)
      this.giveWork()
      return
    }
    if (search === null) {
      // One that cannot even start will not start next time: whoever is left does the work.
      if (!wasReady) {
        this.slots[0].isRetired = false
        this.giveWork()
        return
      }
    }
    if (this.stopping === null && this.control.spawn) {
      if (slot.isCrew) this.addWorker(this.makeCrew(), true)
      else this.addWorker(this.control.spawn(slot.worker.name))
    }
    this.giveWork()
  }
}
