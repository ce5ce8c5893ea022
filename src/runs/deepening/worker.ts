import { NondeterminismError } from '../../execution/determinism.js'
import type { Machine } from '../../machine/machine.js'
import type { Answer, Assignment, RefusedError } from './assignment.js'
import { JobRun, type Patience } from './job-run.js'

/**
 * Somebody who runs searches, one at a time.
 *
 * Protocol: it answers `ready` once; then for each `assign` any number of `progress` and one `ended`, or one `refused`,
 * after which it does nothing more. `suspend` asks the search under way to end. `onDeath` is called at most once, when
 * it will not answer any more though nobody closed it.
 */
export interface JobWorker {
  /** For people. */
  readonly name: string
  onAnswer: (answer: Answer) => void
  onDeath: (reason: string) => void
  assign(assignment: Assignment): void
  suspend(run: number): void
  close(): void
}

/** Whether an error thrown while running is the program's doing. */
export type IsProgramError = (error: unknown) => boolean

/** Works in this thread, on a machine that is there already: for what is done before a thread would have started. */
export function localWorker(
  machine: Machine,
  isProgramError: IsProgramError,
  patience?: Patience,
): JobWorker {
  let current: { run: number; job: JobRun } | null = null
  let isClosed = false
  const worker: JobWorker = {
    name: 'this thread',
    onAnswer: () => {},
    onDeath: () => {},
    assign(assignment) {
      const job = new JobRun(
        machine,
        assignment,
        (answer) => {
          if (!isClosed) worker.onAnswer(answer)
        },
        patience,
      )
      current = { run: assignment.run, job }
      job.run().catch((error: unknown) => {
        if (!isClosed) worker.onAnswer({ kind: 'refused', error: refusedError(error, isProgramError) })
      })
    },
    suspend(run) {
      if (current?.run === run) current.job.suspend()
    },
    close() {
      isClosed = true
      current?.job.suspend()
    },
  }
  setImmediate(() => {
    if (!isClosed) worker.onAnswer({ kind: 'ready' })
  })
  return worker
}

export function refusedError(error: unknown, isProgramError: IsProgramError): RefusedError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const isTheirs = isProgramError(error)
  const isOurs = !isTheirs && name !== NondeterminismError.name
  return { name, message: isOurs ? (stack ?? message) : message, isProgramError: isTheirs }
}
