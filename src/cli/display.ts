import type { Outlook } from '../estimators/index.js'
import type { InputProgress } from '../inputs/progress.js'
import { ranIn } from '../runs/counters.js'
import type { Deepening } from '../runs/deepening.js'
import type { Run } from '../runs/run.js'
import type { SearchRecord } from '../runs/search-record.js'
import { about, count, formatWholeSeconds, grouped, roughShare, roughTime } from '../words/words.js'
import type { Io } from './io.js'
import { StatusLine } from './status-line.js'

const quietSeconds = 2
const refreshSeconds = 0.2
/** When nobody looks at a terminal, a line now and then is enough. */
const pipedSeconds = 10

/** What is shown of a run. */
export type Displayed = Pick<Run, 'seconds' | 'counters' | 'bugs' | 'running' | 'deepening' | 'knowledge'>

/** Shows how a run is going: on a terminal a few lines written over, elsewhere a line every ten seconds. */
export class RunDisplay {
  private readonly status: StatusLine
  private shownAt = 0

  constructor(
    private readonly io: Io,
    private readonly budgetSeconds: number,
  ) {
    this.status = new StatusLine(io)
  }

  update(run: Displayed): void {
    this.show(run.seconds, () => progressLines(run, this.budgetSeconds))
  }

  updateInputs(progress: InputProgress): void {
    this.show(progress.seconds, () => inputLines(progress, this.budgetSeconds))
  }

  private show(seconds: number, lines: () => readonly string[]): void {
    const every = this.io.isLive ? refreshSeconds : pipedSeconds
    if (seconds < quietSeconds || seconds - this.shownAt < every) return
    this.shownAt = seconds
    const [headline, ...rest] = lines()
    if (this.io.isLive) this.status.show(headline, ...rest)
    else this.io.err(`${headline}\n`)
  }

  clear(): void {
    this.status.clear()
  }
}

export function progressLines(run: Displayed, budgetSeconds: number): string[] {
  const { deepening, running } = run
  const workers = deepening
    ? [
        `  ${jobsText(deepening)}`,
        ...running.map(({ worker, search }) => `  ${worker}: ${searchText(search)}`),
      ]
    : []
  return [headline(run, budgetSeconds), ...workers]
}

/** How the exploration of inputs is going. */
export function inputLines(progress: InputProgress, budgetSeconds: number): string[] {
  const { seconds, executions, inputs, waiting, counts, solverSeconds } = progress
  const { paths, queries, waysTaken, ways, unknown } = counts
  const givenUp = unknown > 0 ? ` (${grouped(unknown)} given up)` : ''
  const solver = `${grouped(queries)} queries${givenUp} in ${formatWholeSeconds(solverSeconds)}`
  return [
    `inputs: ${grouped(inputs)} explored, ${grouped(waiting)} waiting, ${count(paths, 'path')}, ${solver}, ` +
      `${grouped(waysTaken)} of ${grouped(ways)} ways at branches, ${grouped(executions)} executions${budgetText(seconds, budgetSeconds)}`,
  ]
}

function budgetText(seconds: number, budgetSeconds: number): string {
  return budgetSeconds === Infinity ? '' : `, ${formatWholeSeconds(budgetSeconds - seconds)} of budget`
}

function headline(run: Displayed, budgetSeconds: number): string {
  const { seconds, counters, bugs, running, deepening, knowledge } = run
  const [first] = running
  const title = deepening
    ? 'deepening'
    : first
      ? `${first.search.title} (${first.search.strategy})`
      : 'exploring'
  const left = budgetText(seconds, budgetSeconds)
  const found = bugs.length > 0 ? `, ${count(bugs.length, 'bug')}` : ''
  const races = deepening ? knowledge.raceCount : 0
  const known =
    races === 0 ? '' : `, ${count(races, 'race')} (${knowledge.bothOrderCount} seen in both orders)`
  const outlook = deepening ? '' : outlookText(first?.search.outlook)
  const ran = ranIn(counters)
  const pace = Math.round(ran / Math.max(seconds, 0.001))
  return `${title}: ${grouped(ran)} executions${found}${known}${outlook}${left}, ${grouped(pace)} per second`
}

function outlookText(outlook: Outlook | null | undefined): string {
  if (!outlook) return ''
  const bound = outlook.bound === undefined ? '' : ` of bound ${outlook.bound}`
  return `, est. ${roughShare(outlook.share)}${bound} done, ${roughTime(outlook.secondsLeft)} to go`
}

function jobsText({ board: { jobs, maximal } }: Deepening): string {
  const among = (...statuses: SearchRecord['status'][]) =>
    jobs.filter((job) => statuses.includes(job.status)).length
  const all = maximal.status === 'pending' ? '' : `; every schedule: ${progressText(maximal)}`
  return `jobs: ${among('running')} running, ${among('complete', 'pruned')} done, ${among('pending', 'suspended')} waiting${all}`
}

function searchText(search: SearchRecord): string {
  const { kinds, races } = search.points
  const split = races.length > 0 ? ` + ${count(races.length, 'racing access', 'racing accesses')}` : ''
  return `${search.title} {${kinds.join(',')}}${split}: ${grouped(ranIn(search.counters))} executions, ${progressText(search)}`
}

function progressText({ share, eta, counters }: SearchRecord): string {
  if (ranIn(counters) === 0 || !Number.isFinite(eta)) return 'begun'
  return `${about(roughShare(share))} done, ${roughTime(eta)} left`
}
