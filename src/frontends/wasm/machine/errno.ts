/** Error numbers of the libc that programs are linked with. */
export const errno = {
  again: 6,
  badFile: 8,
  busy: 10,
  deadlock: 16,
  invalid: 28,
  outOfMemory: 48,
  notPermitted: 63,
  noSuchThread: 71,
  timedOut: 73,
} as const
