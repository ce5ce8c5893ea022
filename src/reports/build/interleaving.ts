import type { Place, RecordedEvent, Recording, StopReason } from '../../explain/recording.js'
import type { Machine } from '../../machine/machine.js'
import type { Action, Interleaving, Stretch } from '../report.js'
import { Telling } from './telling.js'
import { threadNames } from './thread-names.js'

/** What was recorded as people read it, ended by the bug in the column of the thread that failed. */
export function interleavingOf(machine: Machine, recording: Recording): Interleaving {
  const seen = new Set(recording.transitions.map((t) => t.thread))
  const failures = failuresOf(recording)
  for (const failure of failures) seen.add(failure.thread)
  const { columns, names } = threadNames(machine, seen)
  const stretches: { thread: number; actions: Action[]; preempted: boolean; reason: string | null }[] = []
  const { transitions, events } = recording
  const telling = new Telling(machine, recording)
  transitions.forEach((transition, i) => {
    const previous = transitions[i - 1]
    if (previous?.thread !== transition.thread) {
      const last = stretches.at(-1)
      if (last) {
        last.preempted = transition.isPreemption
        last.reason = reasonText(previous.stop, transition.isPreemption)
      }
      stretches.push({ thread: columns.get(transition.thread)!, actions: [], preempted: false, reason: null })
    }
    const end = transitions[i + 1]?.firstEvent ?? events.length
    for (let step = transition.firstEvent; step < end; step++) {
      if (!telling.isTelling(step)) continue
      stretches.at(-1)!.actions.push({ ...actionOf(machine, events[step]), step })
    }
  })
  for (const { thread, text, place } of failures) {
    const action = { operation: text, object: '', ...placeParts(place), failed: true, step: null }
    stretches.push({ thread: columns.get(thread)!, actions: [action], preempted: false, reason: null })
  }
  const full = stretches.filter((s) => s.actions.length > 0)
  return { threads: names, stretches: mergeNeighbours(full) }
}

interface ShownFailure {
  readonly thread: number
  readonly text: string
  readonly place: Place | null
}

/** Waits of a deadlock appear in the column of each waiting thread. */
function failuresOf({ bug, ends }: Recording): ShownFailure[] {
  if (bug === null) return []
  if (bug.waits) {
    return bug.waits.map((w) => ({
      thread: w.thread,
      text: `${w.spinning ? 'spins on' : 'waits for'} ${w.object}`,
      place: ends.get(w.thread)?.place ?? null,
    }))
  }
  if (bug.thread < 0) return []
  return [{ thread: bug.thread, text: bug.kind, place: ends.get(bug.thread)?.place ?? null }]
}

function reasonText(stop: StopReason, isPreemption: boolean): string | null {
  if (isPreemption) return 'preempted'
  switch (stop.kind) {
    case 'blocked':
      return `waits for ${stop.on.replace(/^thread (.+) to end$/, '$1').replace(/^a signal on /, '')}`
    case 'yielded':
      return 'yields'
    case 'ended':
      return 'ends'
    default:
      return null
  }
}

function actionOf(machine: Machine, event: RecordedEvent): Omit<Action, 'step'> {
  const { operation, object, other, choice, value, place } = event
  const named = [briefObject(object, operation), other >= 0 ? machine.threads.labelOf(other) : '']
  return {
    operation: choice === undefined ? operation : `${operation} → ${choice}`,
    object: named.filter(Boolean).join(' '),
    ...placeParts(place),
    ...(value === undefined ? {} : { value }),
  }
}

/** Locking, waiting and signalling tell by themselves what kind of object they act on. */
export function briefObject(object: string, operation: string): string {
  const kind = /^(condition variable|mutex|rwlock|semaphore|barrier) (?=\S)/.exec(object)?.[1]
  if (kind === undefined) return object
  const isTold = kind === 'mutex' || kind === 'condition variable' || operation.startsWith(kind)
  return isTold && operation !== 'init or destroy' ? object.slice(kind.length + 1) : object
}

function placeParts(place: Place | null): Pick<Action, 'file' | 'line' | 'place'> {
  return { file: place?.file ?? null, line: place?.line ?? null, place: place?.name ?? null }
}

/** Stretches of one thread that became neighbours because what lay between did nothing visible. */
function mergeNeighbours(stretches: readonly Stretch[]): Stretch[] {
  const merged: Stretch[] = []
  for (const stretch of stretches) {
    const last = merged.at(-1)
    if (last && last.thread === stretch.thread) {
      merged[merged.length - 1] = { ...stretch, actions: [...last.actions, ...stretch.actions] }
    } else merged.push(stretch)
  }
  return merged
}
