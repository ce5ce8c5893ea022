import { type ChildProcess, fork } from 'node:child_process'
import type { Program } from '../../src/frontends/model/program.js'
import type { Order, Reply } from './child.js'
import type { Examined } from './examine.js'
import type { Finding } from './finding.js'
import type { Question } from './question.js'

/** A search that goes on without a look at its budget can only be ended from outside. */
const patienceMs = 30_000

/** No answer came; the process was stopped. */
export class Hang {
  constructor(readonly question: string) {}
}

/** A process that examines programs, replaced when it does not answer. */
export class Examiner {
  private child: ChildProcess | null = null

  constructor(private readonly script: string) {}

  examine(program: Program, questions: readonly Question[]): Promise<Examined | null | Hang> {
    return this.send({ program, questions })
  }

  shrink(program: Program, finding: Finding): Promise<Program | Hang> {
    return this.send({ program, finding })
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
      const giveUp = () => {
        this.stop()
        finish(() => resolve(new Hang(asking)))
      }
      let timer = setTimeout(giveUp, patienceMs)
      const onMessage = (reply: Reply) => {
        if ('answer' in reply) return finish(() => resolve(reply.answer as T))
        asking = reply.asking
        clearTimeout(timer)
        timer = setTimeout(giveUp, patienceMs)
      }
      const onExit = (code: number | null) =>
        finish(() => reject(new Error(`an examiner ended with ${code}`)))
      const finish = (settle: () => void) => {
        clearTimeout(timer)
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
