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
