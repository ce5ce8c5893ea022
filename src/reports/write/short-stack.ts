import { briefFunction } from '../../words/function-name.js'
import type { StackReport } from '../report.js'

/** How many lines of a stack are shown: the innermost ones, which failed, and the outermost, which began it. */
const innermost = 10
const outermost = 4

type Frame = StackReport['frames'][number]

/** A line of a stack: one call, several of the same in a row, or the number of calls that are left out here. */
export type StackLine = { readonly frame: Frame; readonly times: number } | { readonly left: number }

/** A stack at a length that can be read. Recursion makes stacks of thousands of calls; reports as data have all of them. */
export function shortStack(frames: readonly Frame[]): StackLine[] {
  const runs: { frame: Frame; times: number }[] = []
  for (const { function: name, location } of frames) {
    const frame = { function: briefFunction(name), location }
    const last = runs.at(-1)
    if (last !== undefined && isSame(last.frame, frame)) last.times++
    else runs.push({ frame, times: 1 })
  }
  // Two that look alike need not be recursion: a call and an access inside it may be told at one line.
  const lines = runs.flatMap((run) => (run.times === 2 ? [once(run.frame), once(run.frame)] : [run]))
  if (lines.length <= innermost + outermost + 1) return lines
  const middle = lines.slice(innermost, -outermost)
  const left = middle.reduce((calls, { times }) => calls + times, 0)
  return [...lines.slice(0, innermost), { left }, ...lines.slice(-outermost)]
}

function once(frame: Frame) {
  return { frame, times: 1 }
}

function isSame(a: Frame, b: Frame): boolean {
  return a.function === b.function && a.location === b.location
}

/** What is said behind a call that is there several times in a row. */
export function timesText(times: number): string {
  return times === 1 ? '' : ` × ${times}`
}

export function leftText(left: number): string {
  return `${left} more calls`
}
