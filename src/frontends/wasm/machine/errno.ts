import type { Kernel } from './kernel.js'

/** Error numbers of the libc that programs are linked with. */
export const errno = {
  again: 6,
  badFile: 8,
  busy: 10,
  deadlock: 16,
  exists: 20,
  invalid: 28,
  isFolder: 31,
  noEntry: 44,
  noMemory: 48,
  outOfMemory: 48,
  notEmpty: 55,
  notSupported: 58,
  overflow: 61,
  notPermitted: 63,
  notRecoverable: 56,
  ownerDead: 62,
  noSuchThread: 71,
  timedOut: 73,
} as const

/** Sets the running thread's `errno`; a program that has none does not look. */
export function setErrno({ artifact, memory }: Kernel, code: number): void {
  const address = artifact.layout.errno
  if (address !== 0) memory.words[address >>> 2] = code
}
