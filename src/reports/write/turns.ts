import type { Walk } from '../report.js'

/** Steps of one thread with none of another in between. */
export interface Turn {
  /** Index into the threads of the walk. */
  readonly thread: number
  /** Indexes of steps. */
  readonly first: number
  readonly end: number
}

export function turnsOf({ steps }: Pick<Walk, 'steps'>): Turn[] {
  const turns: { thread: number; first: number; end: number }[] = []
  steps.forEach(({ thread }, i) => {
    const last = turns.at(-1)
    if (last?.thread === thread) last.end = i + 1
    else turns.push({ thread, first: i, end: i + 1 })
  })
  return turns
}
