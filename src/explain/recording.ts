import { givesWay } from '../execution/choices.js'
import type { Observer } from '../execution/observer.js'
import type { Trace } from '../execution/trace.js'
import type { Bug, Frame } from '../machine/bug.js'
import { type EventLog, Known } from '../machine/events.js'
import { type Machine, THREAD_LIVE } from '../machine/machine.js'
import type { Site } from '../machine/names.js'
import { EDGE_NONE, edgeOf, Mode, Op, operations } from '../machine/operation.js'
import { olderThan } from '../machine/platform.js'
import { abortReason, isAtOnce } from '../machine/transactions.js'
import { dependent } from '../ordering/dependence.js'
import { isNameless, localOfAnother, nameObject, writtenWait } from './object-names.js'
import type { SourceText } from './source-text.js'

/** Where something happened, as people look for it: in their own code. */
export interface Place {
  readonly function: string
  readonly file: string | null
  readonly line: number | null
  /** Name of the place where there is no line. */
  readonly name: string
}

/** One operation of an execution, with all that a reader may want to know of it. */
export interface RecordedEvent {
  readonly transition: number
  readonly thread: number
  readonly kind: number
  readonly mode: number
  readonly location: number
  /** The other thread of create, join and wake, or -1. */
  readonly other: number
  readonly operation: string
  /** What it acts on, for people; '' where there is nothing to name. */
  readonly object: string
  readonly place: Place | null
  /** Innermost first; the frames of the library are among them. */
  readonly frames: readonly Frame[]
  /** The alternative taken, where there were several. */
  readonly choice?: string
  /** Says nothing to a reader by itself. */
  readonly isSilent: boolean
  /** What the memory location held after the transition. */
  readonly value?: string
  /** What a write or an update found there, where the machine tells. */
  readonly before?: string
}

/** Why a thread did not go on after a transition, or that it could have. */
export type StopReason =
  | { readonly kind: 'could-go-on' | 'ended' | 'yielded' }
  | { readonly kind: 'blocked'; readonly on: string }

export interface RecordedTransition {
  readonly thread: number
  /** Switching to it left a thread that could have gone on. */
  readonly isPreemption: boolean
  /** How things stood with its thread after it. */
  readonly stop: StopReason
  readonly firstEvent: number
  /** Alternatives there were. */
  readonly alternatives: number
}

/** An execution as it was watched. */
export interface Recording {
  readonly transitions: readonly RecordedTransition[]
  readonly events: readonly RecordedEvent[]
  readonly bug: Bug | null
  /** Locations that more than one thread used or was about to use. */
  readonly shared: ReadonlySet<number>
  readonly output: string
  readonly preemptions: number
  /** Where each live thread stood at the end, by thread index. */
  readonly ends: ReadonlyMap<number, EndOfThread>
}

export interface EndOfThread {
  readonly frames: readonly Frame[]
  readonly place: Place | null
  /** Location of the operation it was about to do, or -1. */
  readonly location: number
  readonly kind: number
  /** What that operation acts on, for people; '' where there is nothing to name. */
  readonly object: string
}

/** Watches one execution. */
export class RecordingObserver implements Observer {
  readonly footprints = true
  private readonly transitions: RecordedTransition[] = []
  private readonly events: RecordedEvent[] = []
  private readonly userOf = new Map<number, number>()
  private readonly pendingFrames = new Map<number, readonly Frame[]>()
  private readonly pendingOperation = new Map<number, { site: number; kind: number; location: number }>()
  private readonly pendingChoice = new Map<number, { count: number; name: (value: number) => string }>()
  private readonly ends = new Map<number, EndOfThread>()
  /** By location, what local variables are for certain; null where the same place had several. */
  private readonly locals = new Map<number, string | null>()
  private preemptions = 0

  constructor(
    private readonly machine: Machine,
    private readonly sources: SourceText,
  ) {}

  transition(trace: Trace, transition: number): void {
    const thread = trace.thread[transition]
    const start = trace.eventStart(transition)
    const choice = this.pendingChoice.get(thread)
    const value = choice && choice.count > 1 ? choice.name(trace.value[transition]) : undefined
    const firstEvent = this.events.length
    for (let i = start; i < trace.eventEnd[transition]; i++) {
      this.noteUse(trace.events.location[i], thread)
      const frames = i === start ? this.pendingFrames.get(thread) : undefined
      this.events.push(this.describe(trace, transition, i, frames, i === start ? value : undefined))
    }
    this.transitions.push({
      thread,
      isPreemption: trace.preemptions > this.preemptions,
      stop: this.stopOf(thread),
      firstEvent,
      alternatives: choice?.count ?? 1,
    })
    this.preemptions = trace.preemptions
    if (this.machine.bug === null) this.lookAhead()
  }

  /** What threads were about to do counts as use: it is often the other half of a race. */
  end(): void {
    const { pending, threads } = this.machine
    for (let thread = 0; thread < threads.count; thread++) {
      if (pending.status[thread] !== THREAD_LIVE) continue
      this.noteUse(pending.location[thread], thread)
      const { bug } = this.machine
      const site = bug?.thread === thread ? bug.site : pending.site[thread]
      const frames = this.framesOf(thread, site)
      // A failure may be noticed late, when the thread already is before its next operation.
      const begun = this.pendingOperation.get(thread)
      const known = bug?.thread === thread && begun?.site === site ? begun : undefined
      const location = known?.location ?? pending.location[thread]
      this.ends.set(thread, {
        frames,
        place: placeOf(frames, this.machine.sites[site]),
        location,
        object: location < 0 ? '' : this.nameOf(location, frames, thread),
        kind: known?.kind ?? pending.kind[thread],
      })
    }
  }

  result(bug: Bug | null): Recording {
    const shared = new Set([...this.userOf].filter(([, user]) => user < 0).map(([location]) => location))
    const { transitions, preemptions } = this
    const nameOf = commonNames(this.events)
    const named = <T extends { location: number; object: string }>(one: T): T => {
      const local = this.locals.get(one.location)
      if (local) return { ...one, object: local }
      return isNameless(one.object) ? { ...one, object: nameOf.get(one.location) ?? one.object } : one
    }
    const events = this.events.map(named)
    const ends = new Map([...this.ends].map(([thread, end]) => [thread, named(end)]))
    return { transitions, events, bug, shared, output: this.machine.output, preemptions, ends }
  }

  /** Remembers what each thread will do next, while its stack can be seen. */
  private lookAhead(): void {
    const { machine } = this
    const { pending, threads } = machine
    for (let thread = 0; thread < threads.count; thread++) {
      if (pending.status[thread] !== THREAD_LIVE) continue
      this.pendingFrames.set(thread, this.framesOf(thread, pending.site[thread]))
      const { site, kind, location } = pending
      this.pendingOperation.set(thread, {
        site: site[thread],
        kind: kind[thread],
        location: location[thread],
      })
      const count = machine.alternatives(thread)
      const names =
        count > 1 ? Array.from({ length: count }, (_, v) => machine.alternativeName(thread, v)) : []
      this.pendingChoice.set(thread, { count, name: (v) => names[v] })
    }
  }

  private framesOf(thread: number, site: number): readonly Frame[] {
    const { machine } = this
    return machine.inspection?.framesOf(thread, site) ?? framesOfSite(machine.sites[site])
  }

  private stopOf(thread: number): StopReason {
    const { machine } = this
    const { pending } = machine
    if (pending.status[thread] !== THREAD_LIVE || pending.kind[thread] === Op.processExit) {
      return { kind: 'ended' }
    }
    if (machine.alternatives(thread) === 0) {
      const wait = machine.waitOf(thread)
      const on = writtenWait(wait, machine.sites[wait.site], this.sources) ?? wait.object
      return { kind: 'blocked', on }
    }
    const gaveWay = givesWay(machine, thread)
    return { kind: gaveWay ? 'yielded' : 'could-go-on' }
  }

  private nameOf(location: number, frames: readonly Frame[], thread: number): string {
    const local = localOfAnother(this.machine, location, thread)
    if (local === undefined) return nameObject(this.machine, location, frames, this.sources)
    const known = this.locals.get(location)
    this.locals.set(location, known === undefined || known === local ? local : null)
    return local
  }

  private noteUse(location: number, thread: number): void {
    if (location < 0) return
    const user = this.userOf.get(location)
    if (user === undefined) this.userOf.set(location, thread)
    else if (user !== thread) this.userOf.set(location, -1)
  }

  /**
   * What a location holds now, if that is what it held at an event: in a section that runs as one step, later events may
   * have written it.
   */
  private valueAfter({ events, eventEnd }: Trace, transition: number, i: number): string | undefined {
    const { locations, inspection } = this.machine
    const location = events.location[i]
    for (let later = i + 1; later < eventEnd[transition]; later++) {
      if (dependent(locations, location, Mode.read, events.location[later], events.mode[later]))
        return undefined
    }
    return inspection?.valueAt(location)
  }

  /** What was seen or left at an event. Under a weak memory model a load may have seen something else than there is. */
  private valueOf(
    trace: Trace,
    transition: number,
    i: number,
    choice: string | undefined,
  ): string | undefined {
    const logged = loggedValue(trace.events, i)
    if (choice?.includes(olderThan)) return logged
    return this.valueAfter(trace, transition, i) ?? logged
  }

  private describe(
    trace: Trace,
    transition: number,
    i: number,
    known: readonly Frame[] | undefined,
    choice: string | undefined,
  ): RecordedEvent {
    const { machine } = this
    const { events, thread: threads } = trace
    const kind = events.kind[i]
    const location = events.location[i]
    const site = machine.sites[events.site[i]]
    const frames = known ?? framesOfSite(site)
    const other = edgeOf[kind] !== EDGE_NONE ? events.aux[i] : -1
    const isMemory = location >= 0 && machine.locations.kinds[location] === 'memory'
    const isPlain = kind === Op.load || kind === Op.store
    const isTold = isMemory && !(isPlain && machine.inspection?.localAt(location)?.isOpaque)
    const value = isTold ? this.valueOf(trace, transition, i, choice) : undefined
    const hasFound = isMemory && kind !== Op.load && kind !== Op.atomicLoad && events.known[i] & Known.seen
    return {
      transition,
      thread: threads[transition],
      kind,
      mode: events.mode[i],
      location,
      other,
      operation: operations[kind].name,
      object: location < 0 ? '' : this.nameOf(location, frames, threads[transition]),
      place: placeOf(frames, site),
      frames,
      isSilent: operations[kind].silent === true || isToldBefore(events, i),
      ...(choice === undefined ? {} : { choice }),
      ...(kind === Op.txAbort ? { choice: abortReason(events.aux[i]) } : {}),
      ...(value === undefined ? {} : { value }),
      ...(hasFound ? { before: String(events.seen[i]) } : {}),
    }
  }
}

/** Whether the event before says the same: a detach beside a join, an abort at once. */
function isToldBefore({ kind, aux }: EventLog, i: number): boolean {
  if (kind[i] === Op.claim) return kind[i - 1] === Op.join
  return kind[i] === Op.txAbort && isAtOnce(aux[i])
}

/**
 * What locations without a name of their own are called most often, by location: where one thread's code does not name an
 * object (at the end of a block that unlocks it, say), that of another, or of another line, does.
 */
function commonNames(events: readonly RecordedEvent[]): ReadonlyMap<number, string> {
  const counts = new Map<number, Map<string, number>>()
  for (const { location, object } of events) {
    if (location < 0 || object === '' || isNameless(object)) continue
    const names = counts.get(location) ?? new Map<string, number>()
    names.set(object, (names.get(object) ?? 0) + 1)
    counts.set(location, names)
  }
  return new Map(
    [...counts].map(([location, names]) => [location, [...names].reduce((a, b) => (b[1] > a[1] ? b : a))[0]]),
  )
}

function loggedValue({ known, seen, written }: EventLog, i: number): string | undefined {
  if (known[i] & Known.written) return String(written[i])
  return known[i] & Known.seen ? String(seen[i]) : undefined
}

function framesOfSite(site: Site | undefined): readonly Frame[] {
  return site === undefined ? [] : [site, ...(site.inlined ?? [])]
}

/** The innermost frame in the user's own code; null where there is only library, or nothing known. */
export function placeOf(frames: readonly Frame[], site: Site | undefined): Place | null {
  const own = frames.find((frame) => !frame.isLibrary)
  if (own === undefined) {
    return site && frames.length === 0
      ? { function: site.function, file: null, line: null, name: site.name }
      : null
  }
  return {
    function: own.function,
    file: own.file ?? null,
    line: own.line ?? null,
    name:
      own.file !== undefined && own.line !== undefined
        ? `${own.file}:${own.line}`
        : (site?.name ?? own.function),
  }
}
