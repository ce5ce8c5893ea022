import type { Program } from '../../src/frontends/model/program.js'
import type { Machine } from '../../src/machine/machine.js'
import { judgeDeepening } from '../../src/runs/deepening/answer.js'
import { Deepening, type DeepenOptions, type DeepenStop } from '../../src/runs/deepening/deepen.js'
import { isWhole } from '../../src/runs/deepening/job.js'
import { engine } from '../support/engine.js'

export interface Deepened {
  readonly run: Deepening
  readonly machine: Machine
  readonly stopped: DeepenStop
  /** The maximal state space was explored and nothing was left out. */
  readonly isWhole: boolean
  readonly verdict: string
  readonly finalStates: Set<string>
  /** By kind and place, or message where there is no place. */
  readonly bugs: Set<string>
}

/** Runs Iterative Deepening on a model program in this thread, to its end, past bugs, with nothing beside it. */
export function deepen(program: Program, options: Partial<DeepenOptions> = {}): Promise<Deepened> {
  return deepenMachine(engine.modelMachine(program), options)
}

export async function deepenMachine(
  machine: Machine,
  options: Partial<DeepenOptions> = {},
): Promise<Deepened> {
  const finalStates = new Set<string>()
  const checkEnd = machine.checkEnd.bind(machine)
  machine.checkEnd = () => {
    const bug = checkEnd()
    if (bug === null) finalStates.add(machine.finalState())
    return bug
  }
  const run = new Deepening({
    machine,
    isProgramError: () => false,
    workers: 1,
    races: 'pure',
    strategy: 'deepen',
    seed: 1,
    keepGoing: true,
    selfCheck: 0,
    hasBackground: false,
    timeLeft: () => Infinity,
    maxSteps: 400,
    ...options,
  })
  const stopped = await run.run()
  return {
    run,
    machine,
    stopped,
    isWhole: isWhole(run.board.maximal),
    verdict: judgeDeepening(run, stopped, options.maxSteps ?? 400, false).verdict,
    finalStates,
    bugs: new Set(run.bugs.map(({ shown }) => `${shown.kind} ${shown.site ?? shown.message}`)),
  }
}
