import type { Saved, Strategy } from '../../src/execution/strategy.js'
import type { Program } from '../../src/frontends/model/program.js'
import { isEverywhere, type PointSet } from '../../src/program/points.js'
import { bruteForce, nothingReached, type Reached, reach, reachMore } from '../support/brute-force.js'
import { type Engine, engine } from '../support/engine.js'

/** What a strategy got wrong, by kind. */
export type Fault =
  | 'final states lost'
  | 'bugs lost'
  | 'classes lost'
  | 'invented'
  | 'not at its smallest bound'
  | 'does not end'
  | 'throws'
  | 'explored twice'
  | 'blocked'

export interface Finding {
  readonly strategy: string
  readonly fault: Fault
  readonly text: string
}

export interface Question {
  readonly program: Program
  readonly points: PointSet
  /** A strategy with its argument. */
  readonly strategy: string
  /** Save, and read back in a fresh machine, after so many executions. */
  readonly interval?: number | undefined
}

/** Brute force; null when there are too many executions, or some too long. */
export function truth(program: Program, points: PointSet, limit = 20_000): Reached | null {
  const machine = engine.modelMachine(program)
  machine.usePoints(points)
  const all = bruteForce(machine, limit)
  return all === null || all.cut > 0 ? null : all
}

/** Compares a strategy's exploration with brute force in everything that it promises. */
export function judge(question: Question, all: Reached, tested: Engine = engine): Finding[] {
  const { strategy, points } = question
  const finding = (fault: Fault, text: string): Finding => ({ strategy, fault, text })
  try {
    if (strategy === 'delay') return isEverywhere(points) ? judgeDelays(question, all, tested) : []
    const found = search(question, limitOf(strategy, all), undefined, tested)
    if (!found.exhausted)
      return [finding('does not end', `${found.executions} + ${found.blocked} executions`)]
    const findings: Finding[] = []
    const compare = (
      fault: Fault,
      expected: Iterable<string>,
      got: { has(key: string): boolean },
      of: string,
    ) => {
      const lost = [...expected].filter((key) => !got.has(key))
      if (lost.length > 0) findings.push(finding(fault, `${lost.length} ${of}, for example ${lost[0]}`))
    }
    compare(
      'final states lost',
      all.finalStates,
      found.finalStates,
      `of ${all.finalStates.size} final states`,
    )
    compare('bugs lost', all.bugs, found.bugs, `of ${all.bugs.size} bugs`)
    compare('invented', found.finalStates, all.finalStates, 'final states')
    compare('invented', found.bugs, all.bugs, 'bugs')
    if (isEverywhere(points)) {
      compare('classes lost', all.classes.keys(), found.classes, `of ${all.classes.size} classes`)
      compare('invented', found.classes.keys(), all.classes, 'classes')
      if (strategy === 'optimal') findings.push(...judgeOptimality(found, all))
    }
    if (strategy === 'icb') findings.push(...judgeBounds(found, all, isEverywhere(points)))
    return findings
  } catch (error) {
    return [finding('throws', String(error))]
  }
}

/** Executions of a search are distinct, so there are no more than brute force has; bounds go over them again. */
function limitOf(strategy: string, all: Reached): number {
  return strategy === 'icb' || strategy === 'delay' ? 60_000 : all.executions + 50
}

function judgeOptimality(found: Reached, all: Reached): Finding[] {
  const findings: Finding[] = []
  const twice = [...found.classes.values()].reduce((sum, times) => sum + times - 1, 0)
  const add = (fault: Fault, text: string) => findings.push({ strategy: 'optimal', fault, text })
  if (twice > 0) add('explored twice', `${found.executions} executions of ${all.classes.size} classes`)
  if (found.blocked > 0) add('blocked', `${found.blocked} of ${found.executions} executions`)
  return findings
}

function judgeBounds(found: Reached, all: Reached, byClass: boolean): Finding[] {
  const findings: Finding[] = []
  const compare = (least: Map<string, number>, at: Map<string, number>, of: string) => {
    for (const [key, bound] of least) {
      if (!at.has(key) || at.get(key) === bound) continue
      const text = `${of} ${key} needs ${bound} preemptions, found with ${at.get(key)}`
      findings.push({ strategy: 'icb', fault: 'not at its smallest bound', text })
      return
    }
  }
  compare(all.bugPreemptions, found.bugPreemptions, 'bug')
  if (byClass) compare(all.preemptions, found.preemptions, 'class')
  return findings
}

/** With bound k exactly the classes that have an execution with at most k delays. */
function judgeDelays(question: Question, all: Reached, tested: Engine): Finding[] {
  const most = Math.max(...all.delays.values())
  for (let bound = 0; bound <= Math.min(most, 4); bound++) {
    const found = search(question, 60_000, bound, tested)
    for (const [key, least] of all.delays) {
      if (least <= bound === found.classes.has(key)) continue
      const fault = least <= bound ? 'classes lost' : 'invented'
      return [{ strategy: 'delay', fault, text: `class ${key} needs ${least} delays, bound ${bound}` }]
    }
  }
  return []
}

/** Explores, in one piece or with a search saved and read back now and then. */
function search(question: Question, limit: number, bound: number | undefined, tested: Engine): Reached {
  const { program, points, strategy: spec, interval } = question
  let machine = tested.modelMachine(program)
  machine.usePoints(points)
  let strategy: Strategy = tested.createStrategy(spec, { machine, bound })
  if (interval === undefined) return reach(machine, strategy, limit, tested)
  const reached = nothingReached()
  while (reached.executions + reached.blocked < limit) {
    reachMore(reached, machine, strategy, interval, tested)
    if (reached.exhausted) break
    const saved = JSON.parse(JSON.stringify(strategy.save())) as Saved
    const threads = [...machine.threads.names]
    const locations = machine.locations.entries()
    const fresh = tested.modelMachine(program)
    fresh.usePoints(points)
    const threadMap = fresh.threads.preload(threads)
    const locationMap = fresh.locations.preload(locations)
    strategy = tested.loadStrategy(spec, saved, {
      machine: fresh,
      order: 'stay',
      bound,
      threadHere: (t) => threadMap[t],
      locationHere: (l) => locationMap[l],
    })
    machine = fresh
  }
  return reached
}
