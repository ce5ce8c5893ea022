import { findStrategy } from '../strategies/index.js'
import { firstDoubt } from './board-settings.js'
import { ranIn } from './counters.js'
import type { Knowledge } from './knowledge.js'
import type { RunPlan, RunSettings } from './plan.js'
import { isOpen } from './platforms.js'
import type { StopReason } from './search.js'
import { isWhole, newRecord, type SearchRecord } from './search-record.js'
import type { Patience } from './workers/messages.js'

/** A proof that should be done in so many seconds needs no samples first: it shares its time with some if it takes longer. */
const soon = 5

/** What comes after a proof of some size should cost little beside it: one sample for so many executions, but at least some. */
const executionsPerSample = 16
const fewestSamples = 50
const smallProof = 200

/** The searches of a plan that come one after the other: which is next, and how much it may take. */
export class Stages {
  readonly records: readonly SearchRecord[]
  /** The stage under way; as many as there are when all are over. */
  at = 0

  constructor(
    private readonly plan: RunPlan,
    private readonly settings: RunSettings,
    private readonly knowledge: Knowledge,
    /** Wall seconds each worker still has. */
    private readonly timeLeft: () => number,
  ) {
    const { points } = settings
    this.records = plan.stages.map(({ strategy, title, platform }, i) =>
      newRecord({ id: i + 1, title, strategy, points, ...(platform ? { platform } : {}) }),
    )
  }

  /** The one to go on with, or null if all are over; those that are not needed are passed over. */
  next(): SearchRecord | null {
    for (; this.at < this.records.length; this.at++) {
      if (this.isNeeded(this.at)) return this.records[this.at]
    }
    return null
  }

  /** A worker has ended a stage; `isLimit`: because the whole run is at its limit of executions. */
  ended(search: SearchRecord, stopped: StopReason, isLimit: boolean): void {
    search.status = stopped === 'exhausted' ? 'complete' : 'suspended'
    const isOver = stopped === 'exhausted' || stopped === 'patience' || (stopped === 'executions' && !isLimit)
    if (isOver) this.at++
  }

  /** Executions and processor seconds that a search has left, as far as it is a stage with limits. */
  limitsOf(search: SearchRecord): { readonly executions: number; readonly patience: Patience | null } {
    const stage = this.plan.stages[this.records.indexOf(search)]
    const { executions = Infinity, seconds } = stage ?? {}
    const most = stage?.isExtra ? Math.min(executions, this.mostAfterProof) : executions
    return {
      executions: most - ranIn(search.counters),
      patience: seconds === undefined ? null : this.patienceOf(search, seconds),
    }
  }

  /** One of them has explored every schedule with the points given. */
  get hasProof(): boolean {
    return this.proof !== undefined
  }

  private get proof(): SearchRecord | undefined {
    return this.records.find(
      (search) =>
        search.platform === undefined &&
        findStrategy(search.strategy).entry.promise !== 'sample' &&
        isWhole(search),
    )
  }

  private get mostAfterProof(): number {
    const size = this.proof?.counters.executions ?? 0
    return size < smallProof ? Infinity : Math.max(fewestSamples, Math.ceil(size / executionsPerSample))
  }

  /**
   * The first stage of a plan that deepens, if it was not done with every schedule and should be gone on with: the rest of
   * it may well fit into the time that is left. Whatever else could be done would then be work done twice. It may still
   * be given up (`BoardSettings.proof`).
   */
  get proofBegun(): SearchRecord | null {
    const [first] = this.records
    if (!this.plan.deepens || first?.status !== 'suspended' || first.saved === null) return null
    return first.counters.cut === 0 && first.eta < firstDoubt * this.timeLeft() ? first : null
  }

  private isNeeded(stage: number): boolean {
    const { platform, matters, isExtra } = this.plan.stages[stage]
    const { status } = this.records[stage]
    if (status === 'running') return true
    if (status === 'crashed') return false
    if (matters && !(this.knowledge[matters] && isOpen(this.settings, platform))) return false
    return isExtra === true || !(this.hasProof || (this.proofBegun?.eta ?? Infinity) < soon)
  }

  /**
   * Samples are taken in case a bug is shallow. During a proof that may soon be done they should cost little; if it takes
   * longer, it shares its time with more of them. A proof that should soon be done is not interrupted for them; its first
   * estimates are mostly too large.
   */
  private patienceOf(search: SearchRecord, seconds: number): Patience {
    const proof = this.proofBegun
    if (proof === null || proof === search) return { seconds, more: 2 * soon }
    return { seconds: Math.min(seconds, proof.counters.seconds / 20), more: 0 }
  }
}
