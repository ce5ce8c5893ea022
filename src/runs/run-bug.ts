import type { Platform } from '../machine/platform.js'
import { type FoundBug, isSameBug } from './workers/messages.js'

/** A bug, and who found it. Plain data. */
export interface RunBug {
  readonly found: FoundBug
  /** Found by a job of deepening, whose points tell what it takes. */
  readonly isOfJob: boolean
  readonly strategy: string
  /** How many executions of all searches there had been; about, if workers shared the work. */
  readonly execution: number
  readonly count: number
  /** What was different about the platform it was found on, if anything. */
  readonly platform?: Partial<Platform> | undefined
}

/** Takes a bug in; where it is known, `more` executions have shown it since it was told last. */
export function noteBug(bugs: RunBug[], bug: RunBug, more: number): void {
  const known = bugs.findIndex(({ found }) => isSameBug(found, bug.found))
  if (known < 0) {
    bugs.push(bug)
    return
  }
  const before = bugs[known]
  const isSimpler = bug.found.preemptions < before.found.preemptions && before.platform === bug.platform
  bugs[known] = { ...before, count: before.count + more, ...(isSimpler ? { found: bug.found } : {}) }
}
