import type { Observer } from '../execution/observer.js'
import type { Schedule } from '../execution/schedule.js'
import type { Trace } from '../execution/trace.js'
import type { Bug } from '../program/bug.js'
import type { Machine } from '../program/machine.js'
import type { Site } from '../program/names.js'
import { EDGE_NONE, edgeOf, Op, operations } from '../program/operation.js'
import type { Action, Interleaving, Stretch } from './report.js'

/** Operations that say nothing to a reader: bookkeeping beside another one that is shown. */
const silent = new Set([Op.start, Op.exit, Op.processExit, Op.resume, Op.watch, Op.wake, Op.malloc])

/** Watches the replay of a schedule and writes down what people read. */
export class InterleavingObserver implements Observer {
  readonly footprints = true
  private readonly columns = new Map<number, number>()
  private readonly stretches: { thread: number; actions: Action[]; preempted: boolean }[] = []
  private preemptions = 0
  private previous = -1

  constructor(
    private readonly machine: Machine,
    private readonly schedule: Schedule,
  ) {}

  transition(trace: Trace, transition: number): void {
    const thread = trace.thread[transition]
    let column = this.columns.get(thread)
    if (column === undefined) this.columns.set(thread, (column = this.columns.size))
    const isPreemption = trace.preemptions > this.preemptions
    this.preemptions = trace.preemptions
    if (thread !== this.previous) {
      const last = this.stretches.at(-1)
      if (last && isPreemption) last.preempted = true
      this.stretches.push({ thread: column, actions: [], preempted: false })
      this.previous = thread
    }
    const actions = this.stretches.at(-1)!.actions
    const value = this.schedule.steps[transition]?.value
    for (let i = trace.eventStart(transition); i < trace.eventEnd[transition]; i++) {
      const action = this.describe(trace, i, i === trace.eventStart(transition) ? value : undefined)
      if (action) actions.push(action)
    }
  }

  /** What was seen, ended by the bug in the column of the thread that failed. */
  result(bug: Bug | null): Interleaving {
    const { machine } = this
    if (bug !== null) this.append(bug)
    const { names } = machine.threads
    const order = [...this.columns].sort(([a], [b]) => compareNames(names[a], names[b]))
    const labels = order.map(([thread]) => machine.threads.labelOf(thread))
    const threads = order.map(([thread], i) =>
      labels.indexOf(labels[i]) === labels.lastIndexOf(labels[i])
        ? labels[i]
        : `${labels[i]} ${names[thread]}`,
    )
    const column = new Map(order.map(([_, seen], i) => [seen, i]))
    const stretches = this.stretches
      .filter((s) => s.actions.length > 0)
      .map((s) => ({ ...s, thread: column.get(s.thread)! }))
    return { threads, stretches: mergeNeighbours(stretches) }
  }

  /** Waits of a deadlock appear in the column of each waiting thread. */
  private append(bug: Bug): void {
    const failures = bug.waits
      ? bug.waits.map((w) => ({ ...w, text: `${w.spinning ? 'spins on' : 'waits for'} ${w.object}` }))
      : bug.thread >= 0
        ? [{ thread: bug.thread, site: bug.site, text: bug.kind }]
        : []
    for (const { thread, site, text } of failures) {
      let column = this.columns.get(thread)
      if (column === undefined) this.columns.set(thread, (column = this.columns.size))
      const action = { text, ...placeOf(this.machine.sites[site]), failed: true }
      this.stretches.push({ thread: column, actions: [action], preempted: false })
    }
  }

  private describe({ events }: Trace, i: number, value: string | undefined): Action | undefined {
    const kind = events.kind[i]
    if (silent.has(kind)) return undefined
    const { machine } = this
    const site = machine.sites[events.site[i]]
    const words: string[] = [operations[kind].name]
    if (events.location[i] >= 0) words.push(machine.describeLocation(events.location[i]))
    if (edgeOf[kind] !== EDGE_NONE && events.aux[i] >= 0) words.push(machine.threads.labelOf(events.aux[i]))
    if (value !== undefined) words.push(`→ ${value}`)
    return { text: words.join(' '), ...placeOf(site) }
  }
}

function placeOf(site: Site | undefined): Pick<Action, 'file' | 'line' | 'place'> {
  return { file: site?.file ?? null, line: site?.line ?? null, place: site?.name ?? null }
}

/** `0.2` before `0.10`. */
function compareNames(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

/** Stretches of one thread that became neighbours because what lay between did nothing visible. */
function mergeNeighbours(stretches: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = []
  for (const stretch of stretches) {
    const last = merged.at(-1)
    if (last && last.thread === stretch.thread) {
      merged[merged.length - 1] = {
        thread: last.thread,
        actions: [...last.actions, ...stretch.actions],
        preempted: stretch.preempted,
      }
    } else merged.push(stretch)
  }
  return merged
}
