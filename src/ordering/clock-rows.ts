/** Vector clocks are rows of one array, an entry per thread; a later time is a larger number. */

/** Joins a clock into another: the latest of both, entry by entry. */
export function joinClock(
  target: Int32Array,
  at: number,
  source: Int32Array,
  from: number,
  length: number,
): void {
  for (let t = 0; t < length; t++) {
    const value = source[from + t]
    if (value > target[at + t]) target[at + t] = value
  }
}

export function copyClock(
  target: Int32Array,
  at: number,
  source: Int32Array,
  from: number,
  length: number,
): void {
  for (let t = 0; t < length; t++) target[at + t] = source[from + t]
}

/** The same rows with more room in each. */
export function widened(rows: Int32Array, old: number, stride: number): Int32Array<ArrayBuffer> {
  const wide = new Int32Array((rows.length / old) * stride)
  for (let r = 0; r * old < rows.length; r++) wide.set(rows.subarray(r * old, (r + 1) * old), r * stride)
  return wide
}
