import type { Program } from '../../src/frontends/model/program.js'
import { everywhere, isEverywhere, type PointSet } from '../../src/machine/points.js'
import { bruteForce, type Reached, reach } from '../support/brute-force.js'
import { type Engine, engine } from '../support/engine.js'

/** Brute force of a program under a PP set; null when there are too many interleavings. */
export function truth(program: Program, points: PointSet = everywhere, limit = 4_000): Reached | null {
  const machine = engine.modelMachine(program)
  machine.usePoints(points)
  return bruteForce(machine, limit)
}

/**
 * What is wrong with a strategy's exploration of a program, compared with the truth; null when nothing is. Final
 * states, deadlocks, failures and outputs must be the same; with every access a point also the classes, and each of
 * them once for `optimal`; bounded searches must find each class at its smallest bound.
 */
export function compare(
  spec: string,
  program: Program,
  all: Reached,
  points: PointSet = everywhere,
  tested: Engine = engine,
): string | null {
  const machine = tested.modelMachine(program)
  machine.usePoints(points)
  const strategy = tested.createStrategy(spec, { machine })
  const found = reach(machine, strategy, 60_000, tested)
  if (!found.exhausted) return `${spec}: does not end`
  const difference = (kind: string, a: Iterable<string>, b: { has(key: string): boolean }) => {
    const lost = [...a].filter((key) => !b.has(key))
    return lost.length === 0 ? null : `${spec}: ${lost.length} ${kind}, for example ${lost[0]}`
  }
  return (
    difference('final states lost', all.finalStates, found.finalStates) ??
    difference('bugs lost', all.bugs, found.bugs) ??
    difference('final states that do not exist', found.finalStates, all.finalStates) ??
    difference('bugs that do not exist', found.bugs, all.bugs) ??
    (isEverywhere(points) ? compareClasses(spec, all, found) : null)
  )
}

function compareClasses(spec: string, all: Reached, found: Reached): string | null {
  for (const key of all.classes.keys()) if (!found.classes.has(key)) return `${spec}: class ${key} lost`
  for (const key of found.classes.keys())
    if (!all.classes.has(key)) return `${spec}: class ${key} does not exist`
  if (spec === 'optimal') {
    for (const [key, times] of found.classes)
      if (times > 1) return `optimal: class ${key} explored ${times} times`
    if (found.blocked > 0 && all.failed.size === 0) return `optimal: ${found.blocked} blocked executions`
  }
  if (spec === 'icb') {
    for (const [key, least] of all.preemptions) {
      const at = found.preemptions.get(key)
      if (at !== least)
        return `icb: class ${key} has an order with ${least} preemptions but was found with ${at}`
    }
  }
  return null
}

/** Delay bounding: with bound k exactly the classes that have an execution with at most k delays. */
export function compareDelays(program: Program, all: Reached, tested: Engine = engine): string | null {
  const most = Math.max(...all.delays.values())
  for (let bound = 0; bound <= Math.min(most + 1, 4); bound++) {
    const machine = tested.modelMachine(program)
    const found = reach(machine, tested.createStrategy('delay', { machine, bound }), 60_000, tested)
    for (const [key, least] of all.delays) {
      if (least <= bound !== found.classes.has(key)) {
        return `delay, bound ${bound}: class ${key} needs ${least} delays, ${least <= bound ? 'lost' : 'found'}`
      }
    }
  }
  return null
}
