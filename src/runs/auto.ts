import type { Platform } from '../machine/platform.js'
import { strategies } from '../strategies/index.js'

/** How `auto`, the default, goes about it: a quick look, then Iterative Deepening. */
export const auto = {
  name: 'auto',
  summary: 'a quick look (small tests whole, samples of others), then deepen',
} as const

/** Iterative Deepening by itself. */
export const deepening = {
  name: 'deepen',
  summary:
    'Iterative Deepening: subsets of preemption points, racing accesses added, until every schedule is covered',
} as const

/** A little of what happens when waits end without a signal. */
export const spuriousSamples = {
  executions: 200,
  title: 'sampling with spurious wake-ups',
  platform: { spurious: 1 },
} as const

export interface Phase {
  readonly strategy: string
  /** Executions after which the next phase begins; undefined: until done. */
  readonly executions?: number
  /** For people. */
  readonly title: string
  /** On another platform than the rest: only for programs to which it matters. */
  readonly platform?: Partial<Platform>
}

/**
 * The searches of `auto` with a PP set of the user's own, in order; the first bug ends it, and the last one decides the
 * guarantee.
 */
export const autoPhases: readonly Phase[] = [
  { strategy: 'dfs', executions: 1, title: 'default schedule' },
  { strategy: 'pos', executions: 300, title: 'sampling' },
  { strategy: 'pos', ...spuriousSamples },
  {
    strategy: strategies.some((entry) => entry.name === 'optimal') ? 'optimal' : 'dfs',
    title: 'every schedule',
  },
]
