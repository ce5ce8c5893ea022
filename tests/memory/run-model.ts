import type { Program } from '../../src/frontends/model/program.js'
import type { MemoryModel } from '../../src/machine/platform.js'
import { type Engine, engine } from '../support/engine.js'
import { type Threads, toProgram } from './litmus-text.js'

export interface Explored {
  readonly outcomes: ReadonlySet<string>
  readonly executions: number
  readonly blocked: number
  readonly isRacy: boolean
}

/** Explores a program without branches; outcomes read as those of the enumerator. */
export function exploreModel(
  threads: Threads,
  memoryModel: MemoryModel,
  strategy = 'dfs',
  by = engine,
): Explored {
  return exploreProgram(toProgram(threads), memoryModel, strategy, by)
}

export function exploreProgram(
  program: Program,
  memoryModel: MemoryModel,
  strategy: string,
  { modelMachine, createStrategy, explore }: Engine = engine,
): Explored {
  const machine = modelMachine(program)
  machine.platform!.use({ memoryModel })
  const outcomes = new Set<string>()
  let isRacy = false
  const { executions, blocked } = explore({
    machine,
    strategy: createStrategy(strategy, { machine }),
    keepGoing: true,
    onExecution: ({ bug, status }) => {
      if (status === 'blocked') return
      if (bug === null) outcomes.add(outcomeOf(machine.finalState()))
      else if (bug.kind === 'data-race') isRacy = true
      else throw new Error(bug.message)
    },
  })
  return { outcomes, executions, blocked, isRacy }
}

function outcomeOf(state: string): string {
  const parts: string[] = []
  for (const line of state.split('\n')) {
    const variable = /^(\w+) = (-?\d+)$/.exec(line)
    if (variable) parts.push(`${variable[1]}=${variable[2]}`)
    const thread = /^thread (\d+): done(?:; (.*))?$/.exec(line)
    if (thread?.[2]) for (const register of thread[2].split(' ')) parts.push(`${thread[1]}:${register}`)
  }
  return parts.sort().join(' ')
}
