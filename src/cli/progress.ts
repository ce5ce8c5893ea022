import { formatWholeSeconds, grouped, roughShare, roughTime } from '../reports/words.js'
import type { Progress } from '../runs/check.js'
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
  const { title, strategy, executions, seconds, bugs, outlook } = progress
  const left = budgetSeconds === Infinity ? '' : `, ${formatWholeSeconds(budgetSeconds - seconds)} of budget`
  const found = bugs > 0 ? `, ${bugs} found` : ''
  const pace = Math.round(executions / seconds)
  return `${title} (${strategy}): ${grouped(executions)} executions${found}${outlookText(outlook)}${left}, ${grouped(pace)} per second`
}

function outlookText(outlook: Progress['outlook']): string {
  if (outlook === undefined) return ''
  const bound = outlook.bound === undefined ? '' : ` of bound ${outlook.bound}`
  return `, est. ${roughShare(outlook.share)}${bound} done, ${roughTime(outlook.secondsLeft)} to go`
}
