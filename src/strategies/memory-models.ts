import type { Machine } from '../machine/machine.js'
import type { MemoryModel } from '../machine/platform.js'
import { isEverywhere, type PointSet } from '../machine/points.js'
import { graphSource } from '../memory/graph-source.js'
import { list } from '../words/words.js'
import { type StrategyEntry, StrategyError } from './registry.js'

/** The memory model that a machine runs its program under. */
export function memoryModelOf({ platform }: Pick<Machine, 'platform'>): MemoryModel {
  return platform?.settings.memoryModel ?? 'sc'
}

/** Explores every schedule at the points in use, one per class where that can be told. */
export function wholeSearch(machine: Machine, points: PointSet = machine.points): string {
  if (memoryModelOf(machine) === 'sc') return 'optimal'
  return graphSource(machine)?.isShownWhole && isEverywhere(points) ? 'graphs:or-dfs' : 'graphs:prefixes'
}

/** Explores every schedule within a bound on preemptions, those with fewer first. */
export function boundedSearch(machine: Machine): string {
  return memoryModelOf(machine) === 'sc' ? 'icb' : 'best-first:pb'
}

/**
 * Refuses a strategy that would leave executions out under the memory model of a machine. Reductions rest on which
 * operations depend on each other under sequential consistency; which value a load may see under another model depends
 * on more than the operations on its location.
 */
export function checkMemoryModel(
  { name, anyMemoryModel, promise }: StrategyEntry,
  { machine, bound }: { readonly machine: Machine; readonly bound?: number | undefined },
  all: readonly StrategyEntry[],
): void {
  const model = memoryModelOf(machine)
  if (model === 'sc' || promise === 'sample' || anyMemoryModel === 'always') return
  if (anyMemoryModel === 'bounded' && bound !== undefined) return
  const namesOf = (isOne: (entry: StrategyEntry) => boolean) =>
    list(
      all.filter(isOne).map((entry) => entry.name),
      'or',
    )
  const which = anyMemoryModel === 'bounded' ? `${name} without --bound` : name
  throw new StrategyError(
    `${which}: its reduction is not known to be right under the memory model ${model}; use ` +
      `${namesOf((entry) => entry.anyMemoryModel === 'always')} to explore every schedule, or ` +
      `${namesOf((entry) => entry.promise === 'sample')} to sample`,
  )
}
