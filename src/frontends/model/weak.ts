import { Changes, Known, Order } from '../../machine/events.js'
import { Mode, Op } from '../../machine/operation.js'
import { type MemoryModel, olderThan } from '../../machine/platform.js'
import type { Access } from '../../memory/access.js'
import { EventKind } from '../../memory/graph.js'
import type { GraphSource } from '../../memory/graph-source.js'
import { raceWith } from '../../memory/races.js'
import { WeakMemory } from '../../memory/weak-memory.js'
import { Action, type ActionName, actionNames } from './actions.js'
import { pendingOperation, stateOf } from './object-operations.js'
import { ProgramError, Result } from './program.js'
import { DONE, FAILED, type ModelState, type Perform } from './state.js'

/** What operations do under a memory model weaker than sequential consistency. */

const accesses: Partial<Record<ActionName, { readonly event: number; readonly op: number }>> = {
  load: { event: EventKind.read, op: Op.load },
  store: { event: EventKind.write, op: Op.store },
  atomicLoad: { event: EventKind.read, op: Op.atomicLoad },
  atomicStore: { event: EventKind.write, op: Op.atomicStore },
  exchange: { event: EventKind.update, op: Op.atomicUpdate },
  compareExchange: { event: EventKind.update, op: Op.atomicUpdate },
  fetchAdd: { event: EventKind.update, op: Op.atomicUpdate },
}

/** By action: 1 where it is an access to memory. */
export const isAccess = Uint8Array.from(actionNames, (name) => (accesses[name] ? 1 : 0))

const eventOf = Uint8Array.from(actionNames, (name) => accesses[name]?.event ?? 0)
const operationOf = Uint8Array.from(actionNames, (name) => accesses[name]?.op ?? 0)

/** Chooses the memory model of executions to come. */
export function useModel(s: ModelState, model: MemoryModel): void {
  if (model !== 'sc' && s.options.watchers.some((watcher) => watcher !== null)) {
    throw new ProgramError(
      'invariants',
      `there is no one state of memory to look at under the memory model ${model}; check at the end, or assert`,
    )
  }
  s.memory = model === 'sc' ? null : new WeakMemory(model)
}

export function resetMemory(s: ModelState, memory: WeakMemory): void {
  memory.reset()
  for (const { type, cell, length } of s.layout.objects) {
    const cells = type === 'array' ? length : type === 'variable' ? 1 : 0
    for (let i = cell; i < cell + cells; i++) memory.graph.addLocation(i, s.layout.initial[i])
  }
}

/** The pending access of a thread; reused. */
const pending: Access = {
  kind: 0,
  location: 0,
  order: 0,
  failure: 0,
  isAtomic: false,
  expected: null,
  site: -1,
}

function accessOf(s: ModelState, t: number): Access {
  const action = s.action[t]
  pending.kind = eventOf[action]
  pending.location = s.object[t]
  pending.isAtomic = action !== Action.load && action !== Action.store
  pending.order = pending.isAtomic ? s.order[t] & 15 : Order.relaxed
  pending.failure = action === Action.compareExchange ? s.order[t] >> 4 : pending.order
  pending.expected = action === Action.compareExchange ? s.a[t] : null
  pending.site = s.pending.site[t]
  return pending
}

export function accessAlternatives(s: ModelState, memory: WeakMemory, t: number): number {
  if (s.spins.blocked[t] === 1) freshen(s, memory, t)
  return memory.alternatives(t, accessOf(s, t))
}

/** See `GraphSource`. */
export function graphSourceOf(s: ModelState): GraphSource {
  return {
    get memory() {
      return s.memory
    },
    isShownWhole: s.options.rootOf.every((root) => root >= 0),
    pendingAccess(t) {
      const action = s.action[t]
      if (isAccess[action] === 0) return null
      const [a, b] = [s.a[t], s.b[t]]
      return { access: { ...accessOf(s, t) }, written: (old) => writtenBy(action, a, b, Number(old)) }
    },
    pendingObject: (t) => pendingOperation(s, t),
    stateOf: (operation) => stateOf(s, operation),
    isSpinning: (t) => s.spins.blocked[t] === 1,
  }
}

/** A thread that went round a loop for nothing goes on once there is something newer than it saw. */
export function canGoOn(s: ModelState, memory: WeakMemory, t: number): boolean {
  return (
    s.spins.cellsRead(t).some((cell) => isVariable(s, cell) && memory.hasNewer(t, cell)) || syncChanged(s, t)
  )
}

/** Of what is no variable (a mutex it tried, say) the usual rule holds: there is one state of it. */
function syncChanged(s: ModelState, t: number): boolean {
  return s.spins.cellsRead(t).some((cell) => !isVariable(s, cell)) && s.spins.canGoOn(t)
}

function isVariable(s: ModelState, cell: number): boolean {
  const { type } = s.layout.objectAt(cell)
  return type === 'variable' || type === 'array'
}

function freshen(s: ModelState, memory: WeakMemory, t: number): void {
  for (const cell of s.spins.cellsRead(t)) if (isVariable(s, cell)) memory.freshen(t, cell)
}

/** Name of an alternative of an access: which write it sees, or follows; and the newest, if that is another. */
export function accessName(s: ModelState, memory: WeakMemory, t: number, value: number): string {
  const asked = accessOf(s, t)
  const write = memory.sourceOf(t, asked, value)
  const newest = memory.graph.last(asked.location)
  const what = asked.kind === EventKind.write ? 'goes after' : 'sees'
  const older = write === newest ? '' : `${olderThan}${writeName(s, memory, newest)}`
  return `${what} ${writeName(s, memory, write)}${older}`
}

function writeName(s: ModelState, { graph }: WeakMemory, write: number): string {
  const thread = graph.thread[write]
  if (thread < 0) return `the initial ${graph.value[write]}`
  const rank =
    graph
      .eventsOf(thread)
      .filter((event) => graph.writes(event))
      .indexOf(write) + 1
  return `${graph.value[write]} (write ${rank} of thread ${s.threads.names[thread]})`
}

function access(s: ModelState, t: number, value: number): number {
  const memory = s.memory!
  const { graph } = memory
  const cell = s.object[t]
  const action = s.action[t]
  const asked = accessOf(s, t)
  const source = memory.sourceOf(t, asked, value)
  const old = Number(memory.valueOf(source))
  const event = memory.perform(t, asked, source, writtenBy(action, s.a[t], s.b[t], old))
  const isWrite = graph.writes(event)
  const written = Number(graph.value[event])
  if (action !== Action.store && action !== Action.atomicStore) s.result[t] = old
  s.cells[cell] = Number(graph.value[graph.last(cell)])
  // An update that leaves what was there changes nothing, so a thread that spins may do it.
  const changes = isWrite && !(graph.isUpdate(event) && written === old)
  s.record(t, operationOf[action], changes ? Mode.write : Mode.read, cell, Changes.unknown)
  if (s.footprints) {
    const isFailure = graph.kind[event] === EventKind.failedUpdate
    if (asked.isAtomic) s.events.setOrder(graph.order[event] | (isFailure ? Order.failed : 0))
    if (!isWrite) s.events.values(Known.seen, old, 0, 0)
    else if (graph.isUpdate(event)) s.events.values(Known.seen | Known.written, old, written, 0)
    else s.events.values(Known.written, 0, written, 0)
  }
  return memory.model === 'c11' ? checkRace(s, memory, t, event) : DONE
}

function writtenBy(action: number, a: number, b: number, old: number): number {
  if (action === Action.fetchAdd) return (old + a) | 0
  return action === Action.compareExchange ? b : a
}

/** Under C11 a data race makes the program undefined. */
function checkRace(s: ModelState, memory: WeakMemory, t: number, event: number): number {
  const { graph } = memory
  const other = raceWith(graph, event)
  if (other < 0) return DONE
  const verb = (e: number, words: readonly string[]) => words[graph.writes(e) ? 1 : 0]
  const place = s.stops.sites[graph.site[other]]?.name
  s.fail(
    t,
    'data-race',
    `${verb(event, ['reads', 'writes'])} ${s.nameOf(graph.location[event])}, which ` +
      `${s.threads.labelOf(graph.thread[other])} ${verb(other, ['read', 'wrote'])} at ${place}, with no order between ` +
      'the two and one of them not atomic',
  )
  return FAILED
}

function fence(s: ModelState, t: number): number {
  s.memory!.fence(t, s.order[t] & 15, s.pending.site[t])
  s.recordIdle(t, Op.fence)
  if (s.footprints) s.events.setOrder(s.order[t] & 15)
  return DONE
}

/** Objects that an operation acts on; and under C11, if it succeeded, what it acquires from and releases to. */
type Handover = (
  s: ModelState,
  t: number,
) => {
  readonly objects: readonly number[]
  readonly acquired?: readonly number[]
  readonly released?: readonly number[]
}

const takes: Handover = (s, t) => ({ objects: [s.object[t]], acquired: [s.object[t]] })
const gives: Handover = (s, t) => ({ objects: [s.object[t]], released: [s.object[t]] })
const touches: Handover = (s, t) => ({ objects: [s.object[t]] })

/** Readers release to a clock of their own, which only writers acquire from. */
const writeTakes: Handover = (s, t) => ({
  objects: [s.object[t]],
  acquired: [s.object[t], s.object[t] + 1],
})
const rwGives: Handover = (s, t) => ({
  objects: [s.object[t]],
  released: [s.cells[s.object[t] + 1] === t + 1 ? s.object[t] : s.object[t] + 1],
})

/** Each generation of a barrier is an object of its own. */
const barrierKey = (s: ModelState, t: number, generation: number) =>
  -1 - s.barrierLocation(s.object[t], generation)
const arrives: Handover = (s, t) => {
  const key = barrierKey(s, t, s.cells[s.object[t] + 1])
  return { objects: [key], acquired: [key], released: [key] }
}
const leaves: Handover = (s, t) => {
  const key = barrierKey(s, t, s.generation[t])
  return { objects: [key], acquired: [key] }
}

/** A wait gives its mutex back; that is one operation on both. */
const waits: Handover = (s, t) => ({ objects: [s.object[t], s.a[t]], released: [s.a[t]] })

/** The operation itself, then what it means for memory; what it acts on is looked up before it changes that. */
const synchronising =
  (handover: Handover) =>
  (base: Perform): Perform =>
  (s, t, value) => {
    const { objects, acquired, released } = handover(s, t)
    s.result[t] = Result.ok
    const outcome = base(s, t, value)
    if (outcome === FAILED) return outcome
    const succeeded = (outcome & DONE) === 0 || s.result[t] === Result.ok || handover === arrives
    s.memory!.synchronise(t, objects, succeeded ? acquired : [], succeeded ? released : [])
    return outcome
  }

/** A queued writer has not taken the lock yet. */
const queues =
  (base: Perform): Perform =>
  (s, t, value) => {
    const { objects, acquired } = writeTakes(s, t)
    const outcome = base(s, t, value)
    if (outcome !== FAILED) s.memory!.synchronise(t, objects, outcome === DONE ? acquired : [])
    return outcome
  }

/** The thread that begins comes after it, and runs up to its first operation at once. */
const creating =
  (base: Perform): Perform =>
  (s, t, value) => {
    s.memory!.synchronise(t, [])
    return base(s, t, value)
  }

const joining =
  (base: Perform): Perform =>
  (s, t, value) => {
    const target = s.object[t]
    const outcome = base(s, t, value)
    if (outcome !== FAILED) s.memory!.join(t, target)
    return outcome
  }

/** By action: what it does, made from what it does under sequential consistency. Absent: the same. */
export const weakPerformers: Partial<Record<ActionName, (base: Perform) => Perform>> = {
  ...Object.fromEntries(Object.keys(accesses).map((name) => [name, () => access])),
  fence: () => fence,
  lock: synchronising(takes),
  tryLock: synchronising(takes),
  timedLock: synchronising(takes),
  unlock: synchronising(gives),
  readLock: synchronising(takes),
  tryReadLock: synchronising(takes),
  writeLock: synchronising(writeTakes),
  tryWriteLock: synchronising(writeTakes),
  queuedWriteLock: synchronising(writeTakes),
  writeRequest: queues,
  rwUnlock: synchronising(rwGives),
  wait: synchronising(waits),
  timedWait: synchronising(waits),
  condReturn: synchronising(touches),
  reacquire: synchronising(takes),
  signal: synchronising(touches),
  broadcast: synchronising(touches),
  semWait: synchronising(takes),
  semTryWait: synchronising(takes),
  semTimedWait: synchronising(takes),
  semPost: synchronising(gives),
  semRead: synchronising(touches),
  barrierArrive: synchronising(arrives),
  barrierLeave: synchronising(leaves),
  create: creating,
  join: joining,
}
