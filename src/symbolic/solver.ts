import type { Assignment } from './evaluate.js'
import type { Expression } from './expressions.js'

/** What is known of a query; `unknown` when the solver gave up. */
export type Answer =
  | { readonly kind: 'satisfiable'; readonly assignment: Assignment }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'unknown' }

/** Finds inputs for which conditions hold. */
export interface Solver {
  /** Values of variables for which all the conditions hold, if there are any. */
  solve(conditions: readonly Expression[]): Answer
  dispose(): void
}

/** How much a query may cost. */
export interface SolverLimits {
  /** Wrong turns of the SAT solver after which a query is given up. */
  readonly conflicts: number
  /** Gates beyond which a query is too large to be answered. */
  readonly gates: number
  /** Asked now and then: true ends the query. */
  readonly isOver?: () => boolean
}

export const usualLimits: SolverLimits = { conflicts: 20_000, gates: 1_000_000 }
