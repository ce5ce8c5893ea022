import type { Program } from '../../src/frontends/model/program.js'
import type { BestFirstStrategy } from '../../src/strategies/best-first/best-first.js'
import { type Reached, reach } from '../support/brute-force.js'
import { type Engine, engine } from '../support/engine.js'

/** Every priority function alone and some combinations; random programs have threads t0, t1, … and variables x, y. */
export const orders = [
  '',
  'pb',
  'dpor',
  'mdpor',
  'ss',
  'rand',
  'method(t0|t1)',
  'var(x|m)',
  'mdpor,pb',
  'ss,mdpor',
  'ss,dpor,rand',
  'var(y),method(t1),rand',
]

export const unpruned = ['no-sleep', 'no-sleep,rand', 'no-sleep,mdpor,pb']

/** More executions than any program has interleavings here: a search that goes on is broken. */
const limit = 5_000

export function search(spec: string, program: Program, tested: Engine, bound?: number, seed = 1) {
  const machine = tested.modelMachine(program)
  const strategy = tested.createStrategy(spec, { machine, bound, seed }) as BestFirstStrategy
  const schedules = new Set<string>()
  const end = strategy.end.bind(strategy)
  strategy.end = (trace, status) => {
    schedules.add(`${trace.thread.subarray(0, trace.length)} ${trace.value.subarray(0, trace.length)}`)
    end(trace, status)
  }
  return { machine, strategy, schedules, found: reach(machine, strategy, limit, tested) }
}

type Searched = ReturnType<typeof search>

function differ(
  kind: string,
  expected: Iterable<string>,
  found: { has(key: string): boolean },
): string | null {
  const lost = [...expected].filter((key) => !found.has(key))
  return lost.length === 0 ? null : `${lost.length} ${kind}, for example ${lost[0]}`
}

function checkTree({ strategy, found, schedules }: Searched): string | null {
  const { live, created, peak, records, bytesPerNode } = strategy.tree
  if (!found.exhausted) return 'does not end'
  if (live !== 0 || records !== 0) return `${live} nodes and ${records} records are left over`
  if (created !== found.executions + found.blocked)
    return `${created} nodes for ${found.executions} executions and ${found.blocked} blocked ones`
  if (schedules.size < created) return `${created - schedules.size} executions run again`
  if (peak < 1 || peak > created || bytesPerNode !== 16) return `a peak of ${peak} of ${created} nodes`
  return null
}

/** What is wrong with a search over partial-order reduction, compared with brute force; null when nothing is. */
export function compareReduced(
  order: string,
  program: Program,
  all: Reached,
  tested = engine,
): string | null {
  const spec = order === '' ? 'best-first' : `best-first:${order}`
  const searched = search(spec, program, tested)
  const { found } = searched
  const wrong =
    checkTree(searched) ??
    differ('classes lost', all.classes.keys(), found.classes) ??
    differ('classes that do not exist', found.classes.keys(), all.classes) ??
    differ('final states lost', all.finalStates, found.finalStates) ??
    differ('bugs lost', all.bugs, found.bugs) ??
    differ('bugs that do not exist', found.bugs, all.bugs)
  return wrong === null ? null : `${spec}: ${wrong}`
}

/** The same within a preemption bound: exactly the classes of that bound, and every execution within it once. */
export function compareBounded(
  order: string,
  program: Program,
  all: Reached,
  bound: number,
  tested = engine,
): string | null {
  const spec = order === '' ? 'best-first' : `best-first:${order}`
  const searched = search(spec, program, tested, bound)
  const { found, strategy } = searched
  const within = new Set([...all.preemptions].filter(([, least]) => least <= bound).map(([key]) => key))
  const most = Math.max(...found.preemptions.values())
  const wrong =
    checkTree(searched) ??
    differ('classes lost', within, found.classes) ??
    differ('classes beyond the bound', found.classes.keys(), within) ??
    (most > bound ? `an execution with ${most} preemptions` : null) ??
    (found.blocked > 0 ? `${found.blocked} executions pruned` : null) ??
    ((strategy.completedBound ?? -1) < bound ? `completed bound ${strategy.completedBound}` : null) ??
    (strategy.completedBound === Infinity && found.executions !== all.executions
      ? `says that nothing was left out: ${found.executions} of ${all.executions}`
      : null)
  return wrong === null ? null : `${spec} --bound ${bound}: ${wrong}`
}
