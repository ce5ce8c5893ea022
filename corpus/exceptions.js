/** Programs whose bugs the default check need not find within a minute on two cores, and why. */
export const exceptions = {}
