import { bugKeyOf, type Outcome, outputsOf } from '../../src/classify/trials.js'
import { explore } from '../../src/execution/explore.js'
import type { Machine } from '../../src/machine/machine.js'
import { everywhere } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'

/** What an execution came to, as text. */
export function endOf({ bug, outputs }: Pick<Outcome, 'bug' | 'outputs'>): string {
  return bug === null ? `prints ${outputs.map(({ text }) => text).join(' ')}` : `fails ${bugKeyOf(bug)}`
}

/** One access in an execution. */
interface Access {
  readonly name: string
  readonly location: number
}

/** All that brute force says about a program. */
export interface Truth {
  /** How executions end. */
  readonly ends: ReadonlySet<string>
  /** `a:0@0 < b:1@1`: some execution has the one before the other, on the same object. */
  readonly orders: ReadonlySet<string>
  /** Accesses that some execution makes more than once. */
  readonly repeated: ReadonlySet<string>
  /**
   * By pair of accesses that are next to each other somewhere: whether the ways in which executions can end from there
   * differ with their order, in failures or else in what is printed.
   */
  readonly effects: ReadonlyMap<string, 'bug' | 'output' | 'none'>
}

/** Runs every interleaving, up to a limit; null if there are more. */
export function truthOf(machine: Machine, limit: number): Truth | null {
  machine.usePoints(everywhere)
  const ends = new Set<string>()
  const orders = new Set<string>()
  const repeated = new Set<string>()
  /** By prefix and pair: the ends with the one first, and with the other. */
  const adjacent = new Map<string, [Set<string>, Set<string>]>()
  const result = explore({
    machine,
    strategy: createStrategy('dfs', { machine }),
    observers: [{ footprints: true }],
    keepGoing: true,
    maxExecutions: limit,
    onExecution({ trace, bug }) {
      const end = endOf({ bug, outputs: outputsOf(machine) })
      ends.add(end)
      const accesses: (Access | null)[] = []
      for (let d = 0; d < trace.length; d++) accesses.push(accessIn(machine, trace, d))
      const seen = new Map<string, number>()
      let prefix = ''
      accesses.forEach((access, d) => {
        if (access !== null) {
          if (seen.has(access.name)) repeated.add(access.name)
          for (const [other, location] of seen)
            if (location === access.location) orders.add(`${other} < ${access.name}`)
          seen.set(access.name, access.location)
          const next = accesses[d + 1]
          if (next && next.location === access.location && trace.thread[d] !== trace.thread[d + 1]) {
            const isFirst = access.name < next.name
            const names = isFirst ? [access.name, next.name] : [next.name, access.name]
            const key = `${names.join(' | ')}\n${prefix}`
            const known = adjacent.get(key) ?? [new Set(), new Set()]
            known[isFirst ? 0 : 1].add(end)
            adjacent.set(key, known)
          }
        }
        prefix += `${trace.thread[d]}.${trace.value[d]} `
      })
    },
  })
  if (!result.exhausted || result.cut > 0) return null
  const effects = new Map<string, 'bug' | 'output' | 'none'>()
  for (const [key, [one, other]] of adjacent) {
    const [pair] = key.split('\n')
    if (one.size === 0 || other.size === 0) continue
    const bugs = (set: Set<string>) =>
      [...set]
        .filter((end) => end.startsWith('fails'))
        .sort()
        .join('\n')
    const effect =
      bugs(one) !== bugs(other)
        ? 'bug'
        : [...one].sort().join() !== [...other].sort().join()
          ? 'output'
          : 'none'
    const known = effects.get(pair)
    if (known === undefined || known === 'none' || effect === 'bug') effects.set(pair, effect)
  }
  return { ends, orders, repeated, effects }
}

function accessIn(machine: Machine, trace: Parameters<typeof eventsOf>[0], d: number): Access | null {
  const { events } = trace
  for (const i of eventsOf(trace, d)) {
    const location = events.location[i]
    if (location < 0 || machine.locations.kinds[location] !== 'memory' || events.site[i] < 0) continue
    return {
      name: `${machine.sites[events.site[i]].name}@${machine.threads.names[trace.thread[d]]}`,
      location,
    }
  }
  return null
}

function eventsOf(trace: import('../../src/execution/trace.js').Trace, d: number): number[] {
  const start = trace.eventStart(d)
  return Array.from({ length: trace.eventEnd[d] - start }, (_, k) => start + k)
}
