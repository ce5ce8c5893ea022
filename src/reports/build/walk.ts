import type { RecordedEvent, Recording } from '../../explain/recording.js'
import type { Machine } from '../../machine/machine.js'
import type { StackReport } from '../report.js'
import { ownFrames } from './stacks.js'
import { threadNames } from './thread-names.js'

/** An execution to walk through, step by step. Plain data. */
export interface Walk {
  /** Names for people. */
  readonly threads: readonly string[]
  readonly steps: readonly WalkStep[]
}

export interface WalkStep {
  /** Index into `threads`. */
  readonly thread: number
  readonly operation: string
  readonly object: string
  readonly file: string | null
  readonly line: number | null
  /** `queue.c:41`, or the name of the place. */
  readonly location: string | null
  /** What the object holds afterwards, where that is known. */
  readonly value: string | null
  /** Why this thread runs now and not the one before: null if it is the same. */
  readonly switched: string | null
  /** It failed here. */
  readonly failed: boolean
  /** The object is memory that only one thread uses. */
  readonly isPrivate: boolean
  readonly frames: StackReport['frames']
}

export function walkOf(machine: Machine, recording: Recording): Walk {
  const { transitions, events, bug, ends, shared } = recording
  const seen = new Set(transitions.map((t) => t.thread))
  for (const wait of bug?.waits ?? []) seen.add(wait.thread)
  if (bug && bug.thread >= 0) seen.add(bug.thread)
  const { columns, names } = threadNames(machine, seen)
  const steps: WalkStep[] = []
  let previous = -1
  const add = (thread: number, step: Omit<WalkStep, 'thread' | 'switched'>, transition: number) => {
    const switched =
      thread === previous || previous < 0 ? null : reasonOf(recording, transition, names, columns)
    steps.push({ ...step, thread: columns.get(thread)!, switched })
    previous = thread
  }
  for (const event of events) {
    if (!isShown(event)) continue
    const { thread, operation, object, other, choice, place, value = null, location } = event
    const isMemory = location >= 0 && machine.locations.kinds[location] === 'memory'
    const target = other >= 0 ? machine.threads.labelOf(other) : ''
    add(
      thread,
      {
        operation: choice === undefined ? operation : `${operation} → ${choice}`,
        object: [object, target].filter(Boolean).join(' '),
        file: place?.file ?? null,
        line: place?.line ?? null,
        location: place?.name ?? null,
        value,
        failed: false,
        isPrivate: isMemory && !shared.has(location),
        frames: ownFrames(event.frames),
      },
      event.transition,
    )
  }
  for (const { thread, text } of failuresOf(recording)) {
    const end = ends.get(thread)
    const step = {
      operation: text,
      object: '',
      file: end?.place?.file ?? null,
      line: end?.place?.line ?? null,
      location: end?.place?.name ?? null,
      value: null,
      failed: true,
      isPrivate: false,
      frames: ownFrames(end?.frames ?? []),
    }
    add(thread, step, transitions.length)
  }
  return { threads: names, steps }
}

function isShown({ isSilent, place, frames }: RecordedEvent): boolean {
  return !isSilent && (place !== null || frames.length === 0)
}

function failuresOf({ bug }: Recording): { thread: number; text: string }[] {
  if (bug === null) return []
  if (bug.waits) {
    return bug.waits.map((w) => ({
      thread: w.thread,
      text: `${w.spinning ? 'spins on' : 'waits for'} ${w.object}`,
    }))
  }
  return bug.thread < 0 ? [] : [{ thread: bug.thread, text: `${bug.kind}: ${bug.message}` }]
}

/** Why the thread before stopped running, as it stood before this transition. */
function reasonOf(
  { transitions }: Recording,
  transition: number,
  names: readonly string[],
  columns: ReadonlyMap<number, number>,
): string {
  const before = transitions[transition - 1]
  if (before === undefined) return ''
  const name = names[columns.get(before.thread)!]
  if (transitions[transition]?.isPreemption) return `${name} is preempted`
  switch (before.stop.kind) {
    case 'blocked':
      return `${name} waits for ${before.stop.on}`
    case 'ended':
      return `${name} has ended`
    case 'yielded':
      return `${name} gives way`
    default:
      return `${name} stops`
  }
}
