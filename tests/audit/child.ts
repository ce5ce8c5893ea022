import type { Program } from '../../src/frontends/model/program.js'
import { examine, shrinkFor } from './examine.js'
import type { Finding } from './finding.js'
import { nameOf, type Question } from './question.js'

/** What the parent sends: a program to examine, or to shrink for one thing that is wrong with it. */
export type Order =
  | { readonly program: Program; readonly questions: readonly Question[] }
  | { readonly program: Program; readonly finding: Finding }

/** What it gets: which question is being put, in case no answer comes; then the answer. */
export type Reply = { readonly asking: string } | { readonly answer: unknown }

/** Serves the parent until it goes. */
export function serve(): void {
  const send = (reply: Reply) => process.send!(reply)
  process.on('message', async (order: Order) => {
    const answer =
      'questions' in order
        ? await examine(order.program, order.questions, (question) => send({ asking: nameOf(question) }))
        : await shrinkFor(order.program, order.finding)
    send({ answer })
  })
}
