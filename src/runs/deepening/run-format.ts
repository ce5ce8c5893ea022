/** Format of a saved run of Iterative Deepening. */
export const runFormat = 'faultline-run/1'
