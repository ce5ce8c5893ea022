import { Trace } from '../../src/execution/trace.js'
import { type Machine, THREAD_ABSENT, THREAD_DONE, THREAD_LIVE } from '../../src/machine/machine.js'
import { EDGE_NONE, edgeOf, Mode, Op, operations } from '../../src/machine/operation.js'
import type { Random } from '../../src/random/random.js'

/**
 * One execution written down in names, so that executions of different machines can be compared as text. Drives the
 * machine directly: what is shown with it does not depend on the runner.
 */

/** One way to go on, by index. */
export interface Option {
  readonly thread: number
  readonly value: number
}

/** The same by name. */
export interface Choice {
  readonly name: string
  readonly alternative: string
}

export interface RecordedEvent {
  readonly thread: number
  readonly kind: number
  readonly mode: number
  readonly location: number
  readonly site: number
  readonly aux: number
  /** In names: what was done, and what the program can tell of the result. */
  readonly text: string
  /** The state in which it found its object, or the other thread of an edge. */
  readonly found: string
  /** `text` without values. */
  readonly what: string
  /** The values, as far as they are told: what was seen, what was left, what was compared with. */
  readonly told: readonly string[]
}

export interface RecordedStep extends Option, Choice {
  /** What the thread showed before it ran. */
  readonly pending: { readonly kind: number; readonly location: number; readonly site: number }
  /** Every thread as it stood before. */
  readonly stop: Stop
  readonly events: readonly RecordedEvent[]
}

/** Threads by name: what each is about to do, and in how many ways it can. */
export type Stop = ReadonlyMap<string, string>

export type End =
  /** No thread is left, or the program ended. */
  | 'ended'
  | 'failed'
  /** Threads are left and none can go on. */
  | 'stuck'
  /** Whoever drove it left it. */
  | 'left'

export interface Recording {
  readonly steps: readonly RecordedStep[]
  readonly end: End
  readonly bug: string
  /** Every thread as it stood at the end. */
  readonly stop: Stop
  readonly finalState: string
  readonly output: string
  /** The same execution by index; its events are valid until the machine runs again. */
  readonly trace: Trace
}

export interface RecordOptions {
  readonly footprints?: boolean
  readonly maxSteps?: number
  /** Leave every `stop` empty: much cheaper. */
  readonly withoutStops?: boolean
  /** Called whenever all threads are stopped and the events so far are complete. */
  readonly onStop?: (options: readonly Option[], steps: readonly RecordedStep[]) => void
}

/** Says how to go on; null leaves the execution. */
export type Chooser = (options: readonly Option[], depth: number, machine: Machine) => Option | null

export function record(machine: Machine, choose: Chooser, settings: RecordOptions = {}): Recording {
  const recorder = new Recorder(machine, choose, settings)
  machine.footprints = settings.footprints ?? true
  machine.run(recorder)
  return recorder.finish()
}

class Recorder {
  value = 0
  private readonly steps: (Omit<RecordedStep, 'events'> & { events: RecordedEvent[] })[] = []
  private readonly trace: Trace
  /** By event: its place among the events of its thread. */
  private readonly places: number[] = []
  private readonly counts = new Map<number, number>()
  private end: End = 'ended'

  constructor(
    private readonly machine: Machine,
    private readonly choose: Chooser,
    private readonly settings: RecordOptions,
  ) {
    this.trace = new Trace(machine.events)
  }

  next(): number {
    const { machine, trace, settings } = this
    this.close()
    const options = optionsOf(machine)
    settings.onStop?.(options, this.steps)
    if (options.length === 0) {
      this.end = liveThreads(machine).length > 0 ? 'stuck' : 'ended'
      return -1
    }
    const within = trace.length < (settings.maxSteps ?? 2000)
    const chosen = within ? this.choose(options, trace.length, machine) : null
    if (chosen === null) {
      this.end = 'left'
      return -1
    }
    const { thread, value } = chosen
    const { kind, location, site } = machine.pending
    this.steps.push({
      thread,
      value,
      name: machine.threads.names[thread],
      alternative: machine.alternativeName(thread, value),
      pending: { kind: kind[thread], location: location[thread], site: site[thread] },
      stop: this.stop(),
      events: [],
    })
    trace.push(thread, value)
    trace.eventEnd[trace.length - 1] = -1
    this.value = value
    return thread
  }

  finish(): Recording {
    const { machine, steps, trace } = this
    this.close()
    return {
      steps,
      end: machine.bug === null ? this.end : 'failed',
      bug: describeBug(machine),
      stop: this.stop(),
      finalState: machine.finalState(),
      output: machine.output,
      trace,
    }
  }

  private stop(): Stop {
    return this.settings.withoutStops ? new Map() : describeStop(this.machine)
  }

  /** Takes in the events of the transition that has just ended. */
  private close(): void {
    const { machine, trace, places, counts } = this
    const last = trace.length - 1
    if (last < 0 || trace.eventEnd[last] >= 0) return
    trace.eventEnd[last] = machine.events.count
    if (!machine.footprints) return
    const { thread, events } = this.steps[last]
    for (let i = trace.eventStart(last); i < machine.events.count; i++) {
      const place = counts.get(thread) ?? 0
      counts.set(thread, place + 1)
      places[i] = place
      events.push(readEvent(machine, thread, i, places))
    }
  }
}

export function liveThreads(machine: Machine): number[] {
  return [...machine.threads.names.keys()].filter((t) => machine.pending.status[t] === THREAD_LIVE)
}

/** All that can be chosen now. The end of the program waits until nothing else can run, as in the runner. */
export function optionsOf(machine: Machine): Option[] {
  const options: Option[] = []
  const exits: Option[] = []
  for (const thread of liveThreads(machine)) {
    if (machine.pending.kind[thread] === Op.processExit) {
      exits.push({ thread, value: 0 })
      continue
    }
    const alternatives = machine.alternatives(thread)
    for (let value = 0; value < alternatives; value++) options.push({ thread, value })
  }
  return options.length > 0 ? options : exits
}

/** Any thread that can run, then any of its alternatives. */
export function randomly(random: Random): Chooser {
  return (options) => {
    const threads = [...new Set(options.map((o) => o.thread))]
    const thread = threads[random.below(threads.length)]
    const ways = options.filter((o) => o.thread === thread)
    return ways[random.below(ways.length)]
  }
}

export class CannotFollow extends Error {}

/** Follows choices by name, then leaves or goes on as another chooser says. */
export function following(choices: readonly Choice[], then: Chooser = () => null): Chooser {
  return (options, depth, machine) => {
    if (depth >= choices.length) return then(options, depth, machine)
    const { name, alternative } = choices[depth]
    const found = options.find(
      (o) =>
        machine.threads.names[o.thread] === name &&
        machine.alternativeName(o.thread, o.value) === alternative,
    )
    if (found !== undefined) return found
    const known = options.map(
      (o) => `${machine.threads.names[o.thread]}=${machine.alternativeName(o.thread, o.value)}`,
    )
    throw new CannotFollow(`step ${depth}: ${name}=${alternative} is not among ${known.join(', ') || 'none'}`)
  }
}

/** Goes through all executions, depth first; `visit` sees each. Returns false if there are more than the limit. */
export function recordAll(
  machine: Machine,
  visit: (recording: Recording) => void,
  { limit = 10_000, ...settings }: RecordOptions & { readonly limit?: number } = {},
): boolean {
  const path: number[] = []
  for (let executions = 0; executions < limit; executions++) {
    const counts: number[] = []
    const choose: Chooser = (options, depth) => {
      if (depth === path.length) path.push(0)
      counts.push(options.length)
      return options[path[depth]]
    }
    visit(record(machine, choose, settings))
    path.length = counts.length
    while (path.length > 0 && path[path.length - 1] + 1 === counts[path.length - 1]) path.pop()
    if (path.length === 0) return true
    path[path.length - 1]++
  }
  return false
}

export function locationName(machine: Machine, location: number): string {
  return location < 0 ? '-' : `${machine.locations.kinds[location]} ${machine.locations.keys[location]}`
}

export function siteName(machine: Machine, site: number): string {
  return site < 0 ? '-' : machine.sites[site].name
}

export function describeStop(machine: Machine): Stop {
  const { pending, threads } = machine
  const stop = new Map<string, string>()
  const order = [...threads.names.keys()].sort((a, b) => (threads.names[a] < threads.names[b] ? -1 : 1))
  for (const t of order) {
    if (pending.status[t] === THREAD_ABSENT || pending.status[t] === undefined) continue
    stop.set(threads.names[t], pending.status[t] === THREAD_DONE ? 'done' : describeThread(machine, t))
  }
  return stop
}

function describeThread(machine: Machine, t: number): string {
  const { kind, location, site } = machine.pending
  const what = `${operations[kind[t]].name} ${locationName(machine, location[t])} @${siteName(machine, site[t])}`
  const alternatives = machine.alternatives(t)
  if (alternatives === 0) {
    const { object, holders, spinning } = machine.waitOf(t)
    const held = holders.map((h) => machine.threads.names[h]).join(' ')
    return `${what}, ${spinning ? 'spins' : 'waits'}: ${object} [${held}]`
  }
  const ways = Array.from({ length: alternatives }, (_, value) => machine.alternativeName(t, value))
  return `${what}, ${ways.sort().join(' or ')}`
}

export function describeBug(machine: Machine): string {
  const { bug } = machine
  if (bug === null) return ''
  const thread = bug.thread < 0 ? '-' : machine.threads.names[bug.thread]
  return `${bug.kind} of ${thread} @${siteName(machine, bug.site)}: ${bug.message}`
}

const mutexKinds = new Set<number>([Op.lock, Op.tryLock, Op.timedLock, Op.unlock, Op.reacquire])

function readEvent(machine: Machine, thread: number, i: number, places: readonly number[]): RecordedEvent {
  const { events, threads } = machine
  const kind = events.kind[i]
  const mode = events.mode[i]
  const location = events.location[i]
  const aux = events.aux[i]
  let about = String(aux)
  if (aux >= 0) {
    if (edgeOf[kind] !== EDGE_NONE) about = threads.names[aux]
    else if (kind === Op.resume) about = `after ${places[aux]}`
    else if (mutexKinds.has(kind)) about = aux === 0 ? 'free' : `held by ${threads.names[aux - 1]}`
  }
  const parts = [
    threads.names[thread],
    operations[kind].name,
    mode,
    locationName(machine, location),
    `@${siteName(machine, events.site[i])}`,
  ]
  const told = [
    events.known[i] & 1 ? `saw ${events.seen[i]}` : '',
    events.known[i] & 2 ? `left ${events.written[i]}` : '',
    events.known[i] & 4 ? `with ${events.operand[i]}` : '',
  ]
  const text = [...parts, ...told].join('|')
  return {
    thread,
    kind,
    mode,
    location,
    site: events.site[i],
    aux,
    text,
    what: parts.join('|'),
    told,
    found: about,
  }
}

/** The events of an execution that somebody else drove, in order and in names. */
export function eventTexts(machine: Machine, trace: Trace): string[] {
  const places: number[] = []
  const counts = new Map<number, number>()
  const lines: string[] = []
  for (let d = 0; d < trace.length; d++) {
    const thread = trace.thread[d]
    for (let i = trace.eventStart(d); i < trace.eventEnd[d]; i++) {
      const place = counts.get(thread) ?? 0
      counts.set(thread, place + 1)
      places[i] = place
      const { text, found } = readEvent(machine, thread, i, places)
      lines.push(`${d}: ${text} ${found}`)
    }
  }
  return lines
}

/** Everything an execution did, in order: equal for two executions exactly when they are the same. */
export function fullText(recording: Recording): string {
  const lines = recording.steps.flatMap((step) => [
    `> ${step.name}=${step.alternative}`,
    ...[...step.stop].map(([name, stands]) => `  ${name}: ${stands}`),
    ...step.events.map((event) => `  ${event.text} ${event.found}`),
  ])
  return [...lines, ...endText(recording), recording.output].join('\n')
}

/** How an execution ended, whatever the order of independent operations was. */
export function endText({ end, bug, stop, finalState }: Recording): string[] {
  return [end, bug, ...[...stop].map(([name, stands]) => `${name}: ${stands}`), finalState]
}

/**
 * What each thread did, without the order between threads; with `found`, also the states in which it found objects.
 * Operations that commute find them in one state or the other.
 */
export function eventsByThread({ steps }: Recording, { found = false } = {}): Map<string, string[]> {
  const result = new Map<string, string[]>()
  for (const { name, events } of steps) {
    const own = result.get(name) ?? []
    result.set(name, own)
    for (const event of events) {
      own.push(found && event.mode !== Mode.commute ? `${event.text} ${event.found}` : event.text)
    }
  }
  return new Map([...result].sort(([a], [b]) => (a < b ? -1 : 1)))
}
