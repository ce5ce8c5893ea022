import type { Saved, Strategy } from '../execution/strategy.js'
import type { Divisible, PartStart } from './parallel/part.js'
import { Backtracking, type MarkForRace } from './reduction/backtracking.js'
import { Initials } from './reduction/initials.js'
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
function markForRaces(): MarkForRace {
  const initials = new Initials()
  return (state, earlier, later, end) => {
    const { path, hb } = state
    const thread = hb.thread[later]
    initials.find(hb, earlier, later, end)
    const standsForNothing = (initial: number) =>
      initial === thread && !state.isSingle && state.isAsleep(earlier, thread)
    for (let i = 0; i < initials.count; i++) {
      const initial = initials.thread[i]
      if (path.isMarked(earlier, initial) && !standsForNothing(initial)) return
    }
    const isOwn = initials.includes(thread)
    const chosen = isOwn ? thread : initials.thread[0]
    if ((isOwn && standsForNothing(thread)) || state.isPartlyAsleep(earlier, chosen))
      path.markEnabled(earlier)
    /* mutant: backtrack */ else path.mark(earlier, chosen)
  }
}

function make(context: StrategyContext): Backtracking {
  return new Backtracking('source', context, markForRaces(), true)
}

export function source(context: StrategyContext): Strategy {
  return make(context)
}

export function openSource(context: StrategyContext, start: PartStart): Strategy & Divisible {
  return make(context).open(start, context)
}

export function loadSource(context: StrategyContext, saved: Saved): Strategy {
  return make(context).load(saved, context)
}
