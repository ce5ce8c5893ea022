import type { Runner } from '../execution/runner.js'
import type { Bug } from '../machine/bug.js'

/** The choices of an execution, as indexes. */
export interface Choices {
  readonly thread: Int32Array
  readonly value: Int32Array
}

/** An execution that showed a bug. */
export interface Failure extends Choices {
  readonly bug: Bug
  readonly preemptions: number
  /** Changes of thread. */
  readonly switches: number
}

/** How much work may go into something that could take for ever. */
export interface Limits {
  readonly maxExecutions: number
  readonly outOfTime: () => boolean
}

/** The execution that just ended, kept; it must have shown a bug. */
export function failureOf({ bug, trace }: Runner): Failure {
  return {
    bug: bug!,
    thread: trace.thread.slice(0, trace.length),
    value: trace.value.slice(0, trace.length),
    preemptions: trace.preemptions,
    switches: trace.switches,
  }
}

/** Fewer preemptions, or as many and fewer switches. */
export function isSimpler(a: Failure, b: Failure): boolean {
  return a.preemptions < b.preemptions || (a.preemptions === b.preemptions && a.switches < b.switches)
}

/** A stretch of choices of one thread. */
export interface Stretch {
  readonly thread: number
  readonly values: readonly number[]
}

export function stretchesOf({ thread, value }: Choices): Stretch[] {
  const stretches: { thread: number; values: number[] }[] = []
  for (let i = 0; i < thread.length; i++) {
    if (i === 0 || thread[i] !== thread[i - 1]) stretches.push({ thread: thread[i], values: [] })
    stretches.at(-1)!.values.push(value[i])
  }
  return stretches
}
