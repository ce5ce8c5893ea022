import { Op } from '../../../machine/operation.js'
import { EPOCH } from './clock.js'
import { errno } from './errno.js'
import type { Kernel } from './kernel.js'
import { ALWAYS } from './thread-states.js'

/** Bytes of a subscription and of an event, as WASI preview 1 lays them out. */
const SUBSCRIPTION = 48
const EVENT = 32
const CLOCK = 0
const READ = 1
const WRITE = 2
const ABSOLUTE = 1
/** The largest file that can be read or written. */
const LAST_FILE = 2

interface Expected {
  readonly user: bigint
  readonly type: number
  readonly error: number
  /** Nanoseconds until it happens. */
  readonly delay: number
}

/**
 * `poll_oneoff`: waits for the first of several events. Input and output are always ready; waiting for a clock lets
 * virtual time pass for the calling thread, and others may run meanwhile.
 */
export function pollOneoff(
  kernel: Kernel,
  subscriptions: number,
  events: number,
  count: number,
  result: number,
): number {
  if (kernel.phase() === 0 && kernel.stopsBefore(Op.yield, -1, ALWAYS, 0)) return 0
  kernel.journal.recordIdle(Op.yield)
  const from = subscriptions >>> 0
  const number = count >>> 0
  if (number === 0) return errno.invalid
  kernel.journal.hostAccess('list of subscriptions', from, number * SUBSCRIPTION, false)
  const now = kernel.states.clock[kernel.running]
  const view = new DataView(kernel.memory.bytes.buffer)
  const expected = Array.from({ length: number }, (_, i) =>
    readSubscription(view, from + i * SUBSCRIPTION, now),
  )
  if (expected.some(({ type }) => type > WRITE)) return errno.invalid
  const delay = Math.min(...expected.map((event) => event.delay))
  kernel.states.clock[kernel.running] += delay
  const happened = expected.filter((event) => event.delay <= delay)
  const to = events >>> 0
  kernel.journal.hostAccess('list of events', to, happened.length * EVENT, true)
  kernel.journal.hostAccess('place for a result', result >>> 0, 4, true)
  happened.forEach((event, i) => {
    const at = to + i * EVENT
    kernel.memory.bytes.fill(0, at, at + EVENT)
    view.setBigUint64(at, event.user, true)
    view.setUint16(at + 8, event.error, true)
    view.setUint8(at + 10, event.type)
  })
  view.setUint32(result >>> 0, happened.length, true)
  return 0
}

function readSubscription(view: DataView, at: number, now: number): Expected {
  const user = view.getBigUint64(at, true)
  const type = view.getUint8(at + 8)
  if (type !== CLOCK) {
    const file = view.getUint32(at + 16, true)
    const isKnown = type === READ ? file === 0 : file > 0 && file <= LAST_FILE
    return { user, type, error: isKnown ? 0 : errno.badFile, delay: 0 }
  }
  const timeout = Number(view.getBigUint64(at + 24, true))
  const isAbsolute = (view.getUint16(at + 40, true) & ABSOLUTE) !== 0
  return { user, type, error: 0, delay: Math.max(0, isAbsolute ? timeout - EPOCH * 1e9 - now : timeout) }
}
