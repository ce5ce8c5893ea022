import type { Saved, Strategy } from '../execution/strategy.js'
import type { Divisible, PartStart } from './parallel/part.js'
import { Backtracking, type MarkForRace } from './reduction/backtracking.js'
import type { StrategyContext } from './registry.js'
import { StrategyError } from './registry.js'

/**
 * Dynamic partial-order reduction with backtrack sets (Flanagan and Godefroid, POPL 2005,
 * doi:10.1145/1040305.1040315) and sleep sets; Blum, "Practical Concurrency Testing", §3.4.2. Where the later thread cannot run at the earlier
 * transition's point, all threads that can are tried there. The same when it sleeps there: marking it alone would try
 * nothing, although another thread may first have to make its next step a different one.
 */
const markForRace: MarkForRace = (state, earlier, later) => {
  const { path, hb } = state
  const thread = hb.thread[later]
  if (path.alternatives(earlier, thread) > 0 && /* mutant: asleep */ !state.isAsleep(earlier, thread))
    path.mark(earlier, thread)
  /* mutant: whoever can run */ else path.markEnabled(earlier)
}

function make(context: StrategyContext): Backtracking {
  if (context.argument !== '' && context.argument !== 'no-sleep') {
    throw new StrategyError(`dpor takes no argument or no-sleep, not "${context.argument}"`)
  }
  const name = context.argument === '' ? 'dpor' : `dpor:${context.argument}`
  return new Backtracking(name, context, markForRace, context.argument === '')
}

export function dpor(context: StrategyContext): Strategy {
  return make(context)
}

export function openDpor(context: StrategyContext, start: PartStart): Strategy & Divisible {
  return make(context).open(start, context)
}

export function loadDpor(context: StrategyContext, saved: Saved): Strategy {
  return make(context).load(saved, context)
}
