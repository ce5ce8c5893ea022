import type { Recording } from '../../explain/recording.js'
import type { Frame } from '../../machine/bug.js'
import type { Machine } from '../../machine/machine.js'
import type { StackReport } from '../report.js'

/** The stacks that belong to a failure: of the thread that failed, or of all that wait, and what the bug itself brings. */
export function stacksOf(machine: Machine, { bug, ends }: Recording): StackReport[] {
  if (bug === null) return []
  const label = (thread: number) => (thread < 0 ? null : machine.threads.labelOf(thread))
  const threads = bug.waits ? bug.waits.map((w) => w.thread) : bug.thread >= 0 ? [bug.thread] : []
  const own = threads.map((thread) => ({
    title: bug.waits ? 'waits' : 'failed',
    thread: label(thread),
    frames: ownFrames(ends.get(thread)?.frames ?? []),
  }))
  const others = (bug.stacks ?? []).map(({ title, thread, frames }) => ({
    title,
    thread: label(thread),
    frames: ownFrames(frames),
  }))
  return [...own, ...others].filter((stack) => stack.frames.length > 0)
}

/** Frames of the user's code; of the library only if there is nothing else. */
export function ownFrames(frames: readonly Frame[]): StackReport['frames'] {
  const own = frames.filter((frame) => !frame.isLibrary)
  return (own.length > 0 ? own : frames).map((frame) => ({
    function: frame.function,
    location: frame.file && frame.line ? `${frame.file}:${frame.line}` : null,
  }))
}
