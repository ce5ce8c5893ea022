import { Worker } from 'node:worker_threads'
import type { Recipe } from '../../frontends/front-end.js'
import type { WorkerCommand, WorkerMessage } from './messages.js'
import type { SearchWorker } from './worker.js'

/** What a worker thread starts with. */
export interface ThreadStart {
  readonly recipe: Recipe
  readonly directory: string
  /** Of the program as the coordinator loaded it: the thread must have the same. */
  readonly hash: string
}

/** Largest heap of a thread: one that grows beyond it ends, and the others go on. */
const heapMegabytes = 4096

/** A worker in a thread of its own, with a machine of its own. */
export function threadWorker(start: ThreadStart, name: string, megabytes = heapMegabytes): SearchWorker {
  const thread = new Worker(new URL('./worker-main.js', import.meta.url), {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    // Colours, exit codes and Ctrl-C are the coordinator's.
    argv: [],
  })
  let isClosed = false
  const lose = (reason: string) => {
    if (isClosed) return
    isClosed = true
    worker.onLost(reason)
  }
  const worker: SearchWorker = {
    name,
    onMessage: () => {},
    onLost: () => {},
    assign: (assignment) => thread.postMessage({ kind: 'assign', assignment } satisfies WorkerCommand),
    suspend: (id) => thread.postMessage({ kind: 'suspend', id } satisfies WorkerCommand),
    answer: (answer) => thread.postMessage({ kind: 'answer', answer } satisfies WorkerCommand),
    close() {
      isClosed = true
      void thread.terminate()
    },
  }
  thread.on('message', (message: WorkerMessage) => {
    if (!isClosed) worker.onMessage(message)
  })
  thread.on('error', (error: NodeJS.ErrnoException) => {
    lose(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it ran out of memory' : (error.message ?? String(error)),
    )
  })
  thread.on('exit', (code) => lose(`its thread ended with code ${code}`))
  return worker
}
