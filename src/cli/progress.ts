import type { Progress } from '../jobs/check.js'
import { formatSeconds } from '../reports/words.js'
import type { Io } from './io.js'

const quietSeconds = 2
const refreshSeconds = 0.2

/** One line on standard error, kept up to date, once a run takes longer than two seconds. */
export class LiveLine {
  private shownAt = Number.NEGATIVE_INFINITY
  private isShown = false

  constructor(
    private readonly io: Io,
    private readonly budgetSeconds: number,
  ) {}

  update(progress: Progress): void {
    const { seconds } = progress
    if (!this.io.isLive || seconds < quietSeconds || seconds - this.shownAt < refreshSeconds) return
    this.shownAt = seconds
    this.isShown = true
    this.io.err(`\r\x1b[K${progressText(progress, this.budgetSeconds).slice(0, this.io.width - 1)}`)
  }

  clear(): void {
    if (this.isShown) this.io.err('\r\x1b[K')
    this.isShown = false
  }
}

export function progressText(progress: Progress, budgetSeconds: number): string {
  const { title, strategy, executions, seconds, bugs } = progress
  const left =
    budgetSeconds === Infinity
      ? ''
      : `, ${formatSeconds(Math.max(0, Math.ceil(budgetSeconds - seconds)))} left`
  const found = bugs > 0 ? `, ${bugs} found` : ''
  const pace = Math.round(executions / seconds)
  return `${title} (${strategy}): ${grouped(executions)} executions, ${grouped(pace)} per second${found}${left}`
}

/** 1234567 → 1 234 567 */
function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ' ')
}
