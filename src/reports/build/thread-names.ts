import type { Machine } from '../../machine/machine.js'

/** Names for people and columns of threads, in the order of canonical names (`0.2` before `0.10`); no name twice. */
export function threadNames(
  machine: Machine,
  threads: Iterable<number>,
): { columns: Map<number, number>; names: string[] } {
  const { names, labelOf } = {
    names: machine.threads.names,
    labelOf: (t: number) => machine.threads.labelOf(t),
  }
  const order = [...threads].sort((a, b) => names[a].localeCompare(names[b], 'en', { numeric: true }))
  const labels = order.map(labelOf)
  return {
    columns: new Map(order.map((thread, i) => [thread, i])),
    names: order.map((thread, i) =>
      labels.indexOf(labels[i]) === labels.lastIndexOf(labels[i])
        ? labels[i]
        : `${labels[i]} ${names[thread]}`,
    ),
  }
}
