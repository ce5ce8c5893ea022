import { explore } from '../../src/execution/explore.js'
import type { Runner } from '../../src/execution/runner.js'
import type { Strategy } from '../../src/execution/strategy.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import type { Machine } from '../../src/program/machine.js'
import { createStrategy } from '../../src/strategies/index.js'

/** Everything a search reached, in forms that can be compared between searches. */
export interface Reached {
  /** Executions that ran to an end, not counting reruns. */
  executions: number
  blocked: number
  exhausted: boolean
  /** How often each happens-before class was executed. */
  classes: Map<string, number>
  /** Smallest number of preemptions seen for each class. */
  preemptions: Map<string, number>
  /** Final states of executions that completed. */
  finalStates: Set<string>
  /** Bugs: kind, message and, for those not tied to the moment, the state they leave. */
  bugs: Set<string>
}

/** What an execution came to: a bug by what it is, anything else by the state it leaves. */
function outcome(runner: Runner): { bug: string } | { state: string } {
  const { machine, bug } = runner
  if (bug === null) return { state: machine.finalState() }
  const site = bug.site >= 0 ? machine.sites[bug.site].name : ''
  const thread = bug.thread >= 0 ? machine.threads.names[bug.thread] : ''
  const text = `${bug.kind} ${thread} ${site} ${bug.message}`
  return { bug: runner.status === 'failed' ? text : `${text}\n${machine.finalState()}` }
}

export function reach(machine: Machine, strategy: Strategy, limit = 100_000): Reached {
  const fingerprint = new Fingerprint(machine)
  const reached: Reached = {
    executions: 0,
    blocked: 0,
    exhausted: false,
    classes: new Map(),
    preemptions: new Map(),
    finalStates: new Set(),
    bugs: new Set(),
  }
  const result = explore({
    machine,
    strategy,
    keepGoing: true,
    maxExecutions: limit,
    maxSteps: 400,
    observers: [{ footprints: true }],
    onExecution(runner) {
      if (runner.status === 'blocked' || runner.status === 'cut') return
      const text = fingerprint.of(runner.trace, runner.status)
      reached.classes.set(text, (reached.classes.get(text) ?? 0) + 1)
      const known = reached.preemptions.get(text) ?? Infinity
      if (runner.trace.preemptions < known) reached.preemptions.set(text, runner.trace.preemptions)
      const end = outcome(runner)
      if ('bug' in end) reached.bugs.add(end.bug)
      else reached.finalStates.add(end.state)
    },
  })
  reached.executions = result.executions
  reached.blocked = result.blocked
  reached.exhausted = result.exhausted
  return reached
}

/** All interleavings of a small program, grouped into classes; null when there are more than the limit. */
export function bruteForce(machine: Machine, limit = 20_000): Reached | null {
  const reached = reach(machine, createStrategy('dfs', { machine }), limit)
  return reached.exhausted ? reached : null
}
