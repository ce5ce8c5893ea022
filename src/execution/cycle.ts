import type { Bug, Wait } from '../machine/bug.js'
import { type Driver, type Machine, THREAD_LIVE } from '../machine/machine.js'
import { Mode } from '../machine/operation.js'
import type { Trace } from './trace.js'

/** Steps at the end of an execution that are looked at, and bytes that the states among them may take. */
const mostSteps = 4096
const mostBytes = 1 << 25

/** An execution that goes round for ever, and how many of its steps show it: up to the first one of the second round. */
export interface Cycle {
  readonly bug: Bug
  readonly length: number
}

interface KeptState {
  readonly step: number
  readonly state: Int32Array
  readonly hash: number
}

/**
 * Whether an execution that did not end can go round for ever. If the whole state is one that was there before, the steps in
 * between can be taken again, and again. That is a livelock if the schedule is fair, or any loop that waits for another
 * thread would be one: whoever could run in the round has run in it (strong fairness). A thread that waits for something
 * that others take and give back within a step could have run as well. Where a step chose among alternatives, another
 * outcome may lead out of the round: that is no livelock.
 *
 * The execution is run once more; states are compared where threads change, which a round of several threads does.
 * With `atEnd` only the last state counts: the execution is a schedule that was found to come round there.
 */
export function findCycle(machine: Machine, trace: Trace, atEnd: boolean, pause: () => void): Cycle | null {
  const retrace = new Retrace(machine, trace, atEnd, pause)
  machine.footprints = true
  machine.run(retrace)
  return retrace.cycle
}

/** Follows an execution and looks for a state that was there before. */
class Retrace implements Driver {
  value = 0
  cycle: Cycle | null = null
  private step = -1
  private readonly from: number
  private readonly kept: KeptState[] = []
  private bytes = 0
  /** From step `from` on: who could run before it, where its events begin, and whether it was a choice. */
  private readonly enabled: number[][] = []
  private readonly events: number[] = []
  private readonly isChoice: boolean[] = []

  constructor(
    private readonly machine: Machine,
    private readonly trace: Trace,
    private readonly atEnd: boolean,
    readonly pause: () => void,
  ) {
    this.from = Math.max(0, trace.length - mostSteps)
  }

  next(): number {
    const { machine, trace } = this
    const step = ++this.step
    if (step === trace.length) return -1
    if (step % 1024 === 0) this.pause()
    const thread = trace.thread[step]
    this.value = trace.value[step]
    if (step >= this.from) {
      this.enabled.push(canRun(machine))
      this.events.push(machine.events.count)
      this.isChoice.push(machine.alternatives(thread) > 1)
    }
    return thread
  }

  switched(snapshot: () => Int32Array | null): boolean {
    const { step, kept } = this
    if (step < this.from) return false
    const state = snapshot()
    if (state === null) return true
    const hash = hashOf(state)
    if (!this.atEnd || step === this.trace.length - 1) {
      const start = this.startOfRound(state, hash)
      if (start >= 0) {
        this.cycle = { bug: this.describe(start), length: step + 1 }
        return true
      }
    }
    kept.push({ step, state, hash })
    this.bytes += state.byteLength
    while (this.bytes > mostBytes) this.bytes -= kept.shift()!.state.byteLength
    return false
  }

  /** The step before which the state was the same, if the steps since then are a fair round; -1 if there is none. */
  private startOfRound(state: Int32Array, hash: number): number {
    for (let i = this.kept.length - 1; i >= 0; i--) {
      const { step } = this.kept[i]
      if (this.isChoice[step - this.from]) return -1
      if (this.kept[i].hash === hash && isEqual(this.kept[i].state, state) && this.isFair(step)) return step
    }
    return -1
  }

  private isFair(start: number): boolean {
    const { machine, trace, step } = this
    const { status, location } = machine.pending
    const ran = new Set<number>()
    for (let i = start; i < step; i++) {
      if (this.isChoice[i - this.from]) return false
      ran.add(trace.thread[i])
    }
    for (let i = start; i < step; i++) if (this.enabled[i - this.from].some((t) => !ran.has(t))) return false
    const awaited = new Set<number>()
    for (let thread = 0; thread < machine.threads.count; thread++) {
      if (status[thread] === THREAD_LIVE && !ran.has(thread) && location[thread] >= 0)
        awaited.add(location[thread])
    }
    const { events } = machine
    for (let e = this.events[start - this.from]; e < this.events[step - this.from]; e++)
      if (events.mode[e] !== Mode.read && awaited.has(events.location[e])) return false
    return true
  }

  private describe(start: number): Bug {
    const { machine, trace, step } = this
    const { status } = machine.pending
    const ran = new Set(trace.thread.slice(start, step))
    const waits: Wait[] = []
    const waiting: Wait[] = []
    for (let thread = 0; thread < machine.threads.count; thread++) {
      if (ran.has(thread)) waits.push(this.waitInRound(start, thread))
      else if (status[thread] === THREAD_LIVE) waiting.push(machine.waitOf(thread))
    }
    const { thread, site } = waits[0]
    waits.push(...waiting)
    const told = waits.map((wait) => {
      const verb = wait.spinning ? 'spins on' : 'waits for'
      return `${machine.threads.labelOf(wait.thread)} ${verb} ${wait.object}`
    })
    return {
      kind: 'livelock',
      message: `threads go round for ever, each undoing what the other waits for: ${told.join('; ')}`,
      thread,
      site,
      waits,
    }
  }

  /** What keeps a thread in the round: what it looks at there and others change. */
  private waitInRound(start: number, thread: number): Wait {
    const { machine } = this
    const changed = new Set<number>()
    this.eachEvent(start, (by, e) => {
      const { mode, location } = machine.events
      if (by !== thread && mode[e] !== Mode.read && location[e] >= 0) changed.add(location[e])
    })
    const looksAt = new Set<number>()
    let site = -1
    this.eachEvent(start, (by, e) => {
      const { location, site: sites } = machine.events
      if (by !== thread || !changed.has(location[e])) return
      looksAt.add(location[e])
      if (site < 0 || sites[e] < site) site = sites[e]
    })
    const names = [...looksAt].map((location) => machine.describeLocation(location)).sort()
    return {
      thread,
      object: names.length === 0 ? 'its turn' : names.join(', '),
      holders: [],
      site: site < 0 ? machine.pending.site[thread] : site,
      spinning: true,
    }
  }

  private eachEvent(start: number, visit: (thread: number, event: number) => void): void {
    for (let i = start; i < this.step; i++) {
      for (let e = this.events[i - this.from]; e < this.events[i + 1 - this.from]; e++)
        visit(this.trace.thread[i], e)
    }
  }
}

/** Threads that can go on, those included that would end the program. */
function canRun(machine: Machine): number[] {
  const { status } = machine.pending
  const threads: number[] = []
  for (let thread = 0; thread < machine.threads.count; thread++)
    if (status[thread] === THREAD_LIVE && machine.alternatives(thread) > 0) threads.push(thread)
  return threads
}

/** Tells most states apart. */
function hashOf(state: Int32Array): number {
  let hash = 0
  for (let i = 0; i < state.length; i++) hash = Math.imul(hash ^ state[i], 0x01000193)
  return hash
}

function isEqual(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
