import { type ExecutionCounts, noExecutions } from '../execution/counts.js'

/** What a search did. */
export interface Counters extends ExecutionCounts {
  /** Names for people of the threads left over, over all executions. */
  unfinishedThreads: readonly string[]
  /** Executions that showed an ignored bug, by what it is ignored as. */
  ignored: Readonly<Record<string, number>>
  /** Of exploration. */
  seconds: number
}

export const noCounters: Readonly<Counters> = {
  ...noExecutions,
  unfinishedThreads: [],
  ignored: {},
  seconds: 0,
}

const names = Object.keys(noCounters) as (keyof Counters)[]

export function addCounters(a: Counters, b: Counters): Counters {
  return {
    executions: a.executions + b.executions,
    blocked: a.blocked + b.blocked,
    postponed: a.postponed + b.postponed,
    stoppedByAssume: a.stoppedByAssume + b.stoppedByAssume,
    cut: a.cut + b.cut,
    cutEarly: a.cutEarly + b.cutEarly,
    steps: a.steps + b.steps,
    unfinished: Math.max(a.unfinished, b.unfinished),
    unfinishedThreads: union(a.unfinishedThreads, b.unfinishedThreads),
    ignored: addUp(a.ignored, b.ignored),
    seconds: a.seconds + b.seconds,
  }
}

/** The counters of something that has more. */
export function pickCounters(counters: Counters): Counters {
  return Object.fromEntries(names.map((name) => [name, counters[name]])) as unknown as Counters
}

/** Executions of all kinds. */
export function ranIn({ executions, blocked, postponed, stoppedByAssume, cut }: Counters): number {
  return executions + blocked + postponed + stoppedByAssume + cut
}

export function union(known: readonly string[], more: readonly string[]): readonly string[] {
  const fresh = more.filter((name) => !known.includes(name))
  return fresh.length === 0 ? known : [...known, ...fresh]
}

function addUp(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const sum = { ...a }
  for (const [key, n] of Object.entries(b)) sum[key] = (sum[key] ?? 0) + n
  return sum
}

export function hasIgnored({ ignored }: Counters): boolean {
  return Object.keys(ignored).length > 0
}
