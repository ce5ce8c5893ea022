/** Everything that counts as a bug. Races are reported apart, except under C11, where one makes the program undefined. */
export const bugKinds = [
  'assertion',
  'trap',
  'use-after-free',
  'double-free',
  'invalid-free',
  'heap-overflow',
  'deadlock',
  'livelock',
  'lock-misuse',
  'transaction-misuse',
  'interrupt-misuse',
  'exit-code',
  'invariant',
  'leak',
  'uncaught',
  'data-race',
] as const

export type BugKind = (typeof bugKinds)[number]

/** What a blocked thread waits for. */
export interface Wait {
  readonly thread: number
  /** In words: `mutex m`, `a signal on ready`, `thread 0.1 to end`. */
  readonly object: string
  /** Threads that could end the wait; empty when nobody can (the wake-up never comes). */
  readonly holders: readonly number[]
  readonly site: number
  /** The thread spins: it would go on only if something it reads changed. */
  readonly spinning?: boolean
}

/** A place on a call stack. */
export interface Frame {
  readonly function: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
  /** Not the user's code: a header of the standard library, the runtime. */
  readonly isLibrary?: boolean
}

/** Where something that led to the bug happened. */
export interface Stack {
  /** What happened there: `allocated`, `freed`. */
  readonly title: string
  /** Index of the thread, or -1. */
  readonly thread: number
  /** Innermost first. */
  readonly frames: readonly Frame[]
}

export interface Bug {
  readonly kind: BugKind
  readonly message: string
  /** Index of the thread that failed, or -1 when the program as a whole did. */
  readonly thread: number
  /** Index of the site, or -1. */
  readonly site: number
  /** For deadlocks and livelocks: who waits for what. */
  readonly waits?: readonly Wait[]
  /** For deadlocks: threads in a circle, each waiting for the next. */
  readonly cycle?: readonly number[]
  /** What else a reader needs to see, for a use after free: where the block was allocated and where it was freed. */
  readonly stacks?: readonly Stack[]
}

/** Whether two failures are the same bug: same kind at the same place, or with the same words where there is none. */
export function sameBug(a: Bug, b: Bug): boolean {
  return a.kind === b.kind && a.site === b.site && (a.site >= 0 || a.message === b.message)
}
