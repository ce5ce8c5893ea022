import { Worker } from 'node:worker_threads'
import type { Recipe } from '../../frontends/front-end.js'
import type { Answer, Order } from './assignment.js'
import type { JobWorker } from './worker.js'

/** What a worker thread starts with. */
export interface ThreadStart {
  readonly recipe: Recipe
  readonly directory: string
  /** Of the program as the coordinator loaded it: the thread must have the same. */
  readonly hash: string
}

/** Largest heap of a thread: one that grows beyond it dies alone. */
const heapMegabytes = 4096

/** A worker in a thread of its own, with a machine of its own. */
export function threadWorker(start: ThreadStart, name: string, megabytes = heapMegabytes): JobWorker {
  const thread = new Worker(new URL('./worker-main.js', import.meta.url), {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    // Colours, exit codes and Ctrl-C are the coordinator's.
    argv: [],
  })
  let isClosed = false
  const die = (reason: string) => {
    if (isClosed) return
    isClosed = true
    worker.onDeath(reason)
  }
  const worker: JobWorker = {
    name,
    onAnswer: () => {},
    onDeath: () => {},
    assign: (assignment) => thread.postMessage({ kind: 'assign', assignment } satisfies Order),
    suspend: (run) => thread.postMessage({ kind: 'suspend', run } satisfies Order),
    close() {
      isClosed = true
      void thread.terminate()
    },
  }
  thread.on('message', (answer: Answer) => {
    if (!isClosed) worker.onAnswer(answer)
  })
  thread.on('error', (error: NodeJS.ErrnoException) => {
    die(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it ran out of memory' : (error.message ?? String(error)))
  })
  thread.on('exit', (code) => die(`its thread ended with code ${code}`))
  return worker
}
