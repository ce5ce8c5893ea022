import type { Program } from '../../src/frontends/model/program.js'
import type { Machine } from '../../src/machine/machine.js'
import { everywhere } from '../../src/machine/points.js'
import type { Board } from '../../src/runs/board.js'
import { Budget } from '../../src/runs/budget.js'
import { evidenceOf } from '../../src/runs/evidence.js'
import type { RunSettings } from '../../src/runs/plan.js'
import { Run, type RunControl } from '../../src/runs/run.js'
import type { StopReason } from '../../src/runs/search.js'
import { isWhole } from '../../src/runs/search-record.js'
import { judge } from '../../src/runs/verdict.js'
import { engine } from '../support/engine.js'

export interface Deepened {
  readonly run: Run
  readonly board: Board
  readonly machine: Machine
  readonly stopped: StopReason
  /** The maximal state space was explored and nothing was left out. */
  readonly isWhole: boolean
  readonly verdict: string
  readonly finalStates: Set<string>
  /** By kind and place, or message where there is no place. */
  readonly bugs: Set<string>
}

type Options = Partial<Pick<RunSettings, 'races' | 'keepGoing' | 'maxSteps'> & RunControl>

/** Runs Iterative Deepening on a model program in this thread, to its end, past bugs, with nothing alongside it. */
export function deepen(program: Program, options: Options = {}): Promise<Deepened> {
  return deepenMachine(engine.modelMachine(program), options)
}

export async function deepenMachine(machine: Machine, options: Options = {}): Promise<Deepened> {
  const finalStates = new Set<string>()
  const checkEnd = machine.checkEnd.bind(machine)
  machine.checkEnd = () => {
    const bug = checkEnd()
    if (bug === null) finalStates.add(machine.finalState())
    return bug
  }
  const { races = 'pure', keepGoing = true, maxSteps = 400, ...control } = options
  const run = new Run(
    {
      program: { machine, scope: [], isProgramError: () => false },
      recipe: { files: ['program.json'] },
      directory: '.',
      strategy: 'deepen',
      points: everywhere,
      order: 'stay',
      seed: 1,
      selfCheck: 0,
      races,
      keepGoing,
      maxSteps,
    },
    { budget: new Budget(Infinity), workers: 1, hasBackgrounds: false, ...control },
  )
  const stopped = await run.run()
  const { board } = run.deepening!
  return {
    run,
    board,
    machine,
    stopped,
    isWhole: isWhole(board.maximal),
    verdict: judge(evidenceOf(run, stopped)).verdict,
    finalStates,
    bugs: new Set(run.bugs.map(({ found }) => `${found.kind} ${found.site ?? found.message}`)),
  }
}
