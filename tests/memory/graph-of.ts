import type { Runner } from '../../src/execution/runner.js'
import { Op } from '../../src/machine/operation.js'
import { graphSource } from '../../src/memory/graph-source.js'

/** Operations on synchronisation objects whose order is not part of a graph. */
const unordered = new Set<number>([Op.barrierLeave, Op.probe, Op.resume, Op.fence])

/**
 * What an execution graph is, from what happened: who reads from whom, the order of the writes to each location, and the
 * order of what was done to each synchronisation object, by thread and number of its operation there.
 */
export function graphOf({ machine, trace }: Runner): string {
  const { graph } = graphSource(machine)!.memory!
  const name = (event: number) => `${graph.thread[event]}.${graph.rank[event]}`
  const parts: string[] = []
  for (const events of graph.byThread) {
    for (const event of events)
      if (graph.source[event] >= 0) parts.push(`${name(event)}<${name(graph.source[event])}`)
  }
  graph.modificationOrder.forEach((order, location) => {
    parts.push(`${location}:${order.map(name).join()}`)
  })
  const orders = new Map<number, string[]>()
  const counts = new Map<string, number>()
  const { events } = trace
  for (let d = 0; d < trace.length; d++) {
    for (let i = d === 0 ? 0 : trace.eventEnd[d - 1]; i < trace.eventEnd[d]; i++) {
      const [kind, location] = [events.kind[i], events.location[i]]
      if (location < 0 || unordered.has(kind) || machine.locations.kinds[location] === 'memory') continue
      const key = `${trace.thread[d]} ${location}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (!orders.has(location)) orders.set(location, [])
      const choice = kind === Op.condSignal ? `=${machine.threads.count > 0 ? trace.value[d] : 0}` : ''
      orders.get(location)!.push(`${trace.thread[d]}.${counts.get(key)}${choice}`)
    }
  }
  for (const location of [...orders.keys()].sort((a, b) => a - b)) {
    parts.push(`${machine.locations.keys[location]}: ${orders.get(location)!.join()}`)
  }
  return parts.join(' ')
}
