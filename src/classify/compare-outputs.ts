import type { Output } from '../machine/machine.js'

/**
 * What counts as the same output: everything in the same order; what each thread prints, however threads take turns;
 * the same pieces in whatever order. Streams are compared one by one.
 */
export const outputOrders = ['ordered', 'per-thread', 'multiset'] as const
export type OutputOrder = (typeof outputOrders)[number]

/** The first place where two outputs differ; null on a side that has nothing there. */
export interface OutputDifference {
  readonly stream: string
  /** Number of the piece of that stream (of that thread of it), from 0. */
  readonly index: number
  readonly first: Output | null
  readonly second: Output | null
}

/** Null if the outputs are the same. */
export function compareOutputs(
  first: readonly Output[],
  second: readonly Output[],
  order: OutputOrder,
): OutputDifference | null {
  const one = divide(first, order)
  const other = divide(second, order)
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const a = one.get(key) ?? []
    const b = other.get(key) ?? []
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
      if (a[i]?.text === b[i]?.text) continue
      return { stream: (a[i] ?? b[i]).stream, index: i, ...firstDifference(a, b, i, order) }
    }
  }
  return null
}

/** Of sorted pieces, the one that the other side lacks. */
function firstDifference(
  a: readonly Output[],
  b: readonly Output[],
  i: number,
  order: OutputOrder,
): Pick<OutputDifference, 'first' | 'second'> {
  const first = a[i] ?? null
  const second = b[i] ?? null
  if (order !== 'multiset' || first === null || second === null || a.length === b.length)
    return { first, second }
  return first.text < second.text ? { first, second: null } : { first: null, second }
}

/** What is compared in order: by stream, or by stream and thread. */
function divide(outputs: readonly Output[], order: OutputOrder): Map<string, Output[]> {
  const parts = new Map<string, Output[]>()
  for (const output of outputs) {
    const key = order === 'per-thread' ? `${output.stream} ${output.thread}` : output.stream
    const part = parts.get(key)
    if (part === undefined) parts.set(key, [output])
    else part.push(output)
  }
  if (order === 'multiset')
    for (const part of parts.values()) part.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
  return parts
}
