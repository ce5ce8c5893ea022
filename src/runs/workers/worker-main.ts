import { parentPort, workerData } from 'node:worker_threads'
import { frontEndFor } from '../../frontends/registry.js'
import type { WorkerCommand, WorkerMessage } from './messages.js'
import type { ThreadStart } from './thread-worker.js'
import { localWorker, workerError } from './worker.js'

/** The thread of a worker: loads the program and does as it is told. */
const port = parentPort
if (port === null) throw new Error('this file is the start of a worker thread')
const { recipe, directory, hash } = workerData as ThreadStart
const send = (message: WorkerMessage) => port.postMessage(message)

try {
  const { machine, isProgramError } = await frontEndFor(recipe.files).load(recipe, directory)
  if (machine.hash !== hash) throw new Error('the program changed on disk while it was being checked')
  const worker = localWorker(machine, isProgramError)
  worker.onMessage = send
  port.on('message', (command: WorkerCommand) => {
    if (command.kind === 'assign') worker.assign(command.assignment)
    else if (command.kind === 'answer') worker.answer(command.answer)
    else worker.suspend(command.id)
  })
} catch (error) {
  send({ kind: 'refused', error: workerError(error, () => false) })
}
