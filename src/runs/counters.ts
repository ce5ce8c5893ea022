/** What a search did. */
export interface Counters {
  /** Executions that ran to an end: normal, bug or stuck. */
  executions: number
  /** Given up as redundant. */
  blocked: number
  /** Cut at a limit of steps that was not the last one, to be explored again. */
  postponed: number
  /** Ended by an assumption of the program's own that did not hold. */
  stoppedByAssume: number
  /** Cut at the step limit. */
  cut: number
  /** Of those: before the limit, because a step took too long or all of them did too much. */
  cutEarly: number
  /** Transitions of all executions. */
  steps: number
  /** Largest number of threads left over when the program ended. */
  unfinished: number
  /** Their names for people, over all executions. */
  unfinishedThreads: readonly string[]
  /** Executions that showed an ignored bug, by what it is ignored as. */
  ignored: Readonly<Record<string, number>>
  /** Of exploration. */
  seconds: number
}

export const noCounters: Readonly<Counters> = {
  executions: 0,
  blocked: 0,
  postponed: 0,
  stoppedByAssume: 0,
  cut: 0,
  cutEarly: 0,
  steps: 0,
  unfinished: 0,
  unfinishedThreads: [],
  ignored: {},
  seconds: 0,
}

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
  const {
    executions,
    blocked,
    postponed,
    stoppedByAssume,
    cut,
    cutEarly,
    steps,
    unfinished,
    unfinishedThreads,
    ignored,
    seconds,
  } = counters
  return {
    executions,
    blocked,
    postponed,
    stoppedByAssume,
    cut,
    cutEarly,
    steps,
    unfinished,
    unfinishedThreads,
    ignored,
    seconds,
  }
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
