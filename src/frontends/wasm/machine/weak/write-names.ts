import { Order } from '../../../../machine/events.js'
import { olderThan, since } from '../../../../machine/platform.js'
import type { Access } from '../../../../memory/access.js'
import { acquires } from '../../../../memory/clocks.js'
import { EventKind } from '../../../../memory/graph.js'
import type { WeakMemory } from '../../../../memory/weak-memory.js'
import type { Kernel } from '../kernel.js'

/** By number: see `Order`. */
const orderNames = ['relaxed', 'consume', 'acquire', 'release', 'acq_rel', 'seq_cst']

/** Name of an alternative of an access: which write it sees, or follows; if that is not the newest, which is, and why. */
export function nameOfAlternative(
  kernel: Kernel,
  memory: WeakMemory,
  thread: number,
  access: Access,
  write: number,
): string {
  const { graph } = memory
  const newest = graph.last(access.location)
  const what = access.kind === EventKind.write ? 'goes after' : 'sees'
  const seen = `${what} ${writeName(kernel, memory, write)}`
  if (write === newest) return seen
  return `${seen}${olderThan}${writeName(kernel, memory, newest)}${since}${whyOlder(kernel, memory, thread, access)}`
}

function writeName(kernel: Kernel, { graph }: WeakMemory, write: number): string {
  const thread = graph.thread[write]
  if (thread < 0) return `the initial ${graph.value[write]}`
  const writes = graph.eventsOf(thread).filter((event) => graph.writes(event))
  const rank = `write ${writes.indexOf(write) + 1} of thread ${kernel.threads.names[thread]}`
  return `${graph.value[write]} (${rank}${placeText(kernel, graph.site[write])})`
}

function placeText({ artifact }: Kernel, site: number): string {
  const { file, line } = artifact.sites[site] ?? {}
  return line === undefined ? '' : ` at ${file}:${line}`
}

function whyOlder(kernel: Kernel, memory: WeakMemory, thread: number, access: Access): string {
  const { graph, model } = memory
  const newest = graph.last(access.location)
  if (graph.transaction[newest] > 0)
    return 'that transaction may come later, while earlier stores of this thread are in a store buffer still'
  if (model !== 'c11') return 'it may be in a store buffer still'
  const missed = whyUnordered(kernel, memory, thread, graph.thread[newest], graph.rank[newest])
  if (missed !== null) return missed
  const verb = access.kind === EventKind.write ? 'store' : access.kind === EventKind.read ? 'load' : 'update'
  if (!access.isAtomic || !graph.isAtomic[newest]) return 'nothing orders the two'
  if (access.order === Order.seqCst && graph.order[newest] === Order.seqCst) return 'nothing orders the two'
  return `this ${verb} is ${orderNames[access.order]}, that one ${orderNames[graph.order[newest]]}, and nothing else orders the two`
}

/**
 * Why what another thread did up to its event of that rank is not ordered before what a thread does next although the thread
 * has seen something that the other stored later: the last such store, and which side of it has too weak an order.
 */
export function whyUnordered(
  kernel: Kernel,
  { graph }: WeakMemory,
  thread: number,
  other: number,
  rank: number,
): string | null {
  const read = graph.eventsOf(thread).findLast((event) => {
    const source = graph.source[event]
    return source >= 0 && graph.thread[source] === other && graph.rank[source] >= rank
  })
  if (read === undefined) return null
  const write = graph.source[read]
  const { locations } = kernel
  const what = graph.location[write] < locations.count ? kernel.describe(graph.location[write]) : 'it'
  const stored = `the store of ${what}${placeText(kernel, graph.site[write])}`
  const seen = `the load${placeText(kernel, graph.site[read])}`
  const [storeOrder, loadOrder] = [orderNames[graph.order[write]], orderNames[graph.order[read]]]
  const isReleased = (graph.released[write]?.[other] ?? 0) >= rank
  if (!isReleased)
    return `${stored} is ${storeOrder}, so that ${seen}, which saw it, learns of nothing before it`
  if (acquires(graph.order[read])) return null
  return `${seen}, which saw ${stored}, is ${loadOrder} and learns of nothing before it`
}
