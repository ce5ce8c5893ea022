/** Why a program fails, in words, and the operations that the words name. */
export interface Explanation {
  readonly kind:
    | 'between'
    | 'order'
    | 'together'
    | 'choice'
    | 'cycle'
    | 'turning-point'
    | 'always'
    | 'unknown'
  readonly text: string
  readonly steps: readonly ExplainedStep[]
}

export interface ExplainedStep {
  /** Its part in the explanation. */
  readonly role:
    | 'before'
    | 'between'
    | 'after'
    | 'first'
    | 'second'
    | 'took'
    | 'waits'
    | 'choice'
    | 'turning'
    | 'failed'
  readonly thread: string
  readonly operation: string
  readonly object: string
  /** `queue.c:41`. */
  readonly location: string | null
  readonly function: string | null
  /** Number of the operation in the execution, as in the interleaving; null if it did not happen. */
  readonly step: number | null
  /** False for what a thread was about to do when the execution ended. */
  readonly happened: boolean
}
