/** What a part of the kernel knows during an execution, outside of the program's memory. */
export interface ExecutionState {
  /** As at the beginning. Called before every execution that starts from there. */
  reset(): void
  /** Where it stands, for a checkpoint; negative when it could not go back here: then none is made. */
  mark(): number
  /** Goes back to where it stood earlier in the execution that is being left. */
  goBack(mark: number): void
}

/** State of which checkpoints are made only while there is none: going back is starting again. */
export function resettable(isPristine: () => boolean, reset: () => void): ExecutionState {
  return { reset, mark: () => (isPristine() ? 0 : -1), goBack: reset }
}
