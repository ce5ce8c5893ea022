import { parentPort, workerData } from 'node:worker_threads'
import { frontEndFor } from '../../frontends/registry.js'
import type { Answer, Order } from './assignment.js'
import type { ThreadStart } from './thread-worker.js'
import { localWorker, refusedError } from './worker.js'

/** The thread of a worker: loads the program and does as it is told. */
const port = parentPort
if (port === null) throw new Error('this file is the start of a worker thread')
const { recipe, directory, hash } = workerData as ThreadStart
const tell = (answer: Answer) => port.postMessage(answer)

try {
  const { machine, isProgramError } = await frontEndFor(recipe.files).load(recipe, directory)
  if (machine.hash !== hash) throw new Error('the program changed on disk while it was being checked')
  const worker = localWorker(machine, isProgramError)
  worker.onAnswer = tell
  port.on('message', (order: Order) => {
    if (order.kind === 'assign') worker.assign(order.assignment)
    else worker.suspend(order.run)
  })
} catch (error) {
  tell({ kind: 'refused', error: refusedError(error, () => false) })
}
