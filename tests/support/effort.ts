/**
 * How much the tests try: `FAULTLINE_EFFORT`, 1 unless it is set. Every test with random programs or runs tries so many
 * times its usual number of them. Above 1, sets of which there is usually a part (examples, corpus, cases of agreement)
 * are whole, too. `npm run test:full` sets it; seeds stay the same.
 */
const effort = Number(process.env.FAULTLINE_EFFORT ?? 1)
if (!(effort > 0)) throw new RangeError('FAULTLINE_EFFORT must be a number above 0')

/** Whether to run what is left to `npm run test:full`. */
export const isFull = effort > 1

/** How many random programs or runs, where `usual` are enough for every day. */
export function times(usual: number): number {
  return Math.ceil(usual * effort)
}
