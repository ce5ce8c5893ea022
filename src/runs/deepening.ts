import { defaultMaxSteps, Runner } from '../execution/runner.js'
import type { Machine } from '../machine/machine.js'
import { createStrategy } from '../strategies/index.js'
import { type Background, backgrounds, isWaiting, mostBehind, quantumAfter, shareOf } from './background.js'
import { Board } from './board.js'
import type { BoardSettings } from './board-settings.js'
import { type Counters, ranIn } from './counters.js'
import type { Job } from './job.js'
import { hasFailed, type Knowledge } from './knowledge.js'
import { racyAccesses } from './racy-accesses.js'
import type { StopReason } from './search.js'
import type { SearchRecord } from './search-record.js'
import type { Findings } from './workers/messages.js'

/** How long a worker stays with one search while others are due. */
const jobQuantum = 1
/** Schedules to be sampled before a run gives up whose executions are cut: then its jobs have proven nothing. */
const leastSamples = 1000

/** What deepening has to know of the run it is part of. */
export interface DeepeningContext {
  readonly knowledge: Knowledge
  /** Wall seconds each worker still has. */
  readonly timeLeft: () => number
  /** Of all searches of the run. */
  readonly counters: () => Counters
  readonly settings: Partial<BoardSettings>
  /** Searches alongside the jobs get a share of the time. */
  readonly hasBackgrounds: boolean
}

/**
 * Iterative Deepening (Quicksand §3): which search is next, and which should make room. All decisions about jobs are the
 * board's; this is about the time that jobs and the searches alongside them get, and about what the board is to know.
 */
export class Deepening {
  readonly board: Board
  readonly backgrounds: readonly Background[]
  /** Of the samples alongside: what shows nothing new any more need not have much time. */
  private novelty = 1

  constructor(private readonly context: DeepeningContext) {
    this.board = new Board(context.settings)
    this.backgrounds = context.hasBackgrounds ? backgrounds(this.board.settings.rules) : []
    if (context.knowledge.needsRelease) this.board.needRelease()
    this.tellBoard(null, context.knowledge)
    if (context.knowledge.hasFailed) this.board.foundBug(null)
  }

  get searches(): readonly SearchRecord[] {
    return [...this.board.jobs, ...this.backgrounds]
  }

  /** All jobs are done, and what was cut has been sampled. */
  get isDone(): boolean {
    return this.board.isDone && this.owedSamples === undefined
  }

  /** What a worker that has none should search; null: nothing for now. */
  next(): SearchRecord | null {
    if (this.isDone) return null
    const due = this.mostBehind()
    if (due && this.context.counters().seconds > jobQuantum) return due
    const job = this.board.next(this.context.timeLeft())
    if (job) return job
    if (this.board.isDone) {
      const owed = this.owedSamples
      return owed && isWaiting(owed) ? owed : null
    }
    if (this.board.isProving) return null
    // All jobs are being run by others.
    return this.backgrounds.filter(isWaiting).sort((a, b) => this.timeOf(a) - this.timeOf(b))[0] ?? null
  }

  /** What runs alongside a proof that others have, if it is behind its share of the time. */
  nextAlongside(): SearchRecord | null {
    return this.isDone ? null : (this.mostBehind() ?? null)
  }

  /**
   * Whether a search that has been under way for so long should make room for another; `isApart`: not for those alongside,
   * which others see to.
   */
  shouldYield(search: SearchRecord, seconds: number, isApart = false): boolean {
    if (!isJob(search)) {
      const quantum = quantumAfter(this.context.counters().seconds)
      return this.isDone || (seconds >= quantum && this.board.jobs.some(isWaiting))
    }
    const isDue = !isApart && seconds >= jobQuantum && this.mostBehind() !== undefined
    return (
      search.status !== 'running' ||
      isDue ||
      this.board.reconsider(search, this.context.timeLeft()) !== search
    )
  }

  /** What one of its searches has shown so far; the run's knowledge has it already. */
  learn(search: SearchRecord, findings: Findings): void {
    const job = isJob(search) ? search : null
    this.novelty = findings.novelty ?? this.novelty
    if (findings.operations.needsRelease) this.board.needRelease()
    const { races = [], longSites, operations } = findings
    this.tellBoard(job, { races, longSites, watched: operations.watched })
    if (findings.bugs.length > 0) this.board.foundBug(job)
    if (hasFailed(findings)) this.board.foundBug(null)
  }

  ended(search: SearchRecord, stopped: StopReason): void {
    if (stopped !== 'exhausted') {
      if (search.status === 'running') search.status = 'suspended'
    } else if (isJob(search)) this.board.complete(search)
    else search.status = 'complete'
  }

  /** What each bug of its searches is said to be found by. */
  strategyOf(search: SearchRecord): string {
    return isJob(search) && !this.board.isProving ? 'deepen' : search.strategy
  }

  private tellBoard(from: Job | null, seen: Parameters<typeof racyAccesses>[0]): void {
    this.board.report(from, racyAccesses(seen))
  }

  private mostBehind(): Background | undefined {
    return mostBehind(this.backgrounds, this.context.counters().seconds, this.board.isProving, this.novelty)
  }

  /** How much time it has had, against its share. */
  private timeOf(background: Background): number {
    return background.counters.seconds / shareOf(background, this.novelty)
  }

  /** The search that samples, while it has to make up for what was cut. */
  private get owedSamples(): Background | undefined {
    if (this.context.counters().cut === 0) return undefined
    return this.backgrounds.find(
      (search) =>
        search.strategy === 'mix' &&
        (isWaiting(search) || search.status === 'running') &&
        ranIn(search.counters) < leastSamples,
    )
  }
}

export function isJob(search: SearchRecord): search is Job {
  return 'origin' in search
}

/**
 * Steps after which executions are cut, unless the user says. One that goes round for ever ends only there, and should
 * leave time for the others; so it is many times what the first execution takes.
 */
const leastLimit = 10_000
const limitFactor = 20

/** The machine has its points already. */
export function stepLimit(machine: Machine, isOverdue: () => boolean): number {
  const runner = new Runner(machine, { isOverdue })
  try {
    runner.run(createStrategy('dfs', { machine }))
  } catch {
    // Whatever is wrong will show in the search.
    return defaultMaxSteps
  }
  // How long an execution is that does not end says nothing about the others.
  if (runner.status === 'cut') return leastLimit
  return Math.min(Math.max(leastLimit, limitFactor * runner.trace.length), defaultMaxSteps)
}
