import type { PathCounts } from './path-tree.js'

/** How the exploration of inputs is going. */
export interface InputProgress {
  readonly seconds: number
  readonly executions: number
  /** Inputs whose schedules were explored, at least for a while; and those that wait for their turn. */
  readonly inputs: number
  readonly waiting: number
  readonly counts: Readonly<PathCounts>
  /** Spent on finding inputs. */
  readonly solverSeconds: number
}
