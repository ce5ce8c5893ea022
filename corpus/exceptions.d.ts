/** By program: why its bug need not be found by default within a minute on two cores. */
export const exceptions: Readonly<Record<string, string>>
