import type { Unit } from './objects.js'

/** What sends a signal to a thread: a program without has no use for what follows. */
const SENDS = /\b(?:pthread_kill|raise|kill)\s*\(/
const KNOWS = /<(?:signal\.h|csignal)>/

/** Has the compiler call `runtime/signals.c` before each access to memory. */
const LOOKS = '-fsanitize-coverage=func,trace-loads,trace-stores'

/** The units with flags for signals, which may come before any access of any thread. */
export function withSignals(units: readonly Unit[]): Unit[] {
  const decoder = new TextDecoder()
  const texts = units.map(({ set }) => set.files.map((file) => decoder.decode(file.content)))
  const isSending = texts.some((files) => files.some((text) => SENDS.test(text) && KNOWS.test(text)))
  return isSending ? units.map((unit) => ({ ...unit, flags: [LOOKS, ...unit.flags] })) : [...units]
}
