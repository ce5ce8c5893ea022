import { type ChildProcess, fork } from 'node:child_process'
import type { Order, Reply } from './child.js'
import type { Examined } from './examine.js'
import type { Finding } from './finding.js'
import type { Question } from './question.js'
import type { Subject } from './subject.js'

/** No answer came, and the process ended itself. */
export class Hang {
  constructor(readonly question: string) {}
}

/** A process that examines programs, replaced when it does not answer. */
export class Examiner {
  private child: ChildProcess | null = null

  constructor(private readonly script: string) {}

  examine(subject: Subject, questions: readonly Question[]): Promise<Examined | null | Hang> {
    return this.send({ subject, questions })
  }

  shrink(subject: Subject, finding: Finding): Promise<Subject | Hang> {
    return this.send({ subject, finding })
  }

  stop(): void {
    this.child?.kill('SIGKILL')
    this.child = null
  }

  private send<T>(order: Order): Promise<T | Hang> {
    this.child ??= fork(this.script, ['--child'])
    const child = this.child
    return new Promise((resolve, reject) => {
      let asking = ''
      const onMessage = (reply: Reply) => {
        if ('answer' in reply) finish(() => resolve(reply.answer as T))
        else asking = reply.asking
      }
      const onExit = (code: number | null, signal: string | null) => {
        this.child = null
        finish(() =>
          signal === 'SIGKILL'
            ? resolve(new Hang(asking))
            : reject(new Error(`an examiner ended with ${code}`)),
        )
      }
      const finish = (settle: () => void) => {
        child.off('message', onMessage)
        child.off('exit', onExit)
        settle()
      }
      child.on('message', onMessage)
      child.on('exit', onExit)
      child.send(order)
    })
  }
}
