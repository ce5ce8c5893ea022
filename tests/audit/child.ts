import { Worker } from 'node:worker_threads'
import { examine, shrinkFor } from './examine.js'
import type { Finding } from './finding.js'
import { nameOf, type Question } from './question.js'
import type { Subject } from './subject.js'

/** What the parent sends: a program to examine, or to shrink for one thing that is wrong with it. */
export type Order =
  | { readonly subject: Subject; readonly questions: readonly Question[] }
  | { readonly subject: Subject; readonly finding: Finding }

/** What it gets: which question is being put, in case no answer comes; then the answer. */
export type Reply = { readonly asking: string } | { readonly answer: unknown }

/** Processor time that the answer to one question may take; by the clock it may be long on a busy computer. */
const patienceSeconds = 30

/**
 * Ends the process when it stays with one question for too long: a search that never looks at its budget leaves no
 * other way. A thread of its own, since this one would be at that question.
 */
const watchdog = `
  const { workerData } = require('node:worker_threads')
  let known = -1
  let since = process.cpuUsage()
  setInterval(() => {
    if (Atomics.load(workerData.asked, 0) !== known) {
      known = Atomics.load(workerData.asked, 0)
      since = process.cpuUsage()
    } else if (process.cpuUsage(since).user > workerData.seconds * 1e6 && known % 2 === 1) process.kill(process.pid, 'SIGKILL')
  }, 500)
`

/** Serves the parent until it goes. */
export function serve(): void {
  // Odd while there is something to do.
  const asked = new Int32Array(new SharedArrayBuffer(4))
  new Worker(watchdog, { eval: true, workerData: { asked, seconds: patienceSeconds } }).unref()
  const send = (reply: Reply) => process.send!(reply)
  process.on('disconnect', () => process.exit())
  process.on('message', async (order: Order) => {
    Atomics.add(asked, 0, 1)
    const onQuestion = (question: Question) => {
      Atomics.add(asked, 0, 2)
      send({ asking: nameOf(question) })
    }
    const answer =
      'questions' in order
        ? await examine(order.subject, order.questions, onQuestion)
        : await shrinkFor(order.subject, order.finding, onQuestion)
    Atomics.add(asked, 0, 1)
    send({ answer })
  })
}
