import { Trace } from '../../src/execution/trace.js'
import { type Machine, THREAD_LIVE } from '../../src/machine/machine.js'
import type { ObjectKind } from '../../src/machine/names.js'
import { announcedMode, Mode, Op, operations } from '../../src/machine/operation.js'
import { dependent } from '../../src/ordering/dependence.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import {
  CannotFollow,
  type Choice,
  describeStop,
  endText,
  eventsByThread,
  following,
  type RecordedStep,
  type Recording,
  record,
} from '../contract/recording.js'

/**
 * What "independent" has to mean, checked by running: two neighbouring transitions of different threads that are
 * independent can change places and nobody can tell, and neither changes what the other shows or whether it can run.
 */

interface Touch {
  readonly kind: number
  readonly mode: number
  readonly location: number
}

export type Edge = 'create' | 'wake' | 'join'

/** A dependence relation to be checked. */
export interface Relation {
  dependent(machine: Machine, a: Touch, b: Touch): boolean
  /** Whether that kind of order between threads counts. */
  has(edge: Edge): boolean
}

export const table: Relation = {
  dependent: (machine, a, b) => dependent(machine.locations, a.location, a.mode, b.location, b.mode),
  has: () => true,
}

const modeNames = Object.fromEntries(Object.entries(Mode).map(([name, mode]) => [mode, name]))

/** `try lock read`: an operation and how it turned out. */
export function label({ kind, mode }: Touch): string {
  return `${operations[kind].name} ${modeNames[mode]}`
}

/** An entry of the table: two operations, as they turned out, on one object. */
export interface Entry {
  readonly object: ObjectKind
  readonly pair: readonly [string, string]
}

/** The table with one entry called independent. */
export function without({ object, pair: [first, second] }: Entry): Relation {
  const matches = (a: Touch, b: Touch) => label(a) === first && label(b) === second
  return {
    dependent(machine, a, b) {
      const here = a.location >= 0 && machine.locations.kinds[a.location] === object
      return !(here && (matches(a, b) || matches(b, a))) && table.dependent(machine, a, b)
    },
    has: () => true,
  }
}

export function withoutEdge(edge: Edge): Relation {
  return { ...table, has: (other) => other !== edge }
}

/** What every thread shows at one moment. */
interface Shown extends Touch {
  readonly live: boolean
  readonly alternatives: number
  readonly spinning: boolean
}

/** One execution, with all that the check needs. */
class Subject {
  readonly base: Recording
  readonly choices: readonly Choice[]
  readonly shown: Shown[][] = []
  /** Fingerprint of the first n transitions. */
  readonly prefixes: string[] = []
  readonly fingerprint: string
  private readonly fingerprints: Fingerprint

  constructor(
    readonly machine: Machine,
    choices: readonly Choice[],
  ) {
    this.fingerprints = new Fingerprint(machine)
    this.base = record(machine, following(choices), { onStop: () => this.shown.push(showAll(machine)) })
    this.choices = choices.slice(0, this.base.steps.length)
    this.shown.push(showAll(machine))
    const { trace, end } = this.base
    for (let n = 0; n <= trace.length; n++) this.prefixes.push(this.fingerprints.of(prefixOf(trace, n)))
    this.fingerprint = this.fingerprints.of(trace, end === 'failed' ? 'failed' : 'completed')
  }

  /** The execution with transitions i and i + 1 exchanged; null when that cannot be run. */
  swapped(i: number): { end: Recording; stop: string; fingerprint: string; prefix: string } | string {
    const { machine, choices } = this
    const order = [...choices.slice(0, i), choices[i + 1], choices[i], ...choices.slice(i + 2)]
    let stop = ''
    const onStop = (_: unknown, steps: readonly RecordedStep[]) => {
      if (steps.length === i + 2) stop = stopText(describeStop(machine))
    }
    try {
      const end = record(machine, following(order), { onStop, withoutStops: true })
      return {
        end,
        stop,
        fingerprint: this.fingerprints.of(end.trace, end.end === 'failed' ? 'failed' : 'completed'),
        prefix:
          end.steps.length < i + 2 || (end.end === 'failed' && end.steps.length === i + 2)
            ? ''
            : this.fingerprints.of(prefixOf(end.trace, i + 2)),
      }
    } catch (error) {
      if (error instanceof CannotFollow) return error.message
      throw error
    }
  }
}

function stopText(stop: ReadonlyMap<string, string>): string {
  return [...stop].map(([name, stands]) => `${name}: ${stands}`).join('\n')
}

function prefixOf(trace: Trace, length: number): Trace {
  const prefix = new Trace(trace.events)
  for (let i = 0; i < length; i++) {
    prefix.push(trace.thread[i], trace.value[i])
    prefix.eventEnd[i] = trace.eventEnd[i]
  }
  return prefix
}

function showAll(machine: Machine): Shown[] {
  const { status, kind, location } = machine.pending
  return [...machine.threads.names.keys()].map((t) => {
    const live = status[t] === THREAD_LIVE
    const alternatives = live ? machine.alternatives(t) : 0
    return {
      live,
      kind: kind[t],
      mode: announcedMode[kind[t]],
      location: location[t],
      alternatives,
      spinning: live && alternatives === 0 && (machine.waitOf(t).spinning ?? false),
    }
  })
}

/** Whether the relation orders two neighbouring transitions: by a conflict, or because one let the other's thread go on. */
export function ordered(
  relation: Relation,
  machine: Machine,
  a: RecordedStep,
  b: RecordedStep,
): 'conflict' | 'edge' | null {
  // The end of the program waits until nothing else can run.
  if ([...a.events, ...b.events].some((e) => e.kind === Op.processExit)) return 'conflict'
  for (const x of a.events) {
    if (x.kind === Op.create && x.aux === b.thread && relation.has('create')) return 'edge'
    if (x.kind === Op.wake && x.aux === b.thread && relation.has('wake')) return 'edge'
  }
  for (const y of b.events)
    if (y.kind === Op.join && y.aux === a.thread && relation.has('join')) return 'edge'
  for (const x of a.events) for (const y of b.events) if (relation.dependent(machine, x, y)) return 'conflict'
  return null
}

export interface Tally {
  /** Pairs that were exchanged without anybody noticing. */
  independent: number
  /** Pairs whose exchange gave another class. */
  dependent: number
  /** Pairs that cannot be exchanged. */
  fixed: number
}

/**
 * Checks every pair of neighbours of one execution, and that no transition changes what it is independent of. Returns
 * what is wrong, or null. Of another relation than the table itself only what the program could tell is demanded:
 * fingerprints and states found follow from the table.
 */
export function findWrong(
  machine: Machine,
  choices: readonly Choice[],
  relation: Relation = table,
  tally?: Tally,
): string | null {
  const subject = new Subject(machine, choices)
  const { steps, end } = subject.base
  // A failure ends the execution: it depends on everything.
  const last = end === 'failed' ? steps.length - 1 : steps.length
  for (let i = 0; i < last; i++) {
    const wrong = findDisturbed(subject, i, relation)
    if (wrong !== null) return wrong
  }
  const then = endText(subject.base).join('\n')
  const found = relation === table
  const eventsOf = (recording: Recording) => JSON.stringify([...eventsByThread(recording, { found })])
  const events = eventsOf(subject.base)
  for (let i = 0; i + 1 < last; i++) {
    if (steps[i].thread === steps[i + 1].thread) continue
    const what = `${describe(subject, i)} and ${describe(subject, i + 1)}`
    const order = ordered(relation, machine, steps[i], steps[i + 1])
    const other = subject.swapped(i)
    if (order === null) {
      if (typeof other === 'string') return `${what} cannot be exchanged: ${other}`
      const stop = i + 2 < steps.length ? stopText(steps[i + 2].stop) : stopText(subject.base.stop)
      const otherwise = endText({ ...other.end, stop: describeStop(machine) }).join('\n')
      if (i + 2 < steps.length && other.stop !== stop)
        return `${what}: exchanged, threads stand\n${other.stop}\nnot\n${stop}`
      if (eventsOf(other.end) !== events) return `${what}: exchanged, threads do something else`
      if (otherwise !== then) return `${what}: exchanged, it ends\n${otherwise}\nnot\n${then}`
      if (found && other.fingerprint !== subject.fingerprint) return `${what}: exchanged, another fingerprint`
      if (tally) tally.independent++
    } else if (typeof other === 'string') {
      if (tally) tally.fixed++
    } else {
      if (order === 'edge') return `${what} are ordered by an edge but can be exchanged`
      if (other.prefix === subject.prefixes[i + 2])
        return `${what} depend on each other: exchanged, the same fingerprint`
      if (tally) tally.dependent++
    }
  }
  return null
}

/** A transition changed what another thread shows, or whether it can run, though nothing makes it depend on that. */
function findDisturbed(subject: Subject, i: number, relation: Relation): string | null {
  const { machine, shown, base } = subject
  const { thread, events } = base.steps[i]
  const exits = events.some((e) => e.kind === Op.exit)
  for (const [t, before] of shown[i].entries()) {
    const after = shown[i + 1][t]
    // What a blocked spinner depends on shows only in the events of its going on: exchanging covers it.
    if (t === thread || !before.live || before.spinning) continue
    const same =
      before.kind === after.kind &&
      before.location === after.location &&
      before.alternatives === after.alternatives
    if (same) continue
    if (events.some((e) => relation.dependent(machine, e, before))) continue
    if (relation.has('wake') && events.some((e) => e.kind === Op.wake && e.aux === t)) continue
    if (relation.has('join') && before.kind === Op.join && exits) continue
    const name = machine.threads.names[t]
    return `${describe(subject, i)} changed what ${name} can do, ${operations[before.kind].name}`
  }
  return null
}

function describe({ base }: Subject, i: number): string {
  const { name, events } = base.steps[i]
  return `[${i}] ${name} ${events.map((e) => label(e)).join(' + ')}`
}
