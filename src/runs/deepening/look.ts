import type { Platform } from '../../machine/platform.js'
import type { CheckOptions } from '../check.js'
import { addCounters, type Counters, noCounters, ranIn } from '../counters.js'
import type { Answer } from './assignment.js'

/** What a look in this thread came to. */
export type Look = Extract<Answer, { kind: 'ended' }> & {
  readonly strategy: string
  /** Another platform than the rest, as far as given. */
  readonly platform?: Partial<Platform> | undefined
}

export interface LookPlan {
  readonly strategy: string
  readonly executions: number
  readonly seconds: number
  readonly title: string
  /** On another platform than the rest. */
  readonly platform?: Partial<Platform>
}

/** As many executions as the user asked for. */
export function isEnough({ maxExecutions }: CheckOptions, done: readonly Look[]): boolean {
  return maxExecutions !== undefined && ranIn(totalOf(done)) >= maxExecutions
}

/** It explored everything, and nothing was cut. */
export function isWholeLook({ stopped, findings }: Look): boolean {
  return stopped === 'exhausted' && findings.counters.cut === 0
}

export function totalOf(done: readonly Look[]): Counters {
  return done.reduce((sum, { findings }) => addCounters(sum, findings.counters), noCounters)
}
