import { Runner } from '../execution/runner.js'
import { emptyScript, type Script, type Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import type { Choices } from '../explain/failure.js'
import type { Bug } from '../machine/bug.js'
import type { Machine, Output } from '../machine/machine.js'
import type { PointSet } from '../machine/points.js'
import { Fingerprint } from '../ordering/fingerprint.js'

/** What an execution came to, kept. */
export interface Outcome {
  readonly choices: Choices
  /** The points that they were made at. */
  readonly points: PointSet
  readonly status: Status
  readonly bug: Bug | null
  readonly outputs: readonly Output[]
  /** It ran to an end that says something: not cut, and no assumption of the program failed. */
  readonly isComplete: boolean
  /** Equal for two executions that order everything alike. */
  readonly fingerprint: string
}

/** Steps that an execution may have at most; long loops of waiting threads are the reason to have many. */
const mostSteps = 100_000

/**
 * Runs one execution after another with the same runner, so that a machine with checkpoints begins where an execution
 * leaves the one before.
 */
export class Trials {
  /** Executions run. */
  count = 0
  private readonly runner: Runner
  private readonly fingerprint: Fingerprint

  constructor(
    readonly machine: Machine,
    isOverdue?: () => boolean,
  ) {
    this.runner = new Runner(machine, { maxSteps: mostSteps, isOverdue, observers: [{ footprints: true }] })
    this.fingerprint = new Fingerprint(machine)
  }

  /** The execution under way, and after it its trace until the next one. */
  get trace(): Trace {
    return this.runner.trace
  }

  run(strategy: Strategy): Outcome {
    const { runner } = this
    this.count++
    runner.run(strategy)
    return outcomeOf(runner, this.fingerprint)
  }

  /** The same execution once more. */
  repeat(choices: Choices): Outcome {
    return this.run(new Repetition(choices))
  }

  /** How often an execution leaves a thread that could have gone on. */
  preemptionsOf(choices: Choices): number {
    this.repeat(choices)
    return this.trace.preemptions
  }
}

/** What the execution that a runner has just run came to. */
export function outcomeOf(runner: Runner, fingerprint: Fingerprint): Outcome {
  const { machine, trace, status, bug } = runner
  return {
    choices: {
      thread: trace.thread.slice(0, trace.length),
      value: trace.value.slice(0, trace.length),
    },
    points: machine.points,
    status,
    bug,
    outputs: outputsOf(machine),
    isComplete: bug !== null || ((status === 'completed' || status === 'stuck') && !machine.assumptionFailed),
    fingerprint: fingerprint.of(trace, status),
  }
}

/** Tells bugs apart: kind and place, or the message where there is no place. */
export function bugKeyOf({ kind, site, message }: Bug): string {
  return site >= 0 ? `${kind} ${site}` : `${kind} ${message}`
}

export function outputsOf(machine: Machine): readonly Output[] {
  if (machine.outputs !== undefined) return machine.outputs
  return machine.output === ''
    ? []
    : [{ thread: -1, site: -1, stream: 'stdout', text: machine.output, at: 0 }]
}

/** The first choices of an execution, to be followed without asking. */
export function scriptOf({ thread, value }: Choices, length = thread.length): Script {
  return length === 0 ? emptyScript : { thread, value, length }
}

/** A whole execution, followed to its end. */
class Repetition implements Strategy {
  readonly name = 'repeat'
  readonly footprints = true
  readonly script: Script

  constructor(choices: Choices) {
    this.script = scriptOf(choices)
  }

  begin(): boolean {
    return true
  }

  choose(): number {
    return -1
  }

  end(): void {}

  save() {
    return {}
  }
}
