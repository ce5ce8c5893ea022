/**
 * The word of a once control or of the guard of a static variable: 0 at first, `ONCE_DONE` when it has been
 * initialised, and meanwhile who does that, in the upper bytes: compiled code takes a lowest byte that is not 0 for done.
 */
export const ONCE_DONE = 1

const SHIFT = 8

export function onceRunBy(thread: number): number {
  return (thread + 1) << SHIFT
}

/** Index of the thread that runs the initialiser, or -1. */
export function onceRunner(word: number): number {
  return (word >>> SHIFT) - 1
}
