import { count, formatWholeSeconds, grouped, roughShare, roughTime } from '../reports/words.js'
import { ranIn } from '../runs/counters.js'
import type { Deepening } from '../runs/deepening/deepen.js'
import type { Job } from '../runs/deepening/job.js'
import type { Io } from './io.js'
import { StatusLine } from './status-line.js'

const quietSeconds = 2
const refreshSeconds = 0.2
/** When nobody looks at a terminal, a line now and then is enough. */
const pipedSeconds = 10

/** Tells how Iterative Deepening is going: on a terminal a few lines written over, elsewhere a line every ten seconds. */
export class DeepeningDisplay {
  private readonly status: StatusLine
  private shownAt = 0

  constructor(
    private readonly io: Io,
    private readonly budgetSeconds: number,
  ) {
    this.status = new StatusLine(io)
  }

  update(run: Deepening): void {
    const { seconds } = run
    const every = this.io.isLive ? refreshSeconds : pipedSeconds
    if (seconds < quietSeconds || seconds - this.shownAt < every) return
    this.shownAt = seconds
    if (this.io.isLive) this.status.show(...displayLines(run, this.budgetSeconds))
    else this.io.err(`${pipedLine(run, this.budgetSeconds)}\n`)
  }

  clear(): void {
    this.status.clear()
  }
}

export function displayLines(run: Deepening, budgetSeconds: number): string[] {
  return [
    summary(run, budgetSeconds),
    `  ${jobsText(run)}`,
    ...run.running.map(({ worker, task }) =>
      task.kind === 'job'
        ? `  ${worker}: ${jobText(task.job)}`
        : `  ${worker}: ${task.search.title} (${task.search.strategy})`,
    ),
  ]
}

function pipedLine(run: Deepening, budgetSeconds: number): string {
  return `${summary(run, budgetSeconds)}; ${jobsText(run)}`
}

function summary(run: Deepening, budgetSeconds: number): string {
  const { counters, seconds } = run
  const ran = ranIn(counters)
  const limit = budgetSeconds === Infinity ? '' : ` of ${formatWholeSeconds(budgetSeconds)}`
  const races = run.raceCount
  const known = races === 0 ? '' : `, ${count(races, 'race')} (${run.bothOrderCount} seen in both orders)`
  const bugs = run.bugs.length > 0 ? `, ${count(run.bugs.length, 'bug')}` : ''
  const pace = grouped(Math.round((ran - ranIn(run.earlierCounters)) / Math.max(seconds, 0.001)))
  return `deepening ${formatWholeSeconds(seconds)}${limit}: ${grouped(ran)} executions, ${pace} per second${known}${bugs}`
}

function jobsText(run: Deepening): string {
  const { jobs, maximal } = run.board
  const among = (...statuses: Job['status'][]) => jobs.filter((job) => statuses.includes(job.status)).length
  const all = maximal.status === 'pending' ? '' : `; every schedule: ${progressText(maximal)}`
  return `jobs: ${among('running')} running, ${among('complete', 'pruned')} done, ${among('pending', 'suspended')} waiting${all}`
}

function jobText(job: Job): string {
  const { kinds, races } = job.points
  const split = races.length > 0 ? ` + ${count(races.length, 'racing access', 'racing accesses')}` : ''
  return `job ${job.id} {${kinds.join(',')}}${split}: ${grouped(ranIn(job.counters))} executions, ${progressText(job)}`
}

function progressText({ share, eta, counters }: Job): string {
  if (ranIn(counters) === 0 || !Number.isFinite(eta)) return 'begun'
  return `about ${roughShare(share)} done, ${roughTime(eta)} left`
}
