import { describe, test } from 'vitest'
import { type Machine, THREAD_ABSENT, THREAD_DONE, THREAD_LIVE } from '../../src/machine/machine.js'
import { announcedMode, Mode, Op, operations } from '../../src/machine/operation.js'
import { everywhere } from '../../src/machine/points.js'
import { modesConflict } from '../../src/ordering/dependence.js'
import { Random } from '../../src/random/random.js'
import { ordered, table } from '../ordering/commutation.js'
import { checkLog } from './log.js'
import { checkPoints } from './points.js'
import {
  endText,
  eventsByThread,
  following,
  fullText,
  liveThreads,
  locationName,
  type Option,
  type RecordedEvent,
  type RecordedStep,
  type Recording,
  randomly,
  record,
} from './recording.js'

/**
 * What `src/machine/machine.ts` promises, checked on programs of any front end. Every check takes fresh machines and
 * throws an error that says what was broken; `machineContract` makes tests of them.
 */

/** A new machine of the same program each time. */
export type MakeMachine = () => Machine | Promise<Machine>

export interface ContractOptions {
  /** Random executions of each program looked at; some checks take fewer. */
  readonly executions?: number
  readonly seed?: number
  /** Longer executions are left in the middle. */
  readonly maxSteps?: number
}

export type Settings = Required<ContractOptions>

export const defaults: Settings = { executions: 20, seed: 1, maxSteps: 400 }

type Check = (make: MakeMachine, settings: Settings) => Promise<void>

/** Registers the tests, each of which runs over all programs. */
export function machineContract(
  name: string,
  programs: Readonly<Record<string, MakeMachine>>,
  options: ContractOptions = {},
): void {
  const settings = { ...defaults, ...options }
  describe(name, () => {
    for (const [promise, check] of Object.entries(promises)) {
      test(promise, async () => {
        for (const [program, make] of Object.entries(programs)) {
          try {
            await check(make, settings)
          } catch (error) {
            throw new Error(`${program}: ${(error as Error).message}`, { cause: error })
          }
        }
      })
    }
  })
}

export const promises: Readonly<Record<string, Check>> = {
  'is the same machine each time it is made': checkIdentity,
  'shows what a thread does before it does it': checkPending,
  'changes nothing that a stopped thread shows, but the alternatives': checkStopped,
  'can take every alternative it offers, and says what it waits for if there is none': checkAlternatives,
  'has threads begin by create and end by exit': checkThreads,
  'goes on until all threads have ended, one has failed or none can run': checkEnds,
  'logs values and states of objects that follow from one another': checkEventLog,
  'leaves nothing behind in the next execution': checkReset,
  'does the same with footprints and without': checkFootprints,
  'does one operation per transition when every point is on': checkOneOperation,
  'stops at the points of its set and nowhere else, and so joins what every point separates': checkPointSets,
  'gives names that do not depend on the interleaving': checkNames,
}

function fail(what: string): never {
  throw new Error(what)
}

function sample(machine: Machine, settings: Settings, executions = settings.executions): Recording[] {
  const random = new Random(settings.seed)
  const { maxSteps } = settings
  return Array.from({ length: executions }, () => record(machine, randomly(random), { maxSteps }))
}

/**
 * The events of a transition without those that only go with an operation: that a spinning thread goes on, what a call
 * such as create writes for its caller, which has the site of the call, and that a join claims the thread.
 */
export function ownEvents(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const isAccess = (kind: number) => operations[kind].point === 'access'
  const calls = new Set<number>()
  for (const { kind, site } of events) {
    if (!isAccess(kind) && operations[kind].point !== 'none') calls.add(site)
  }
  const joins = events.some(({ kind }) => kind === Op.join)
  return events.filter(
    ({ kind, site }) =>
      kind !== Op.resume && !(isAccess(kind) && calls.has(site)) && !(kind === Op.claim && joins),
  )
}

async function checkIdentity(make: MakeMachine): Promise<void> {
  const [a, b] = [await make(), await make()]
  if (a.hash !== b.hash) fail(`its hash is ${a.hash}, then ${b.hash}`)
  if (a.name !== b.name) fail(`its name is ${a.name}, then ${b.name}`)
  const sites = (machine: Machine) => machine.sites.map((site) => site.name).join('\n')
  if (sites(a) !== sites(b)) fail('its sites are not the same each time')
  if (new Set(a.sites.map((site) => site.name)).size !== a.sites.length) fail('two sites have one name')
  const first = record(a, () => null)
  if (fullText(first) !== fullText(record(b, () => null))) fail('it does not begin the same each time')
  if (new Set(a.threads.names).size !== a.threads.count) fail('two threads have one name')
}

async function checkPending(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  for (const { steps, end } of sample(machine, settings)) {
    for (const [i, { name, pending, events }] of steps.entries()) {
      const [first] = ownEvents(events)
      const shown = `${name} showed ${operations[pending.kind].name} ${locationName(machine, pending.location)}`
      if (first === undefined) {
        if (end === 'failed' && i === steps.length - 1) continue
        if (pending.kind !== Op.start) fail(`step ${i}: ${shown} and did nothing`)
        continue
      }
      if (pending.kind === Op.start && first.kind !== Op.start) continue
      const did = `did ${operations[first.kind].name} ${locationName(machine, first.location)}`
      if (first.kind !== pending.kind) fail(`step ${i}: ${shown} and ${did}`)
      if (pending.location >= 0 && first.location !== pending.location) fail(`step ${i}: ${shown} and ${did}`)
      if (first.site !== pending.site) fail(`step ${i}: ${shown} at another site than it did it`)
      for (const mode of Object.values(Mode)) {
        if (modesConflict(first.mode, mode) && !modesConflict(announcedMode[pending.kind], mode))
          fail(`step ${i}: ${shown} and ${did} in a stronger mode`)
      }
    }
  }
}

interface Shown {
  readonly status: number
  readonly kind: number
  readonly location: number
  readonly site: number
}

function showAll(machine: Machine): Shown[] {
  const { status, kind, location, site } = machine.pending
  return machine.threads.names.map((_, t) => ({
    status: status[t] ?? THREAD_ABSENT,
    kind: kind[t],
    location: location[t],
    site: site[t],
  }))
}

/** Visits every moment of random executions at which all threads are stopped. */
function forStops(
  machine: Machine,
  settings: Settings,
  visit: (options: readonly Option[], steps: readonly RecordedStep[]) => void,
): void {
  const random = new Random(settings.seed)
  for (let i = 0; i < settings.executions; i++) {
    record(machine, randomly(random), { maxSteps: settings.maxSteps, withoutStops: true, onStop: visit })
  }
}

async function checkStopped(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  let before: Shown[] = []
  forStops(machine, settings, (_, steps) => {
    const now = showAll(machine)
    const ran = steps.at(-1)
    if (ran === undefined) before = []
    for (const [t, { status, kind, location, site }] of before.entries()) {
      if (t === ran?.thread || status !== THREAD_LIVE) continue
      const name = machine.threads.names[t]
      const what = `thread ${name} stood before ${operations[kind].name} when ${ran?.name} ran`
      if (now[t].status !== THREAD_LIVE) fail(`${what}, and was gone then`)
      if (now[t].kind !== kind) fail(`${what}, then before ${operations[now[t].kind].name}`)
      if (now[t].site !== site) fail(`${what}, then at another site`)
      // The generation of a barrier moves on under who is about to arrive.
      if (now[t].location !== location && kind !== Op.barrierArrive) fail(`${what}, then on another object`)
    }
    before = now
  })
}

async function checkAlternatives(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  const random = new Random(settings.seed)
  const prefixes: RecordedStep[][] = []
  forStops(machine, settings, (_, steps) => {
    for (const thread of liveThreads(machine)) {
      const count = machine.alternatives(thread)
      const what = `thread ${machine.threads.names[thread]} before ${operations[machine.pending.kind[thread]].name}`
      if (!Number.isInteger(count) || count < 0) fail(`${what} has ${count} alternatives`)
      if (machine.alternatives(thread) !== count) fail(`${what} has another number when asked again`)
      if (count === 0) checkWait(machine, thread, what)
      const names = Array.from({ length: count }, (_, value) => machine.alternativeName(thread, value))
      if (new Set(names).size !== count) fail(`${what} has two alternatives of one name: ${names}`)
      if (machine.stackOf(thread).some((name) => name === '')) fail(`${what} is in a function without a name`)
    }
    if (random.below(20) === 0) prefixes.push([...steps])
  })
  for (const prefix of prefixes.slice(0, 10)) checkTakeable(machine, prefix)
}

function checkWait(machine: Machine, thread: number, what: string): void {
  const wait = machine.waitOf(thread)
  if (wait.thread !== thread) fail(`${what}: the wait is said to be of ${machine.threads.names[wait.thread]}`)
  if (wait.object === '') fail(`${what} does not say what it waits for`)
  for (const holder of wait.holders) {
    const status = machine.pending.status[holder]
    if (status !== THREAD_LIVE && status !== THREAD_DONE)
      fail(`${what} waits for thread ${holder}, which is not`)
  }
  if (!operations[machine.pending.kind[thread]].waits && !wait.spinning)
    fail(`${what} has to wait, though that can always be done`)
}

/** Every option after a prefix can be taken, and takes a step. */
function checkTakeable(machine: Machine, prefix: readonly RecordedStep[]): void {
  let options: readonly Option[] = []
  record(machine, following(prefix), {
    withoutStops: true,
    onStop(all, steps) {
      if (steps.length === prefix.length) options = all
    },
  })
  for (const option of options) {
    const choose = following(prefix, (all, depth) =>
      depth === prefix.length
        ? (all.find((o) => o.thread === option.thread && o.value === option.value) ?? null)
        : null,
    )
    const { steps, end } = record(machine, choose, { withoutStops: true })
    const name = machine.threads.names[option.thread]
    if (steps.length !== prefix.length + 1)
      fail(`${name} could do alternative ${option.value}, then could not`)
    const { events, pending } = steps[prefix.length]
    if (events.length === 0 && end !== 'failed' && pending.kind !== Op.start)
      fail(`${name} was run and did nothing`)
    for (const event of events) {
      if (event.kind === Op.choose && pending.kind === Op.choose && event === ownEvents(events)[0]) {
        if (event.aux !== option.value) fail(`${name} was to choose ${option.value} and chose ${event.aux}`)
      }
    }
  }
}

async function checkThreads(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  let before: number[] = []
  forStops(machine, settings, (_, steps) => {
    const ran = steps.at(-1)
    const now = machine.threads.names.map((_, t) => machine.pending.status[t] ?? THREAD_ABSENT)
    if (ran === undefined) {
      before = now
      return
    }
    for (const [t, status] of now.entries()) {
      const was = before[t] ?? THREAD_ABSENT
      const name = machine.threads.names[t]
      if (was === THREAD_ABSENT && status !== THREAD_ABSENT) {
        if (!ran.events.some((e) => e.kind === Op.create && e.aux === t))
          fail(`thread ${name} began though ${ran.name} created nothing`)
        if (!name.startsWith(`${ran.name}.`)) fail(`${ran.name} created a thread that is called ${name}`)
      }
      if (was === THREAD_DONE && status !== THREAD_DONE) fail(`thread ${name} had ended and came back`)
      if (was === THREAD_LIVE && status !== THREAD_LIVE && t !== ran.thread)
        fail(`thread ${name} ended though ${ran.name} ran`)
      const exits = ran.events.some((e) => e.kind === Op.exit)
      if (t === ran.thread && exits !== (status === THREAD_DONE)) {
        fail(`thread ${name} ${exits ? 'logged its end and goes on' : 'ended without a word'}`)
      }
    }
    before = now
  })
}

async function checkEnds(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  const random = new Random(settings.seed)
  for (let i = 0; i < settings.executions; i++) {
    const { end, steps } = record(machine, randomly(random), settings)
    const live = liveThreads(machine)
    const names = live.map((t) => machine.threads.names[t]).join(', ')
    const last = steps.at(-1)?.events.at(-1)
    if (end === 'ended' && live.length > 0 && last?.kind !== Op.processExit)
      fail(`the execution ended though ${names} had not`)
    if (end === 'failed' && machine.bug === null) fail('it failed without a bug')
    if (end === 'stuck') for (const t of live) checkWait(machine, t, `thread ${machine.threads.names[t]}`)
    const text = machine.finalState()
    machine.checkEnd()
    if (machine.finalState() !== text) fail('looking at the final state changes it')
  }
}

async function checkEventLog(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  const random = new Random(settings.seed)
  for (let i = 0; i < settings.executions; i++) {
    checkLog(machine, record(machine, randomly(random), { ...settings, withoutStops: true }))
  }
}

function rawEvents({ events }: Machine): string {
  const { count } = events
  const columns = [events.kind, events.mode, events.location, events.site, events.aux, events.known]
  return columns.map((column) => column.subarray(0, count).join()).join('\n')
}

async function checkReset(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  const random = new Random(settings.seed)
  const known = Array.from({ length: 3 }, () => {
    const recording = record(machine, randomly(random), settings)
    return { recording, text: fullText(recording), raw: rawEvents(machine) }
  })
  for (let i = 0; i < 100; i++) {
    const maxSteps = random.below(4) === 0 ? random.below(20) : settings.maxSteps
    if (i === 50) machine.usePoints({ kinds: ['yield'], races: [], rules: [] })
    record(machine, randomly(random), { maxSteps, withoutStops: true, footprints: random.below(3) > 0 })
  }
  machine.usePoints(everywhere)
  for (const { recording, text, raw } of known) {
    if (fullText(record(machine, following(recording.steps), settings)) !== text)
      fail('an execution is not the same again after a hundred others')
    if (rawEvents(machine) !== raw)
      fail('events do not have the same numbers again after a hundred executions')
  }
}

async function checkFootprints(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  for (const recording of sample(machine, settings)) {
    // A machine may tell the final state from the events.
    const withoutEvents = (r: Recording) =>
      fullText({ ...r, steps: r.steps.map((step) => ({ ...step, events: [] })), finalState: '' })
    const again = record(machine, following(recording.steps), { ...settings, footprints: false })
    if (withoutEvents(again) !== withoutEvents(recording)) fail('it behaves otherwise without footprints')
  }
}

/** The number of operations among the events of a transition: those at which a thread could have stopped. */
function countOperations(all: readonly RecordedEvent[]): number {
  const events = ownEvents(all)
  let count = 0
  for (const [i, { kind, mode, site }] of events.entries()) {
    if (operations[kind].point === 'none') continue
    // A range of bytes that is copied or cleared at once.
    const before = events[i - 1]
    if (operations[kind].point === 'access' && before?.kind === kind && before.site === site) continue
    // Not compared, so nobody's business.
    if (kind === Op.output && mode === Mode.none) continue
    // A wait frees its mutex; the last to arrive at a barrier opens the next generation.
    if (kind === Op.unlock && before?.kind === Op.condWait) continue
    if (kind === Op.barrierArrive && before?.kind === Op.barrierArrive) continue
    count++
  }
  return count
}

async function checkOneOperation(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  for (const { steps } of sample(machine, settings)) {
    for (const [i, { name, events }] of steps.entries()) {
      if (countOperations(events) <= 1) continue
      fail(`step ${i}: ${name} did at once ${events.map((e) => operations[e.kind].name).join(', ')}`)
    }
  }
}

async function checkPointSets(make: MakeMachine, settings: Settings): Promise<void> {
  checkPoints(await make(), settings)
}

/** Exchanges independent neighbours of an execution many times, and runs the result on a machine that is new. */
async function checkNames(make: MakeMachine, settings: Settings): Promise<void> {
  const machine = await make()
  const random = new Random(settings.seed)
  for (const recording of sample(machine, settings, Math.ceil(settings.executions / 5))) {
    const steps = [...recording.steps]
    // A failure depends on everything.
    const movable = recording.end === 'failed' ? steps.length - 1 : steps.length
    let moved = 0
    for (let n = 0; n < steps.length * 4 && movable > 1; n++) {
      const i = random.below(movable - 1)
      const [a, b] = [steps[i], steps[i + 1]]
      if (a.thread === b.thread || ordered(table, machine, a, b) !== null) continue
      steps[i] = b
      steps[i + 1] = a
      moved++
    }
    if (moved === 0) continue
    const again = record(await make(), following(steps), settings)
    const eventsOf = (r: Recording) => JSON.stringify([...eventsByThread(r, { found: true })])
    if (eventsOf(again) !== eventsOf(recording))
      fail('what threads do depends on the order of independent steps')
    if (endText(again).join('\n') !== endText(recording).join('\n'))
      fail('how it ends depends on the order of independent steps')
  }
}
