import type { ObjectStates } from './object-states.js'
import type { RecallTails } from './recall-tails.js'
import type { RecallTree } from './recall-tree.js'
import type { TransitionLog } from './weak/transition-log.js'

/** Point sets of which something is kept while the program is run with another one. */
const MOST_KEPT = 2

/** What is known of a program under one set of points. */
export interface Remembered {
  readonly tree: RecallTree
  readonly tails: RecallTails
  readonly objects: ObjectStates
  readonly log: TransitionLog
  readonly overlaps: number
}

/** What is known of a program under points that it is not run with now: searches that take turns find it again. */
export class RecallShelf {
  private readonly all = new Map<string, Remembered>()

  put(points: string, known: Remembered): void {
    this.all.set(points, known)
    for (const [oldest] of this.all) if (this.all.size > MOST_KEPT) this.all.delete(oldest)
  }

  take(points: string): Remembered | undefined {
    const known = this.all.get(points)
    this.all.delete(points)
    return known
  }

  clear(): void {
    this.all.clear()
  }
}
