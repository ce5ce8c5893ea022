import type { Saved, Strategy } from '../execution/strategy.js'
import type { HappensBefore } from '../ordering/happens-before.js'
import { Backtracking, type MarkForRace } from './reduction/backtracking.js'
import type { StrategyContext } from './registry.js'

/**
 * Source-set DPOR (Abdulla, Aronis, Jonsson, Sagonas, "Source Sets: A Foundation for Optimal Dynamic Partial Order
 * Reduction", JACM 64(4), 2017, doi:10.1145/3073408, algorithm 1). To reverse a race it is enough that one thread
 * that can begin the reversed continuation is tried at the earlier transition's point.
 *
 * Where a transition is more than one announced operation, the later thread's may be another one at the earlier point,
 * and depend on what comes in between, or after both. So if it sleeps there, its being tried stands for nothing: all
 * threads that can run are tried.
 */
const markForRace: MarkForRace = (state, earlier, later) => {
  const { path, hb } = state
  const initials = initialThreads(hb, earlier, later)
  const thread = hb.thread[later]
  const standsForNothing = (initial: number) =>
    initial === thread && !state.isSingle && state.isAsleep(earlier, thread)
  for (const initial of initials) {
    if (path.isMarked(earlier, initial) && !standsForNothing(initial)) return
  }
  if (initials.includes(thread) && standsForNothing(thread)) path.markEnabled(earlier)
  else path.mark(earlier, initials.includes(thread) ? thread : initials[0])
}

/**
 * Threads whose first transition, in what follows `earlier` without depending on it up to and with `later`, needs
 * nothing else of that stretch. Dependence through transitions that are left out counts too, which can only make the
 * answer smaller; it is never empty.
 */
function initialThreads(hb: HappensBefore, earlier: number, later: number): number[] {
  const stretch: number[] = []
  for (let d = earlier + 1; d < later; d++) if (!hb.ordered(earlier, d)) stretch.push(d)
  stretch.push(later)
  const seen = new Set<number>()
  const initials: number[] = []
  for (const d of stretch) {
    if (seen.has(hb.thread[d])) continue
    seen.add(hb.thread[d])
    if (!stretch.some((other) => other < d && hb.ordered(other, d))) initials.push(hb.thread[d])
  }
  return initials
}

function make(context: StrategyContext): Backtracking {
  return new Backtracking('source', context, markForRace, true)
}

export function source(context: StrategyContext): Strategy {
  return make(context)
}

export function loadSource(context: StrategyContext, saved: Saved): Strategy {
  return make(context).load(saved, context)
}
