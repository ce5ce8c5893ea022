import { pathToFileURL } from 'node:url'
import { StrategyError } from '../registry.js'
import type { PriorityFunction } from './branch.js'

/** Priority functions of the user's own: the exports of a module, by their names. */
export async function loadPriorities(path: string): Promise<Readonly<Record<string, PriorityFunction>>> {
  let module: Record<string, unknown>
  try {
    module = await import(pathToFileURL(path).href)
  } catch (error) {
    throw new StrategyError(`--priorities ${path}: ${(error as Error).message}`)
  }
  const functions = Object.entries(module).filter(([name]) => name !== 'default')
  if (functions.length === 0) {
    throw new StrategyError(
      `--priorities ${path}: it exports nothing; write export const mine = { levels, priority }`,
    )
  }
  return Object.fromEntries(functions.map(([name, value]) => [name, checked(name, value, path)]))
}

function checked(name: string, value: unknown, path: string): PriorityFunction {
  const given = value as Partial<PriorityFunction> | null
  const isRight =
    typeof given === 'object' &&
    given !== null &&
    typeof given.levels === 'number' &&
    typeof given.priority === 'function' &&
    (given.tag === undefined || typeof given.tag === 'function')
  if (!isRight) {
    throw new StrategyError(
      `--priorities ${path}: ${name} is no priority function; write { levels: 3, priority: (branch) => 0 }, ` +
        'where 0 is the most promising of the levels',
    )
  }
  const own = given as PriorityFunction
  return {
    levels: own.levels,
    ...(own.footprints === undefined ? {} : { footprints: own.footprints }),
    ...(own.tag === undefined ? {} : { tag: blaming(name, path, own.tag.bind(own)) }),
    priority: blaming(name, path, own.priority.bind(own)),
    // What the argument calls it is its name, whatever it calls itself.
    name,
  }
}

/** An error inside the function is the user's to mend, not ours. */
function blaming<A extends unknown[]>(name: string, path: string, call: (...args: A) => number) {
  return (...args: A): number => {
    try {
      return call(...args)
    } catch (error) {
      throw new StrategyError(`--priorities ${path}: ${name} threw ${(error as Error).message}`)
    }
  }
}
