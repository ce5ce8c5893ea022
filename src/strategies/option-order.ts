/** Which option of a point a depth-first search tries first: go on with the same thread, leave it, or any. */
export type OptionOrder = 'stay' | 'preempt' | 'random'
