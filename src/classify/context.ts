import type { Trace } from '../execution/trace.js'
import type { Machine } from '../machine/machine.js'
import { locationsMeet } from '../ordering/dependence.js'

/** What else touched the object of a race around its two accesses. */
export interface Context {
  /** Equal for two executions in which the object was used in the same way around there. */
  readonly signature: string
  /** How many other uses lie between the accesses, and how many of other threads before: few tell most. */
  readonly distance: number
}

/** Uses looked at before the first access, between the two, and after the second. */
const reach = 4

/** Around the accesses with these event indexes, which are to the same object. */
export function contextOf(
  machine: Machine,
  trace: Trace,
  [first, second]: readonly [number, number],
): Context {
  const { events } = trace
  const location = events.location[first]
  const before: string[] = []
  const between: string[] = []
  const after: string[] = []
  let others = 0
  for (let d = 0; d < trace.length && after.length < reach; d++) {
    const thread = trace.thread[d]
    for (let i = trace.eventStart(d); i < trace.eventEnd[d]; i++) {
      if (i === first || i === second || !locationsMeet(machine.locations, events.location[i], location))
        continue
      const use = `${thread}@${events.site[i]}`
      if (i > second) after.push(use)
      else if (i > first) between.push(use)
      else {
        before.push(use)
        others++
      }
    }
  }
  const signature = [before.slice(-reach), between.slice(0, reach), after.slice(0, reach)]
    .map((uses) => uses.join(','))
    .join('|')
  return { signature, distance: 2 * between.length + others }
}
