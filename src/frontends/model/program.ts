/**
 * Model programs as data: plain JSON. Values are 32-bit integers that wrap; registers belong to one thread and start
 * at 0; everything declared is shared by all threads.
 */

/**
 * A number, the name of a register (in statements) or of a shared variable (in checks), or an operator applied to
 * expressions: `['+', 'r', 1]`, `['!', 'done']`, `['?:', 'c', 1, 2]`. `&&`, `||` and `?:` evaluate only what they
 * need; comparisons and `!` give 0 or 1. Checks also know `['at', 'array', index]` and, at the end only,
 * `['reg', 'thread', 'register']`.
 */
export type Expression = number | string | readonly [string, ...Expression[]]

export type MutexType = 'plain' | 'recursive' | 'errorcheck'

/** What the operations that can fail put into their `into` register; the numbers are those of Linux. */
export const Result = { ok: 0, notOwner: 1, again: 11, busy: 16, deadlock: 35, timedOut: 110 } as const

/** What threads share. Names are identifiers, and no two objects have the same one. */
export interface Declarations {
  /** Variables and their initial values. */
  readonly variables?: Readonly<Record<string, number>>
  /** Arrays and their initial elements. */
  readonly arrays?: Readonly<Record<string, readonly number[]>>
  readonly mutexes?: Readonly<Record<string, MutexType>>
  readonly rwlocks?: readonly string[]
  readonly conditions?: readonly string[]
  /** Semaphores and their initial counts. */
  readonly semaphores?: Readonly<Record<string, number>>
  /** Barriers and how many threads each waits for. */
  readonly barriers?: Readonly<Record<string, number>>
}

export interface ProgramOptions {
  readonly name?: string
  /** How many waits may end without a signal, in one execution; true: any number of them. */
  readonly spuriousWakeups?: boolean | number
  /** Who read-locks waits for those who wait to write-lock. */
  readonly preferWriters?: boolean
  /** Why transactions abort, `retry` unless given: see `parseAbortCauses`. */
  readonly abortCodes?: string
  /** The order in which threads print matters: `output` becomes an operation on a shared object. */
  readonly compareOutputs?: boolean
  /** Must hold after every write to a variable they read. */
  readonly invariants?: Readonly<Record<string, Expression>>
  /** Must hold when all threads have ended. */
  readonly atEnd?: Readonly<Record<string, Expression>>
}

export interface Program extends Declarations, ProgramOptions {
  /** The code of each thread, by name. One body can run as several threads. */
  readonly threads: Readonly<Record<string, readonly Statement[]>>
  /** The bodies that run from the beginning, in order; by default all that no `create` names. */
  readonly roots?: readonly string[]
}

interface Labelled {
  /** Names the statement's site: `<thread>:<label>` instead of its place. */
  readonly label?: string
}

interface Access extends Labelled {
  /** A variable, or an array together with `index`. */
  readonly var: string
  readonly index?: Expression
}

interface OnMutex extends Labelled {
  readonly mutex: string
  /** Gets a `Result`. */
  readonly into?: string
}

interface OnRwlock extends Labelled {
  readonly rwlock: string
  readonly into?: string
}

interface OnCondition extends Labelled {
  readonly condition: string
}

interface OnSemaphore extends Labelled {
  readonly semaphore: string
  readonly into?: string
}

/** As in C. Under sequential consistency they only decide what is a race; see docs/memory-models.md. */
export const memoryOrders = ['relaxed', 'consume', 'acquire', 'release', 'acq_rel', 'seq_cst'] as const
export type MemoryOrder = (typeof memoryOrders)[number]

interface Ordered {
  /** `seq_cst` unless given. */
  readonly order?: MemoryOrder
}

export type AccessStatement =
  | (Access & { readonly op: 'load'; readonly into: string })
  | (Access & { readonly op: 'store'; readonly value: Expression })
  | (Access & Ordered & { readonly op: 'atomicLoad'; readonly into: string })
  | (Access & Ordered & { readonly op: 'atomicStore'; readonly value: Expression })
  /** `into` gets the value before. */
  | (Access &
      Ordered & { readonly op: 'exchange' | 'fetchAdd'; readonly value: Expression; readonly into?: string })
  /** `into` gets the value before: the exchange took place if that is the value expected. */
  | (Access &
      Ordered & {
        /** Order of an exchange that does not take place; `seq_cst` unless given. */
        readonly failure?: MemoryOrder
        readonly op: 'compareExchange'
        readonly expected: Expression
        readonly desired: Expression
        readonly into?: string
      })
  | (Labelled & Ordered & { readonly op: 'fence' })

export type SyncStatement =
  | (OnMutex & { readonly op: 'lock' | 'trylock' | 'timedlock' | 'unlock' })
  | (OnRwlock & { readonly op: 'rdlock' | 'wrlock' | 'tryrdlock' | 'trywrlock' | 'rwunlock' })
  | (OnCondition & { readonly op: 'wait' | 'timedwait'; readonly mutex: string; readonly into?: string })
  | (OnCondition & { readonly op: 'signal' | 'broadcast' })
  | (OnSemaphore & { readonly op: 'semwait' | 'semtrywait' | 'semtimedwait' | 'semvalue' })
  | (OnSemaphore & { readonly op: 'sempost' })
  /** `into` gets 1 in the thread that arrived last, else 0. */
  | (Labelled & { readonly op: 'barrier'; readonly barrier: string; readonly into?: string })

export type ThreadStatement =
  /** Starts a thread; `into` gets its handle, `args` set its registers. */
  | (Labelled & {
      readonly op: 'create'
      readonly thread: string
      readonly args?: Readonly<Record<string, Expression>>
      readonly into?: string
    })
  /**
   * Waits for a thread to end: `thread` names a root, or the own child of that body that was created first and is not
   * joined yet; `handle` is what `create` gave.
   */
  | (Labelled & { readonly op: 'join'; readonly thread: string })
  | (Labelled & { readonly op: 'join'; readonly handle: Expression })
  | (Labelled & { readonly op: 'exit' | 'yield' })
  /** A preemption point of every PP set. */
  | (Labelled & { readonly op: 'point' })

export type TransactionStatement =
  /** `into` gets -1 where the transaction starts, else the bits of its abort, as on x86 (`TxStatus`). */
  | (Labelled & { readonly op: 'xbegin'; readonly into: string })
  | (Labelled & { readonly op: 'xend' })
  /** Undoes all that the transaction did, registers included, and goes back to its begin; nothing outside of one. */
  | (Labelled & { readonly op: 'xabort'; readonly code?: Expression })
  /** `into` gets 1 inside a transaction, else 0. */
  | (Labelled & { readonly op: 'xtest'; readonly into: string })
  /**
   * `xbegin`, the body and `xend`; or `else` if the transaction aborts, `into` then says why. Without `else` it is tried
   * again until it commits; an `xabort` waits until something it has read changes.
   */
  | (Labelled & {
      readonly op: 'atomically'
      readonly body: readonly Statement[]
      readonly else?: readonly Statement[]
      readonly into?: string
    })

export type LocalStatement =
  /** A value from 0 to `count` - 1 that the search chooses. */
  | (Labelled & { readonly op: 'choose'; readonly count: Expression; readonly into: string })
  | (Labelled & { readonly op: 'assert'; readonly condition: Expression; readonly message?: string })
  | (Labelled & { readonly op: 'output'; readonly value: Expression })
  | (Labelled & { readonly op: 'set'; readonly into: string; readonly value: Expression })

export type ControlStatement =
  | (Labelled & {
      readonly op: 'if'
      readonly condition: Expression
      readonly then: readonly Statement[]
      readonly else?: readonly Statement[]
    })
  | (Labelled & { readonly op: 'while'; readonly condition: Expression; readonly body: readonly Statement[] })
  /** Runs its body `count` times. */
  | (Labelled & { readonly op: 'loop'; readonly count: Expression; readonly body: readonly Statement[] })
  /** Leaves the innermost `while` or `loop`. */
  | (Labelled & { readonly op: 'break' })

export type Statement =
  | AccessStatement
  | SyncStatement
  | ThreadStatement
  | TransactionStatement
  | LocalStatement
  | ControlStatement

/** A program that makes no sense: says what is wrong, where, and what would be right. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError'
  constructor(
    /** `thread "a", statement 2.then.0 (store)`, `semaphores`, … */
    readonly where: string,
    readonly what: string,
  ) {
    super(`${where}: ${what}`)
  }
}
