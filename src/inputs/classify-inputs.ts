import type { RacesReport } from '../classify/report.js'
import type { LoadedProgram, Recipe } from '../frontends/front-end.js'
import { frontEndFor } from '../frontends/registry.js'
import { withInputs } from '../frontends/symbolic-program.js'
import { Budget } from '../runs/budget.js'
import type { InputControl } from '../symbolic/input-control.js'
import { collectInputs } from './collect-inputs.js'
import { mergeRaces, type WithInput } from './merge-races.js'
import { writtenInput } from './written-input.js'

/** Inputs that are looked at, and executions in which each shows what it decides. */
const MOST_INPUTS = 16
const EXECUTIONS = 100
/** Part of the budget that goes into finding inputs. */
const searchShare = 0.3

/** How the races of a program with a given input are found and classified, within some seconds. */
export type ClassifyOne = (program: LoadedProgram, recipe: Recipe, seconds: number) => RacesReport

/** What races do, over several inputs: each is classified with the program compiled and its input given. */
export async function classifyInputs(
  { program, recipe, directory }: { program: LoadedProgram; recipe: Recipe; directory: string },
  inputs: InputControl,
  seconds: number,
  classify: ClassifyOne,
): Promise<RacesReport> {
  const budget = new Budget(seconds)
  const collected = await collectInputs(program.machine, inputs, {
    most: MOST_INPUTS,
    executions: EXECUTIONS,
    isOver: () => budget.elapsedSeconds >= seconds * searchShare,
  })
  const found: WithInput[] = []
  for (const [i, input] of collected.inputs.entries()) {
    if (found.length > 0 && budget.isSpent) break
    const written = writtenInput(inputs, input)
    const own = withInputs(recipe, written)
    const compiled = await frontEndFor(own.files).load(own, directory)
    const share = budget.remainingSeconds / (collected.inputs.length - i)
    found.push({ report: classify(compiled, own, share), input: written })
  }
  return mergeRaces(found, {
    seconds: budget.elapsedSeconds,
    isOutOfTime: budget.isSpent,
    hasMoreInputs: collected.hasMore || found.length < collected.inputs.length,
  })
}
