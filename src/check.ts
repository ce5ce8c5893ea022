import { NondeterminismError } from './execution/determinism.js'
import { reading, UserError } from './files/user-error.js'
import { LoadError } from './frontends/front-end.js'
import { checkInputs } from './inputs/check-inputs.js'
import type { InputProgress } from './inputs/progress.js'
import { type RunReportOptions, reportRun } from './reports/build/run.js'
import type { Report } from './reports/report.js'
import type { RunSettings } from './runs/plan.js'
import { Run, type RunControl } from './runs/run.js'
import type { SavedRun } from './runs/saved-run.js'
import { threadWorker } from './runs/workers/thread-worker.js'
import { RefusedByWorker } from './runs/workers/worker.js'

export interface CheckOptions extends RunSettings, RunReportOptions, Omit<RunControl, 'spawn'> {
  readonly budget: RunControl['budget']
  /** Largest heap of each worker thread, in megabytes. */
  readonly workerMemory?: number
  /** Everything in this thread. */
  readonly isThreadless?: boolean
  readonly resumed?: SavedRun | undefined
  /** Called now and then while inputs are explored, too. */
  readonly onInputs?: ((progress: InputProgress) => void) | undefined
}

/** Checks a program and says what is known about it. Failing schedules are on disk when it returns. */
export async function check(options: CheckOptions): Promise<Report> {
  const { program, recipe, directory, workerMemory } = options
  const { machine } = program
  reading('--preempt', () => machine.usePoints(options.points))
  const spawn = options.isThreadless
    ? undefined
    : (name: string) => threadWorker({ recipe, directory, hash: machine.hash }, name, workerMemory)
  const run = new Run(options, { ...options, spawn }, options.resumed)
  try {
    if (program.inputs) return await checkInputs(options, program.inputs)
    return reportRun(run, await run.run(), options)
  } catch (error) {
    throw error instanceof RefusedByWorker ? originalError(error, recipe.files[0]) : error
  }
}

/** An error of a worker, as if it had happened here. */
function originalError({ refused: { fault, name, message } }: RefusedByWorker, file: string): Error {
  switch (fault) {
    case 'program':
      return new LoadError(`${file}: ${message}`)
    case 'nondeterminism':
      return NondeterminismError.saying(message)
    case 'user':
      return new UserError(message)
    case 'internal':
      return Object.assign(new Error(message), { name })
  }
}
