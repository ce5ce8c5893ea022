/** A longer copy of a typed array: how everything reused between executions grows. */
export function grown<T extends Int32Array | Uint8Array | Float64Array>(array: T, size: number): T {
  const longer = new (array.constructor as new (size: number) => T)(size)
  longer.set(array)
  return longer
}
