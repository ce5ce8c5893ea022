/** Programs whose bugs the default check need not find within a minute on two cores, and why. */
export const exceptions = {
  'safe-stack': 'five preemptions among three threads: about one sample of pos in 150 000 shows it',
}
