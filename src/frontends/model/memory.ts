import { Changes, Known, Order } from '../../machine/events.js'
import { Mode, Op } from '../../machine/operation.js'
import type { CheckFunction } from './checks.js'
import { DONE, type ModelState } from './state.js'

/** Shared variables and atomics. Each is one event; an update that leaves the value as it was is a read. */

export function load(s: ModelState, t: number): number {
  return read(s, t, Op.load)
}

export function atomicLoad(s: ModelState, t: number): number {
  return read(s, t, Op.atomicLoad)
}

export function store(s: ModelState, t: number): number {
  return write(s, t, Op.store, s.a[t])
}

export function atomicStore(s: ModelState, t: number): number {
  return write(s, t, Op.atomicStore, s.a[t])
}

export function exchange(s: ModelState, t: number): number {
  return update(s, t, s.a[t], Changes.unlessEqual, s.a[t], true)
}

export function fetchAdd(s: ModelState, t: number): number {
  const changes = s.a[t] === 0 ? Changes.never : Changes.always
  return update(s, t, (s.cells[s.object[t]] + s.a[t]) | 0, changes, 0, true)
}

export function compareExchange(s: ModelState, t: number): number {
  const old = s.cells[s.object[t]]
  const expected = s.a[t]
  const changes = s.b[t] === expected ? Changes.never : Changes.ifEqual
  return update(s, t, old === expected ? s.b[t] : old, changes, expected, old === expected)
}

export function fence(s: ModelState, t: number): number {
  s.recordIdle(t, Op.fence)
  if (s.footprints) s.events.setOrder(s.order[t] & 15)
  return DONE
}

function read(s: ModelState, t: number, kind: number): number {
  const cell = s.object[t]
  s.result[t] = s.cells[cell]
  s.record(t, kind, Mode.read, cell, -1)
  if (s.footprints) {
    if (kind === Op.atomicLoad) s.events.setOrder(s.order[t] & 15)
    s.events.values(Known.seen, s.cells[cell], 0, 0)
  }
  return DONE
}

function update(
  s: ModelState,
  t: number,
  value: number,
  changes: number,
  operand: number,
  succeeds: boolean,
): number {
  const cell = s.object[t]
  const old = s.cells[cell]
  s.result[t] = old
  s.cells[cell] = value
  // Where others are told of conflicts, an update is one though it leaves what was there: it takes part as a write.
  const isSame = value === old
  const { showsConflicts } = s.transactions
  const mode = isSame && !showsConflicts ? Mode.read : Mode.write
  s.record(t, Op.atomicUpdate, mode, cell, showsConflicts ? Changes.unknown : changes, isSame)
  if (s.footprints) {
    s.events.setOrder(succeeds ? s.order[t] & 15 : (s.order[t] >> 4) | Order.failed)
    s.events.values(Known.seen | Known.written | Known.operand, old, value, operand)
  }
  return value === old ? DONE : afterWrite(s, t, cell)
}

function write(s: ModelState, t: number, kind: number, value: number): number {
  const cell = s.object[t]
  const old = s.cells[cell]
  s.cells[cell] = value
  s.record(t, kind, Mode.write, cell, -1, old === value)
  if (s.footprints) {
    if (kind === Op.atomicStore) s.events.setOrder(s.order[t] & 15)
    s.events.values(Known.seen | Known.written, old, value, 0)
  }
  return afterWrite(s, t, cell)
}

/** Nobody sees what a transaction has written before it commits. */
export function afterWrite(s: ModelState, t: number, cell: number): number {
  return s.options.watchers[cell] === null || s.transactions.isOpen ? DONE : checkInvariants(s, t, cell)
}

/** A write to something an invariant reads is an operation on the invariant too: the order of such writes counts. */
function checkInvariants(s: ModelState, t: number, cell: number): number {
  const invariants = s.options.watchers[cell] ?? []
  for (const invariant of invariants) s.recordAt(t, Op.watch, Mode.write, invariant.location, -1)
  for (const invariant of invariants) {
    const reason = brokenBecause(s, invariant.holds)
    if (reason !== null) return s.fail(t, 'invariant', `broke invariant ${invariant.name}${reason}`)
  }
  return DONE
}

/** Invariants read no registers: the compiler has seen to it. */
const noRegisters = () => 0

function brokenBecause(s: ModelState, holds: CheckFunction): string | null {
  try {
    return holds(s.cells, noRegisters) !== 0 ? null : ''
  } catch (error) {
    return ` (${(error as Error).message})`
  }
}
