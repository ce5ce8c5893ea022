/** How many executions there were, by how they ended. */
export interface ExecutionCounts {
  /** Executions that ran to an end: normal, bug or stuck. */
  executions: number
  /** Executions given up as redundant. */
  blocked: number
  /** Executions cut at a limit of the strategy's own: it comes back to them. */
  postponed: number
  /** Executions ended by an assumption of the program's own that did not hold: see `Machine.assumptionFailed`. */
  stoppedByAssume: number
  /** Executions cut at the step limit; any at all weakens the guarantee. */
  cut: number
  /** Of those: before they had that many steps, because one took too long or all of them did too much. */
  cutEarly: number
  /** Transitions of all executions. */
  steps: number
  /** Largest number of threads left over when the program ended. */
  unfinished: number
}

export const noExecutions: Readonly<ExecutionCounts> = {
  executions: 0,
  blocked: 0,
  postponed: 0,
  stoppedByAssume: 0,
  cut: 0,
  cutEarly: 0,
  steps: 0,
  unfinished: 0,
}
