import { isWaiting } from './background.js'
import type { Deepening } from './deepening.js'
import { isOpen, type SearchRecord } from './search-record.js'
import type { WorkerSlot } from './workers/worker-slot.js'

/** Seconds that a proof must still be estimated to take: starting threads costs some, and they know nothing of the program. */
export const worthSharing = 5

/** Crews that may be lost before one worker does it. */
const mostLosses = 3

/**
 * While deepening is about nothing but a proof, there is one search to run. If it takes long, all workers explore it
 * together, as a crew; what runs alongside is left to the thread that began it. A proof that is given up leaves the field
 * to searches of one worker each, so the crew is dismissed; what several workers have explored only several can go on with.
 */
export class JointProof {
  /** The crew, from when its threads are started. */
  slot: WorkerSlot | null = null
  /** No crew could be had, or kept. */
  private isHopeless = false
  private losses = 0

  constructor(private readonly worthSharing: number) {}

  /** The proof, if more workers should join in. */
  wanted(deepening: Deepening | null, canStart: boolean): boolean {
    if (this.slot !== null || this.isHopeless || !deepening?.board.isProving) return false
    const proof = deepening.board.maximal
    if (isDivided(proof)) return true
    return (
      canStart && proof.status === 'running' && Number.isFinite(proof.eta) && proof.eta > this.worthSharing
    )
  }

  /** Its threads are up, and take what is theirs. */
  get isOn(): boolean {
    return this.slot?.isReady === true
  }

  /** The proof for the crew, something that runs alongside for anybody else; null: nothing for now. */
  nextFor(slot: WorkerSlot, deepening: Deepening): SearchRecord | null {
    if (slot !== this.slot) return deepening.nextAlongside()
    return isWaiting(deepening.board.maximal) ? deepening.board.maximal : null
  }

  /** Dismisses the crew if there is no proof for it any more. */
  endIfOver(deepening: Deepening | null): void {
    const { slot } = this
    if (slot === null || slot.search !== null || deepening === null) return
    const { board } = deepening
    if (board.isProving && (isWaiting(board.maximal) || board.maximal.status === 'running')) return
    slot.isRetired = true
    slot.worker.close()
    this.slot = null
    beginAnew(deepening)
  }

  /** The crew is gone; `wasReady`: it had begun. */
  lost(wasReady: boolean, deepening: Deepening): void {
    this.slot = null
    if (wasReady && ++this.losses < mostLosses) return
    this.isHopeless = true
    beginAnew(deepening)
  }
}

/** One worker cannot go on with what several have explored. */
function beginAnew({ board }: Deepening): void {
  if (isOpen(board.maximal) && isDivided(board.maximal)) board.renewMaximal('it goes on with one worker')
}

/** Several workers have explored it. */
export function isDivided({ saved }: SearchRecord): boolean {
  return saved?.state.divided !== undefined
}
