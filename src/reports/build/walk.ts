import type { RecordedEvent, Recording } from '../../explain/recording.js'
import type { Bug, Frame } from '../../machine/bug.js'
import type { Machine } from '../../machine/machine.js'
import { Mode } from '../../machine/operation.js'
import { GIVES, lockRule, SHARED, TAKES } from '../../races/lock-rules.js'
import type { StackReport, Walk, WalkStep } from '../report.js'
import { ownFrames } from './stacks.js'
import { Switches } from './switches.js'
import { threadNames } from './thread-names.js'
import { edgesOf } from './walk-edges.js'

/** What was recorded, to walk through. */
export function walkOf(machine: Machine, recording: Recording): Walk {
  return new WalkBuilder(machine, recording).build()
}

class WalkBuilder {
  private readonly columns: ReadonlyMap<number, number>
  private readonly names: readonly string[]
  private readonly steps: WalkStep[] = []
  /** Step of each event, -1 for those that are not shown. */
  private readonly stepOf: Int32Array
  private readonly stacks: StackReport['frames'][] = []
  private readonly stackIndex = new Map<string, number>()
  private readonly held = new Map<number, string[]>()
  private readonly switches: Switches
  private previous = -1

  constructor(
    private readonly machine: Machine,
    private readonly recording: Recording,
  ) {
    const { transitions, bug, events } = recording
    const seen = new Set(transitions.map((t) => t.thread))
    for (const wait of bug?.waits ?? []) seen.add(wait.thread)
    if (bug && bug.thread >= 0) seen.add(bug.thread)
    const { columns, names } = threadNames(machine, seen)
    this.columns = columns
    this.names = names
    let steps = 0
    this.stepOf = Int32Array.from(events, (event) => (isShown(event) ? steps++ : -1))
    this.switches = new Switches(machine, recording, this.stepOf, (thread) => names[columns.get(thread)!])
  }

  build(): Walk {
    const { machine, recording, steps, stacks } = this
    recording.events.forEach((event, i) => {
      if (this.stepOf[i] >= 0) this.addEvent(event, i)
      this.noteLock(event)
    })
    for (const { thread, text } of failuresOf(recording)) this.addFailure(thread, text)
    return {
      threads: this.names,
      steps,
      stacks,
      edges: edgesOf(machine, recording, this.stepOf),
    }
  }

  private addEvent(event: RecordedEvent, i: number): void {
    const { machine } = this
    const { thread, operation, object, other, choice, place, value = null, before = null, location } = event
    const isMemory = location >= 0 && machine.locations.kinds[location] === 'memory'
    const target = other >= 0 ? machine.threads.labelOf(other) : ''
    this.add(thread, event.transition, i, {
      operation: choice === undefined ? operation : `${operation} → ${choice}`,
      object: [object, target].filter(Boolean).join(' '),
      file: place?.file ?? null,
      line: place?.line ?? null,
      location: place?.name ?? null,
      value,
      before,
      failed: false,
      isPrivate: isMemory && !this.recording.shared.has(location),
      stack: this.stackOf(event.frames),
    })
  }

  private addFailure(thread: number, text: string): void {
    const { ends, transitions } = this.recording
    const end = ends.get(thread)
    this.add(thread, transitions.length, null, {
      operation: text,
      object: '',
      file: end?.place?.file ?? null,
      line: end?.place?.line ?? null,
      location: end?.place?.name ?? null,
      value: null,
      before: null,
      failed: true,
      isPrivate: false,
      stack: this.stackOf(end?.frames ?? []),
    })
  }

  private add(
    thread: number,
    transition: number,
    event: number | null,
    step: Omit<WalkStep, 'thread' | 'switched' | 'locks' | 'event'>,
  ): void {
    const { previous } = this
    const locks = [...(this.held.get(thread) ?? [])]
    // Where threads wait for ever, each is told in turn: nobody goes on.
    const isStuck = event === null && this.recording.bug?.waits !== undefined
    const switched =
      thread === previous || previous < 0 || isStuck
        ? null
        : this.switches.before(transition, thread, event ?? this.stepOf.length)
    this.steps.push({ ...step, thread: this.columns.get(thread)!, switched, locks, event })
    this.previous = thread
  }

  private stackOf(frames: readonly Frame[]): number {
    const own = ownFrames(frames)
    const key = JSON.stringify(own)
    let index = this.stackIndex.get(key)
    if (index === undefined) {
      index = this.stacks.push(own) - 1
      this.stackIndex.set(key, index)
    }
    return index
  }

  private noteLock({ thread, kind, mode, object }: RecordedEvent): void {
    const rule = lockRule[kind]
    if (rule === 0 || mode === Mode.read) return
    const held = this.held.get(thread) ?? []
    this.held.set(thread, held)
    const name = (rule & SHARED) === 0 ? object : `${object} (for reading)`
    if ((rule & TAKES) !== 0) held.push(name)
    else if ((rule & GIVES) !== 0 && held.includes(name)) held.splice(held.lastIndexOf(name), 1)
  }
}

function isShown({ isSilent, place, frames }: RecordedEvent): boolean {
  return !isSilent && (place !== null || frames.length === 0)
}

/** The message, with its kind before it unless it says so itself. */
function failureText({ kind, message }: Bug): string {
  return message.startsWith(`${kind} `) ? message : `${kind}: ${message}`
}

function failuresOf({ bug }: Recording): { thread: number; text: string }[] {
  if (bug === null) return []
  if (bug.waits) {
    return bug.waits.map((w) => ({
      thread: w.thread,
      text: `${w.spinning ? 'spins on' : 'waits for'} ${w.object}`,
    }))
  }
  return bug.thread < 0 ? [] : [{ thread: bug.thread, text: failureText(bug) }]
}
