import type { Platform } from '../machine/platform.js'
import type { FoundBug } from './workers/messages.js'

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
