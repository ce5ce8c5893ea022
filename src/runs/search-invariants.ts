import type { Saved } from '../execution/strategy.js'

/** A step: thread and alternative. */
type Step = readonly [thread: number, value: number]

/** What reductions write out of themselves. */
export interface WrittenSearch {
  readonly path: { readonly thread: readonly number[]; readonly value: readonly number[] }
  /** By depth: thread, alternative, flags and footprint of each sleeper. */
  readonly sleep: readonly (readonly (readonly number[])[])[]
  /** By depth: the branches, as level, thread, alternative and so on, each followed by what is below it. */
  readonly trees?: readonly (readonly (readonly [level: number, ...Step, ...unknown[]])[])[]
}

/** Other strategies have none of it, or only a part: null. */
export function writtenSearch(saved: Saved): WrittenSearch | null {
  const { path, sleep } = saved as unknown as Partial<WrittenSearch>
  return sleep && path?.thread && path.value ? (saved as unknown as WrittenSearch) : null
}

/**
 * What must hold of sleep sets and wakeup trees after every execution, whatever the program is; null when it does. It
 * is read from what the strategy would save, so that it shares no code with what it checks.
 *
 * - Nothing was done that slept (Godefroid, LNCS 1032, 1996, chapter 5).
 * - Who sleeps after a step slept before it, and is not the thread that did the step.
 * - Branches that begin at the same place begin with different steps, none of which sleeps there (Abdulla, Aronsson,
 *   Jonsson, Sagonas, POPL 2014, definition 6.1).
 *
 * With `mayPlanSleepers`, branches may begin with what sleeps: it is left out when its turn comes.
 */
export function brokenInvariant(saved: Saved, mayPlanSleepers = false): string | null {
  const written = writtenSearch(saved)
  if (written === null) return null
  const { path, sleep, trees } = written
  const { thread, value } = path
  const sleeps = (depth: number, [t, v]: Step) => sleep[depth].some(([u, w]) => u === t && w === v)
  for (let d = 0; d < sleep.length; d++) {
    if (sleeps(d, [thread[d], value[d]])) return `step ${d + 1} was done though it slept`
    if (d === 0) continue
    for (const [t, v, flags] of sleep[d]) {
      const isInherited = (flags & 1) === 0
      if (isInherited && (t === thread[d - 1] || !sleeps(d - 1, [t, v])))
        return `after step ${d}, thread ${t} sleeps that was awake`
    }
  }
  return trees ? brokenTree(trees, mayPlanSleepers ? () => false : sleeps) : null
}

function brokenTree(
  trees: NonNullable<WrittenSearch['trees']>,
  sleeps: (depth: number, step: Step) => boolean,
): string | null {
  for (const [d, branches] of trees.entries()) {
    /** By level, the steps of the branches that have the same parent. */
    const siblings: Set<string>[] = []
    for (const [level, t, v] of branches) {
      siblings.length = Math.min(siblings.length, level + 1)
      siblings[level] ??= new Set()
      const step = `${t}=${v}`
      if (siblings[level].has(step)) return `two branches at depth ${d + 1} begin with the same step`
      siblings[level].add(step)
      if (level === 0 && sleeps(d, [t, v])) return `a branch at depth ${d + 1} begins with a step that sleeps`
    }
  }
  return null
}
