import { NondeterminismError } from '../../execution/determinism.js'
import { UserError } from '../../files/user-error.js'
import type { Machine } from '../../machine/machine.js'
import { StrategyError } from '../../strategies/index.js'
import type { Assignment, PartAnswer, WorkerError, WorkerMessage } from './messages.js'
import { type Limits, SearchTask } from './search-task.js'

/**
 * Runs searches, one at a time; where it lives is its own affair.
 *
 * Protocol: it says `ready` once; then for each `assign` any number of `progress` and one `ended`, or one `refused`,
 * after which it does nothing more. `suspend` asks the search under way to end. `onLost` is called at most once, when
 * it will not say anything any more though nobody closed it.
 */
export interface SearchWorker {
  /** For people. */
  readonly name: string
  onMessage: (message: WorkerMessage) => void
  onLost: (reason: string) => void
  assign(assignment: Assignment): void
  /** To a part that has said something. */
  answer(answer: PartAnswer): void
  suspend(id: number): void
  close(): void
}

/** A worker refused to go on: the program cannot be checked. */
export class RefusedByWorker extends Error {
  override readonly name = 'RefusedByWorker'
  constructor(readonly refused: WorkerError) {
    super(refused.message)
  }
}

/** Whether an error thrown while running is the program's doing. */
export type IsProgramError = (error: unknown) => boolean

/** Works in this thread, on a machine that is there already: for what is done before a thread would have started. */
export function localWorker(machine: Machine, isProgramError: IsProgramError, limits?: Limits): SearchWorker {
  let current: { id: number; task: SearchTask } | null = null
  let isClosed = false
  const send = (message: WorkerMessage) => {
    if (!isClosed) worker.onMessage(message)
  }
  const worker: SearchWorker = {
    name: 'this thread',
    onMessage: () => {},
    onLost: () => {},
    assign(assignment) {
      const task = new SearchTask(machine, assignment, send, limits)
      current = { id: assignment.id, task }
      task.run().catch((error: unknown) => {
        send({ kind: 'refused', error: workerError(error, isProgramError) })
      })
    },
    suspend(id) {
      if (current?.id === id) current.task.suspend()
    },
    answer(answer) {
      // Not at once, or parts would go on from slice to slice and leave nobody else in this thread a turn: not even who ends them.
      setImmediate(() => {
        if (current?.id === answer.id) current.task.answer(answer)
      })
    },
    close() {
      isClosed = true
      current?.task.suspend()
    },
  }
  setImmediate(() => send({ kind: 'ready' }))
  return worker
}

export function workerError(error: unknown, isProgramError: IsProgramError): WorkerError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const fault = isProgramError(error)
    ? 'program'
    : error instanceof NondeterminismError
      ? 'nondeterminism'
      : error instanceof UserError || error instanceof StrategyError
        ? 'user'
        : 'internal'
  return { fault, name, message: fault === 'internal' ? (stack ?? message) : message }
}
