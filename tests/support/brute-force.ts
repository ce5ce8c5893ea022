import type { Runner } from '../../src/execution/runner.js'
import { type ChoicePoint, emptyScript, type Strategy } from '../../src/execution/strategy.js'
import type { Machine } from '../../src/machine/machine.js'
import { type Engine, engine } from './engine.js'

/** Everything a search reached, in forms that can be compared between searches. */
export interface Reached {
  /** Executions that ran to an end, not counting reruns. */
  executions: number
  blocked: number
  /** Executions cut for their length. */
  cut: number
  exhausted: boolean
  /** How many threads at most had not ended, and could not go on, when the program did. */
  unfinished: number
  /** How often each happens-before class was executed. */
  classes: Map<string, number>
  /** Those of them in which a thread failed. */
  failed: Set<string>
  /** Smallest number of preemptions seen for each class. */
  preemptions: Map<string, number>
  /** Smallest number of delays seen for each class; filled by `bruteForce` only. */
  delays: Map<string, number>
  /** Final states of executions that completed. */
  finalStates: Set<string>
  /** Bugs: kind, thread, place and message; those that are a state (deadlock, at-end check) with that state. */
  bugs: Set<string>
  /** Smallest number of preemptions seen for each final state and bug. */
  endPreemptions: Map<string, number>
  /** The same of delays; filled by `bruteForce` only. */
  endDelays: Map<string, number>
}

/** What an execution came to: a bug by what it is, anything else by the state it leaves. */
export function endOf({ machine, bug, status }: Runner): { isBug: boolean; text: string } {
  if (bug === null) return { isBug: false, text: machine.finalState() }
  const site = bug.site >= 0 ? machine.sites[bug.site].name : ''
  const thread = bug.thread >= 0 ? machine.threads.names[bug.thread] : ''
  const text = `${bug.kind} ${thread} ${site} ${bug.message}`
  return { isBug: true, text: status === 'failed' ? text : `${text}\n${machine.finalState()}` }
}

function keepSmallest(map: Map<string, number>, key: string, value: number): void {
  if (value < (map.get(key) ?? Infinity)) map.set(key, value)
}

export function nothingReached(): Reached {
  return {
    executions: 0,
    blocked: 0,
    cut: 0,
    exhausted: false,
    unfinished: 0,
    classes: new Map(),
    failed: new Set(),
    preemptions: new Map(),
    delays: new Map(),
    finalStates: new Set(),
    bugs: new Set(),
    endPreemptions: new Map(),
    endDelays: new Map(),
  }
}

/** Runs a strategy to its end, or to the limit, and notes all it reaches. */
export function reach(
  machine: Machine,
  strategy: Strategy & { delays?: number },
  limit = 100_000,
  tested: Engine = engine,
): Reached {
  const reached = nothingReached()
  reachMore(reached, machine, strategy, limit, tested)
  return reached
}

/** Goes on with a search, up to `limit` executions more, and adds what it reaches. */
export function reachMore(
  reached: Reached,
  machine: Machine,
  strategy: Strategy & { delays?: number },
  limit: number,
  { explore, Fingerprint }: Engine = engine,
): void {
  const fingerprint = new Fingerprint(machine)
  let looks = 0
  const result = explore({
    machine,
    strategy,
    keepGoing: true,
    maxExecutions: limit,
    maxSteps: 400,
    // Reruns do not count as executions: a search that does nothing else has to be stopped too.
    outOfTime: () => ++looks > limit + 1000,
    observers: [{ footprints: true }],
    onExecution(runner) {
      if (runner.status === 'blocked' || runner.status === 'cut') return
      const text = fingerprint.of(runner.trace, runner.status)
      const { preemptions } = runner.trace
      reached.unfinished = Math.max(reached.unfinished, runner.unfinished)
      if (runner.status === 'failed') reached.failed.add(text)
      reached.classes.set(text, (reached.classes.get(text) ?? 0) + 1)
      keepSmallest(reached.preemptions, text, preemptions)
      if (strategy.delays !== undefined) keepSmallest(reached.delays, text, strategy.delays)
      const end = endOf(runner)
      const ends = end.isBug ? reached.bugs : reached.finalStates
      ends.add(end.text)
      keepSmallest(reached.endPreemptions, end.text, preemptions)
      if (strategy.delays !== undefined) keepSmallest(reached.endDelays, end.text, strategy.delays)
    },
  })
  reached.executions += result.executions
  reached.blocked += result.blocked
  reached.cut += result.cut
  reached.exhausted = result.exhausted
}

/**
 * All interleavings, as plainly as can be: no script, nothing shared with the strategies under test. Counts the
 * delays of each execution against a round-robin scheduler, written anew here from its definition.
 */
class Enumeration implements Strategy {
  readonly name = 'enumeration'
  readonly footprints = true
  readonly script = emptyScript
  delays = 0
  private readonly path: { option: number; count: number }[] = []
  private started = false

  begin(): boolean {
    this.delays = 0
    if (!this.started) {
      this.started = true
      return true
    }
    for (let last = this.path.pop(); last; last = this.path.pop()) {
      if (last.option + 1 === last.count) continue
      this.path.push({ option: last.option + 1, count: last.count })
      return true
    }
    return false
  }

  choose(point: ChoicePoint): number {
    const { depth } = point
    if (depth === this.path.length) this.path.push({ option: 0, count: point.count })
    const { option } = this.path[depth]
    this.delays += this.delaysOf(point, point.thread[option])
    return option
  }

  end(): void {}

  save() {
    return {}
  }

  /** Enabled threads passed over, going round from the one the scheduler would take. */
  private delaysOf(point: ChoicePoint, chosen: number): number {
    const enabled = [...new Set(point.thread.subarray(0, point.count))].sort((a, b) => a - b)
    // Who would end the program has waited for all others to be done: it does not go on by itself.
    const goesOn = point.stay >= 0 && !point.voluntary
    const later = enabled.filter((t) => (goesOn ? t >= point.previous : t > point.previous))
    const round = [...later, ...enabled.filter((t) => !later.includes(t))]
    return round.indexOf(chosen)
  }
}

/** All interleavings of a small program, grouped into classes; null when there are more than the limit. */
export function bruteForce(machine: Machine, limit = 20_000): Reached | null {
  const reached = reach(machine, new Enumeration(), limit)
  return reached.exhausted ? reached : null
}
