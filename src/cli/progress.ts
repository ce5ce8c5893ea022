import type { Progress } from '../jobs/check.js'
import { formatWholeSeconds } from '../reports/words.js'
import type { Io } from './io.js'
import { StatusLine } from './status-line.js'

const quietSeconds = 2
const refreshSeconds = 0.2

/** Tells how a search is going once it takes longer than two seconds. */
export class LiveLine {
  private readonly status: StatusLine
  private shownAt = Number.NEGATIVE_INFINITY

  constructor(
    io: Io,
    private readonly budgetSeconds: number,
  ) {
    this.status = new StatusLine(io)
  }

  update(progress: Progress): void {
    const { seconds } = progress
    if (seconds < quietSeconds || seconds - this.shownAt < refreshSeconds) return
    this.shownAt = seconds
    this.status.show(progressText(progress, this.budgetSeconds))
  }

  clear(): void {
    this.status.clear()
  }
}

export function progressText(progress: Progress, budgetSeconds: number): string {
  const { title, strategy, executions, seconds, bugs } = progress
  const left = budgetSeconds === Infinity ? '' : `, ${formatWholeSeconds(budgetSeconds - seconds)} left`
  const found = bugs > 0 ? `, ${bugs} found` : ''
  const pace = Math.round(executions / seconds)
  return `${title} (${strategy}): ${grouped(executions)} executions, ${grouped(pace)} per second${found}${left}`
}

/** 1234567 → 1 234 567 */
function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ' ')
}
