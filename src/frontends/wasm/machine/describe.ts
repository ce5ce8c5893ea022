import type { Wait } from '../../../machine/bug.js'
import { type LocalVariable, THREAD_LIVE } from '../../../machine/machine.js'
import type { Variable } from '../artifact.js'
import { isLibraryFile } from './call-stack.js'
import type { Kernel } from './kernel.js'
import { localVariableAt } from './local-variables.js'
import { onceRunner } from './once.js'
import { beforeReaders, holdersOf } from './rwlocks.js'
import {
  COUNT_ZERO,
  MUTEX_FREE,
  NEVER,
  NOTIFIED,
  ONCE_IDLE,
  PERMIT_LEFT,
  PHASE_OVER,
  READABLE,
  RELEASED,
  THREAD_ENDED,
  WOKEN,
  WRITABLE,
} from './thread-states.js'

/** Names of places in memory and of what threads wait for, for people. */

/** The static variable an address lies in, with the offset inside it. */
function findVariable(variables: readonly Variable[], address: number): string | undefined {
  let low = 0
  let high = variables.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (variables[middle].address <= address) low = middle + 1
    else high = middle
  }
  const variable = variables[low - 1]
  if (variable === undefined || address >= variable.address + variable.size) return undefined
  const offset = address - variable.address
  return offset === 0 ? variable.name : `${variable.name}+${offset}`
}

/** With `isNow`, locals are called what they are in the functions that their thread is in now. */
export function describeAddress(kernel: Kernel, address: number, isNow = false): string {
  const { artifact, heap, map, threads } = kernel
  const named = kernel.objectNames.at(address)
  if (named !== undefined) return named
  const variable = findVariable(artifact.variables, address)
  if (variable !== undefined) return variable
  const block = heap.blockAt(address)
  const owner = (slot: number) => {
    const thread = kernel.set.threadOf(slot + 1)
    return thread < 0 ? `slot ${slot}` : threads.labelOf(thread)
  }
  if (block !== undefined) {
    const site = artifact.sites[block.site]
    const place = site && [site, ...(site.inlined ?? [])].find(({ file }) => file && !isLibraryFile(file))
    const where = place?.line === undefined ? '' : `, allocated at ${place.file}:${place.line}`
    return `byte ${address - block.start} of block ${block.rank} of thread ${owner(block.slot)}${where}`
  }
  const slot = map.slotOfStack(address)
  const local = isNow && slot >= 0 ? localIn(kernel, slot, address) : undefined
  if (local !== undefined) return local
  if (slot >= 0) return `a local variable of thread ${owner(slot)} at 0x${address.toString(16)}`
  return `0x${address.toString(16)}`
}

function localIn(kernel: Kernel, slot: number, address: number): string | undefined {
  const thread = kernel.set.threadOf(slot + 1)
  return thread < 0 ? undefined : localVariableAt(kernel, thread, address)?.name
}

/** Whose stack a location lies in, and what the local variable there is called now. */
export function localAt(kernel: Kernel, location: number): LocalVariable | undefined {
  const address = kernel.addresses.start[location]
  const slot = kernel.locations.kinds[location] === 'process' ? -1 : kernel.map.slotOfStack(address)
  const thread = slot < 0 ? -1 : kernel.set.threadOf(slot + 1)
  if (thread < 0) return undefined
  const { name, isOpaque = false } = localVariableAt(kernel, thread, address) ?? {}
  return { thread, name, isOpaque }
}

export function describeLocation(kernel: Kernel, location: number, isNow = false): string {
  if (location < 0) return 'nothing'
  const kind = kernel.locations.kinds[location]
  // What is cancelled, and whose end is waited for, is the thread.
  if (kind === 'process') return kernel.locations.keys[location].replace(/^(?:cancellation|end) of /, '')
  const place = describeAddress(kernel, kernel.addresses.start[location], isNow)
  if (kind === 'memory' || kind === 'state') return place
  return `${kind === 'condition' ? 'condition variable' : kind} ${place}`
}

/** What a thread that is not enabled waits for. */
export function describeWait(kernel: Kernel, thread: number): Wait {
  const { pending, states, spins, threads } = kernel
  const { words } = kernel.memory
  const site = pending.site[thread]
  const object = states.object[thread]
  const location = pending.location[thread]
  if (spins.blocked[thread] === 1) {
    const read = spins.locationsRead(thread).map((at) => describeLocation(kernel, at, true))
    return {
      thread,
      object: read.length === 0 ? 'nothing at all' : read.join(', '),
      holders: [],
      site,
      spinning: true,
    }
  }
  const ownerOf = (owner: number) => (owner > 0 && owner <= threads.count ? [owner - 1] : [])
  switch (states.condition[thread]) {
    case MUTEX_FREE:
      return {
        thread,
        object: describeLocation(kernel, location, true),
        holders: ownerOf(words[(object >>> 2) + 1]),
        site,
      }
    case WOKEN:
      if (states.signalled[thread] === 1) {
        return {
          thread,
          object: describeLocation(kernel, location, true),
          holders: ownerOf(words[(object >>> 2) + 1]),
          site,
        }
      }
      return {
        thread,
        object: `a signal on ${describeAddress(kernel, states.waitingOn[thread] >>> 0, true)}`,
        holders: [],
        site,
      }
    case THREAD_ENDED:
      return { thread, object: `thread ${threads.labelOf(object)} to end`, holders: [object], site }
    case ONCE_IDLE:
      return {
        thread,
        object: `the initialiser of ${describeAddress(kernel, object >>> 0, true)}`,
        holders: ownerOf(onceRunner(words[object >>> 2]) + 1),
        site,
      }
    case READABLE:
    case WRITABLE: {
      const before = states.condition[thread] === READABLE ? beforeReaders : holdersOf
      return {
        thread,
        object: describeLocation(kernel, location, true),
        holders: before(kernel, object).filter((holder) => pending.status[holder] === THREAD_LIVE),
        site,
      }
    }
    case NEVER:
      return { thread, object: 'an assumption to hold', holders: [], site }
    case NOTIFIED:
      return {
        thread,
        object: `a notify on ${describeAddress(kernel, object >>> 0, true)}`,
        holders: [],
        site,
      }
    case COUNT_ZERO:
      return {
        thread,
        object: `latch ${describeAddress(kernel, object >>> 0, true)} to be counted down`,
        holders: [],
        site,
      }
    case PERMIT_LEFT:
    case PHASE_OVER:
    case RELEASED:
      return { thread, object: describeLocation(kernel, location, true), holders: [], site }
    default:
      return { thread, object: 'its turn', holders: [], site }
  }
}
