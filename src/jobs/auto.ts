import { strategies } from '../strategies/index.js'

/** How `auto`, the default, goes about it: a quick look, then everything. */
export const auto = {
  name: 'auto',
  summary: 'a quick look (default schedule, then samples), then every schedule',
} as const

export interface Phase {
  readonly strategy: string
  /** Executions after which the next phase begins; undefined: until done. */
  readonly executions?: number
  /** For people. */
  readonly title: string
}

/** The searches of `auto`, in order; the first bug ends it, and the last one decides the guarantee. */
export const autoPhases: readonly Phase[] = [
  { strategy: 'dfs', executions: 1, title: 'default schedule' },
  { strategy: 'pos', executions: 300, title: 'sampling' },
  {
    strategy: strategies.some((entry) => entry.name === 'optimal') ? 'optimal' : 'dfs',
    title: 'every schedule',
  },
]
