import type { Observer } from '../execution/observer.js'
import type { Schedule } from '../execution/schedule.js'
import type { Trace } from '../execution/trace.js'
import type { Bug } from '../program/bug.js'
import { type Machine, THREAD_LIVE } from '../program/machine.js'
import type { Site } from '../program/names.js'
import { EDGE_NONE, edgeOf, Op, operations } from '../program/operation.js'
import type { Action, Interleaving, Stretch } from './report.js'

/** Operations that say nothing to a reader: bookkeeping beside another one that is shown. */
const silent = new Set([Op.start, Op.exit, Op.processExit, Op.resume, Op.watch, Op.wake, Op.malloc])

/** `location` of plain accesses; -1 for all else, which is always shown. */
type SeenAction = Action & { readonly location: number }

/** Watches the replay of a schedule and writes down what people read. */
export class InterleavingObserver implements Observer {
  readonly footprints = true
  private readonly columns = new Map<number, number>()
  private readonly stretches: { thread: number; actions: SeenAction[]; preempted: boolean }[] = []
  /** The thread that touched a location, or -1 once several did. */
  private readonly userOf = new Map<number, number>()
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
    const start = trace.eventStart(transition)
    for (let i = start; i < trace.eventEnd[transition]; i++) {
      this.noteUse(trace.events.location[i], thread)
      const action = this.describe(trace, i, i === start ? value : undefined)
      if (action) actions.push(action)
    }
  }

  /** What threads were about to do counts as use: it is often the other half of a race. */
  end(): void {
    const { pending, threads } = this.machine
    for (let thread = 0; thread < threads.count; thread++) {
      if (pending.status[thread] === THREAD_LIVE) this.noteUse(pending.location[thread], thread)
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
      .map((s) => ({
        ...s,
        thread: column.get(s.thread)!,
        actions: s.actions.filter((a) => this.isTelling(a)),
      }))
      .map((s) => ({ ...s, actions: s.actions.map(({ location: _, ...action }) => action) }))
      .filter((s) => s.actions.length > 0)
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
      const action = {
        operation: text,
        object: '',
        ...placeOf(this.machine.sites[site]),
        failed: true,
        location: -1,
      }
      this.stretches.push({ thread: column, actions: [action], preempted: false })
    }
  }

  private noteUse(location: number, thread: number): void {
    if (location < 0) return
    const user = this.userOf.get(location)
    if (user === undefined) this.userOf.set(location, thread)
    else if (user !== thread) this.userOf.set(location, -1)
  }

  /** Plain accesses to memory that only one thread used say nothing about the interleaving. */
  private isTelling({ location }: SeenAction): boolean {
    if (location < 0 || this.userOf.get(location) === -1) return true
    return this.machine.locations.overlaps[location] !== null
  }

  private describe({ events }: Trace, i: number, value: string | undefined): SeenAction | undefined {
    const kind = events.kind[i]
    if (silent.has(kind)) return undefined
    const { machine } = this
    const site = machine.sites[events.site[i]]
    const { name } = operations[kind]
    const object: string[] = []
    if (events.location[i] >= 0) object.push(briefName(machine.describeLocation(events.location[i]), name))
    if (edgeOf[kind] !== EDGE_NONE && events.aux[i] >= 0) object.push(machine.threads.labelOf(events.aux[i]))
    const isPlain = kind === Op.load || kind === Op.store
    return {
      operation: value === undefined ? name : `${name} → ${value}`,
      object: object.join(' '),
      ...placeOf(site),
      location: isPlain ? events.location[i] : -1,
    }
  }
}

/**
 * Names may tell more after a comma (where a block was allocated), and begin with a kind that the operation names as
 * well (`semaphore wait`, `semaphore s`): too much for a table.
 */
function briefName(name: string, operation: string): string {
  const [short] = name.split(',')
  const [kind, ...rest] = short.split(' ')
  return rest.length > 0 && operation.split(' ').includes(kind) ? rest.join(' ') : short
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
