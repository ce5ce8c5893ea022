import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

/** How far beyond its end a budget may go before an execution under way is given up. */
const graceSeconds = 1

/** Time for a search. The engine never looks at a clock; this is the one place that does. */
export class Budget {
  private readonly start = performance.now()

  constructor(readonly seconds: number) {}

  get elapsedSeconds(): number {
    return (performance.now() - this.start) / 1000
  }

  get remainingSeconds(): number {
    return Math.max(0, this.seconds - this.elapsedSeconds)
  }

  get isSpent(): boolean {
    return this.elapsedSeconds >= this.seconds
  }

  /** Whatever is still under way is given up. */
  get isOverdue(): boolean {
    return this.elapsedSeconds >= this.seconds + graceSeconds
  }
}

/** Part of the largest heap of the engine that may be used: beyond, it spends its time on collecting garbage, and dies. */
const heapShare = 0.85

/** Memory of the whole process, all its threads together. */
export class MemoryLimit {
  private reached = false

  constructor(readonly bytes: number = defaultMemory()) {}

  /** Stays true: what ended a search is told later. */
  get isReached(): boolean {
    if (!this.reached) {
      const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics()
      this.reached = used > heapShare * most || process.memoryUsage.rss() > this.bytes
    }
    return this.reached
  }
}

/** Four gigabytes, or three quarters of a smaller machine. */
export function defaultMemory(): number {
  return Math.min(4 * 2 ** 30, Math.round(0.75 * totalmem()))
}

/** Processor time of the whole process, all its threads together. */
export class CpuBudget {
  private readonly start = process.cpuUsage()

  constructor(readonly seconds: number) {}

  get remainingSeconds(): number {
    const { user, system } = process.cpuUsage(this.start)
    return Math.max(0, this.seconds - (user + system) / 1e6)
  }
}

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 }

/** Reads `60s`, `500ms`, `2m`, `1h`, a bare number of seconds, or `none`; throws a RangeError that says what is right. */
export function parseBudget(text: string): number {
  if (text === 'none') return Infinity
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  const seconds = match ? Number(match[1]) * unitSeconds[match[2] ?? 's'] : 0
  if (!(seconds > 0)) {
    throw new RangeError(`"${text}" is not a budget; write a time such as 60s, 500ms, 2m or 1h, or none`)
  }
  return seconds
}
