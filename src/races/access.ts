/** What an access does to its location. Atomics do not race with each other. */
export const Access = { read: 0, write: 1, atomicRead: 2, atomicWrite: 3 } as const
export const accessClasses = 4

/** By class: the classes it can race with, as bits. */
export const racesWith = Uint8Array.from([
  /* mutant: writes count */ (1 << Access.write) | (1 << Access.atomicWrite),
  /* mutant: reads count */ (1 << Access.read) |
    (1 << Access.write) |
    (1 << Access.atomicRead) |
    (1 << Access.atomicWrite),
  /* mutant: atomics and plain */ 1 << Access.write,
  (1 << Access.read) | (1 << Access.write),
])
