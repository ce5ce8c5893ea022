import type { Bug, Wait } from '../../machine/bug.js'
import type { EventLog } from '../../machine/events.js'
import {
  type Driver,
  type Machine,
  type Output,
  type PendingOperations,
  type PlatformControl,
  THREAD_LIVE,
} from '../../machine/machine.js'
import { LocationTable, type Site, ThreadTable } from '../../machine/names.js'
import { Mode, Op } from '../../machine/operation.js'
import { type Platform, platformKeys, waitAlternatives } from '../../machine/platform.js'
import type { PointSet } from '../../machine/points.js'
import { parseAbortCauses, startsApart, stepsMark, TxStatus } from '../../machine/transactions.js'
import type { GraphSource } from '../../memory/graph-source.js'
import { Action, alternativesVary, alwaysHalts } from './actions.js'
import { type Check, compileAtEnd, compileInvariants } from './checks.js'
import { waiterAt } from './condition.js'
import { describeState } from './describe.js'
import { layOut } from './layout.js'
import { platformOf } from './platform.js'
import { type Declarations, ProgramError, type ProgramOptions } from './program.js'
import { checkRoots } from './roots.js'
import { countAlternatives, perform, performWeakly } from './semantics.js'
import { AGAIN, ANNOUNCED, type Control, ENDED, ENDS, FAILED, ModelState, RELEASED } from './state.js'
import { STOP_AFTER, STOP_BEFORE, STOP_BEFORE_REACQUIRE, Stops } from './stops.js'
import { Transactions } from './transactions.js'
import { describeWait } from './waits.js'
import { accessName, graphSourceOf, isAccess, resetMemory } from './weak.js'

/**
 * Operations after which a transition ends, whatever the points: a thread that waits in a loop without any would go round
 * for ever, and whoever it waits for never run.
 */
const LONGEST = 500

/** What the two forms of programs have in common. */
export interface CommonProgram extends Declarations, ProgramOptions {
  readonly roots?: readonly string[]
}

/** The part of a program that differs between the two forms. */
export interface Code {
  /** Names of all bodies, by index. */
  readonly bodies: readonly string[]
  /** The bodies that run from the beginning unless the program says otherwise. */
  readonly defaultRoots: readonly string[]
  readonly hash: string
  /** Whether all sites are known in advance: naming another one in a PP set is then an error. */
  readonly fixedSites: boolean
  readonly hasTransactions: boolean
  control(state: ModelState): Control
  /** Throws a `ProgramError` unless threads of this body have that register. */
  checkRegister(body: string, register: string, where: string): void
}

/** Sets up the machine of a program whose code is brought in by `makeCode`. */
export class ModelMachine implements Machine {
  readonly name: string
  private readonly baseHash: string
  /** What the program itself says. */
  private readonly ownPlatform: Partial<Platform>
  readonly threads = new ThreadTable()
  readonly locations = new LocationTable()
  private readonly s: ModelState
  private readonly stops = new Stops()
  private readonly control: Control
  private readonly transactions: Transactions
  private readonly atEnd: readonly Check[]
  private readonly bodies: readonly string[]
  private readonly rootBodies: readonly number[]
  private readonly rootThreads: readonly number[]
  private readonly fixedSites: boolean
  private readonly hasTransactions: boolean
  /** What a load can see under a weak memory model depends on more than what is done to its variable. */
  get isCompound(): boolean | 'transactions' {
    if (this.hasTransactions) return startsApart(this.transactions.causes) ? 'transactions' : true
    return this.s.memory !== null
  }
  readonly assumptionFailed = false
  readonly platform: PlatformControl
  readonly graphSource: GraphSource

  constructor(program: CommonProgram, makeCode: (layout: ReturnType<typeof layOut>, stops: Stops) => Code) {
    const layout = layOut(program, this.locations)
    const code = makeCode(layout, this.stops)
    this.name = program.name ?? 'model program'
    this.baseHash = code.hash
    this.bodies = code.bodies
    this.fixedSites = code.fixedSites
    const roots = checkRoots(program.roots ?? code.defaultRoots, code.bodies)
    this.rootBodies = roots.map((name) => code.bodies.indexOf(name))
    this.rootThreads = roots.map((name, rank) => {
      const thread = this.threads.root(rank)
      const twice = roots.indexOf(name) !== roots.lastIndexOf(name)
      this.threads.label(thread, twice ? `${name} (${rank})` : name)
      return thread
    })
    this.s = new ModelState(layout, this.threads, this.locations, this.stops, {
      compareOutputs: program.compareOutputs ?? false,
      rootOf: code.bodies.map((_, body) => this.rootThreads[this.rootBodies.indexOf(body)] ?? -1),
      watchers: compileInvariants(program.invariants, layout, this.locations),
    })
    const { spuriousWakeups = 0 } = program
    this.s.spuriousLimit =
      typeof spuriousWakeups === 'number' ? spuriousWakeups : spuriousWakeups ? Infinity : 0
    this.s.preferWriters = program.preferWriters ?? false
    this.transactions = new Transactions(this.s)
    this.s.transactions = this.transactions
    if (program.abortCodes !== undefined) this.transactions.causes = parseAbortCauses(program.abortCodes)
    this.hasTransactions = code.hasTransactions
    this.platform = platformOf(
      this.s,
      (program.conditions ?? []).length > 0,
      this.transactions,
      code.hasTransactions,
    )
    this.ownPlatform = this.platform.settings
    this.graphSource = graphSourceOf(this.s)
    this.control = this.s.control = code.control(this.s)
    this.atEnd = compileAtEnd(program.atEnd, layout, (thread, register, where) => {
      const body = this.bodyOfThread(String(thread), roots, where)
      code.checkRegister(body, String(register), where)
    })
  }

  get hash(): string {
    const { ownPlatform } = this
    const { settings } = this.platform
    const changed = platformKeys.filter((key) => settings[key] !== ownPlatform[key])
    const steps = this.isCompound === 'transactions' ? stepsMark : ''
    return this.baseHash + changed.map((key) => ` ${key}=${settings[key]}`).join('') + steps
  }

  /** Who waits to write matters to readers, though it takes no lock yet. */
  get needsEverywhere(): boolean {
    return this.s.preferWriters && this.s.layout.rwlocks > 0
  }

  get sites(): readonly Site[] {
    return this.stops.sites
  }
  get pending(): PendingOperations {
    return this.s.pending
  }
  get events(): EventLog {
    return this.s.events
  }
  get footprints(): boolean {
    return this.s.footprints
  }
  set footprints(value: boolean) {
    this.s.footprints = value
  }
  get bug(): Bug | null {
    return this.s.bug
  }
  get output(): string {
    return this.s.outputText
      .slice(0, this.s.outputs)
      .map((line) => `${line}\n`)
      .join('')
  }

  get outputs(): readonly Output[] {
    const { outputThread, outputSite, outputText, outputAt, outputs } = this.s
    return Array.from({ length: outputs }, (_, i) => ({
      thread: outputThread[i],
      site: outputSite[i],
      stream: 'stdout',
      text: outputText[i],
      at: outputAt[i],
    }))
  }

  get points(): PointSet {
    return this.stops.points
  }

  usePoints(points: PointSet): void {
    if (this.fixedSites) {
      for (const race of points.races) {
        if (this.sites.some((site) => site.name === race.site)) continue
        const known = this.sites.map((site) => site.name).join(', ')
        throw new RangeError(`race:${race.site}: the program has no such site; its sites are ${known}`)
      }
    }
    this.stops.use(points)
  }

  run(driver: Driver): void {
    const { s } = this
    s.reset()
    if (s.memory !== null) resetMemory(s, s.memory)
    for (let i = 0; i < this.rootThreads.length; i++) {
      if (s.spawn(this.rootThreads[i], this.rootBodies[i], -1) === FAILED) return
    }
    this.tryArrivals(false)
    let last = -1
    while (s.live > 0) {
      const thread = driver.next()
      if (thread < 0) return
      if (thread !== last && driver.switched?.(this.snapshot)) return
      last = thread
      this.transition(thread, driver.value)
      if (s.bug !== null) return
      this.tryArrivals(true)
    }
  }

  /** See `Driver.switched`. */
  private readonly snapshot = (): Int32Array | null => {
    const { s, control } = this
    if (control.ownState === undefined || s.memory !== null) return null
    const state: number[] = [s.spuriousUsed, s.outputs, ...s.cells, ...s.readHolds]
    const { status } = s.pending
    for (let t = 0; t < this.threads.count; t++) {
      state.push(status[t], s.action[t], s.object[t], s.a[t], s.b[t], s.order[t], s.body[t], s.children[t])
      state.push(s.joined[t], s.signalled[t], s.nextWaiter[t], s.generation[t])
      if (status[t] === THREAD_LIVE) state.push(...control.ownState(t))
    }
    return Int32Array.from(state)
  }

  /** Runs a thread from its pending operation up to its next stop, or to its end, or to a bug. */
  private transition(t: number, first: number): void {
    const { s, transactions } = this
    const performers = s.memory === null ? perform : performWeakly
    let value = first
    let left = LONGEST
    transactions.running = t
    if (s.spins.blocked[t] === 1) this.resume(t)
    for (;;) {
      const site = s.pending.site[t]
      const outcome = transactions.isOpen
        ? this.inTransaction(t, --left === 0)
        : performers[s.action[t]](s, t, value)
      if (outcome === FAILED) return
      if (outcome !== AGAIN) {
        const next = this.control.advance(t)
        if (next === ENDED && transactions.isOpen) {
          s.fail(t, 'transaction-misuse', 'ends in a transaction that has not ended')
          return
        }
        if (next === ENDED) this.end(t)
        if (next !== ANNOUNCED || (outcome & ENDS) !== 0) return
      }
      value = 0
      if (transactions.isOpen) continue
      if (this.stopsNow(t, site, outcome) || --left === 0) return
    }
  }

  private inTransaction(t: number, isTooLong: boolean): number {
    const { s, transactions } = this
    const misuse = transactions.misuse(t)
    if (misuse !== null) return s.fail(t, 'transaction-misuse', misuse)
    if (isTooLong || !transactions.permits(t, countAlternatives(s, t)))
      return transactions.rollBack(t, TxStatus.capacity)
    return perform[s.action[t]](s, t, 0)
  }

  /** Tries out the transactions that threads have come to, or that would do something else now: see `Transactions`. */
  private tryArrivals(mayTell: boolean): void {
    const { s, transactions } = this
    for (let t = transactions.arrivals.pop(); t !== undefined; t = transactions.arrivals.pop()) {
      if (s.pending.status[t] !== THREAD_LIVE || s.action[t] !== Action.txBegin) continue
      let last = Infinity
      transactions.tryOut(t, () => {
        let left = LONGEST
        transactions.running = t!
        while (transactions.isOpen && s.bug === null) {
          const { noted } = transactions
          if (this.inTransaction(t!, --left === 0) === FAILED || !transactions.isOpen) break
          if (this.control.advance(t!) === ANNOUNCED) continue
          last = noted
          break
        }
      })
      transactions.keepTrial(t, last, mayTell)
    }
  }

  /** Whether the thread stops before its pending operation, having come from the operation of a site. */
  private stopsNow(t: number, from: number, outcome: number): boolean {
    const { s } = this
    const action = s.action[t]
    const flags = this.stops.rows[s.row[t]]
    const wanted = action === Action.reacquire ? STOP_BEFORE_REACQUIRE : STOP_BEFORE
    if ((flags[s.pending.site[t]] & wanted) !== 0) return true
    if ((outcome & RELEASED) !== 0 && (flags[from] & STOP_AFTER) !== 0) return true
    if (alwaysHalts[action] === 1 || s.spins.blocked[t] === 1) return true
    // How many spurious wake-ups are left must not decide where a transition ends.
    if (s.spuriousLimit > 0 && isWait(action)) return true
    if (s.memory !== null && isAccess[action] === 1) return countAlternatives(s, t) !== 1
    if (alternativesVary[action] === 0 || countAlternatives(s, t) === 1) return false
    this.probe(t)
    return true
  }

  /** The transition ends here because of the state of an object: see `Op.probe`. */
  private probe(t: number): void {
    const { s } = this
    const location = s.pending.location[t]
    const waiting = s.action[t] === Action.reacquire && s.signalled[t] === 0
    if (location >= 0 && !waiting) s.recordAt(t, Op.probe, Mode.read, location, -1)
  }

  /** The thread goes on after an iteration that changed nothing: that depends on all it read there. */
  private resume(t: number): void {
    const { s } = this
    s.spins.blocked[t] = 0
    if (!s.footprints) return
    const first = s.spins.firstEvent(t)
    for (const cell of s.spins.cellsRead(t)) {
      s.events.push(Op.resume, Mode.read, s.layout.locationOf[cell], s.pending.site[t], first)
    }
  }

  private end(t: number): void {
    const { s } = this
    if (s.footprints) s.events.push(Op.exit, Mode.none, -1, s.pending.site[t], -1)
    if (s.memory !== null) s.memory.end(t)
    s.retire(t)
  }

  alternatives(thread: number): number {
    return countAlternatives(this.s, thread)
  }

  alternativeName(thread: number, value: number): string {
    const { s } = this
    const action = s.action[thread]
    if (action === Action.signal && s.cells[s.object[thread] + 2] > 0) {
      return `wakes ${this.threads.names[waiterAt(s, s.object[thread], value)]}`
    }
    if (s.memory !== null && isAccess[action] === 1) return accessName(s, s.memory, thread, value)
    if (action === Action.txBegin) return this.transactions.alternativeName(value)
    if (isWait(action) && countAlternatives(s, thread) > 1) {
      return waitAlternatives[value]
    }
    return String(value)
  }

  checkEnd(): Bug | null {
    const { s } = this
    const read = (thread: string, register: string) => {
      const index = this.threadNamed(thread)
      return index < 0 ? 0 : this.control.register(index, register)
    }
    for (const { name, holds } of this.atEnd) {
      let reason = ''
      try {
        if (holds(s.cells, read) !== 0) continue
      } catch (error) {
        reason = ` (${(error as Error).message})`
      }
      return { kind: 'invariant', message: `check at the end ${name} fails${reason}`, thread: -1, site: -1 }
    }
    return null
  }

  waitOf(thread: number): Wait {
    return describeWait(this.s, thread)
  }

  stackOf(thread: number): readonly string[] {
    return [this.bodies[this.s.body[thread]]]
  }

  describeLocation(location: number): string {
    const kind = this.locations.kinds[location]
    const key = this.locations.keys[location]
    if (kind === 'memory') return key
    if (kind === 'barrier') return `barrier ${key.replace('#', ', generation ')}`
    return kind === 'output' ? 'output' : `${kind} ${key}`
  }

  finalState(): string {
    return describeState(this.s)
  }

  /** The thread of that canonical name, or the first one by name that runs the body of that name; -1 if none has. */
  private threadNamed(name: string): number {
    const { s } = this
    const body = this.bodies.indexOf(name)
    const canonical = this.threads.names
    const known = canonical.map((_, t) => t).filter((t) => s.pending.status[t] !== 0)
    if (body < 0) return known.find((t) => canonical[t] === name) ?? -1
    return (
      known.filter((t) => s.body[t] === body).sort((x, y) => (canonical[x] < canonical[y] ? -1 : 1))[0] ?? -1
    )
  }

  private bodyOfThread(name: string, roots: readonly string[], where: string): string {
    if (this.bodies.includes(name)) return name
    const root = roots[Number(name)]
    if (root !== undefined) return root
    throw new ProgramError(where, `no thread "${name}"; threads are ${this.bodies.join(', ')}`)
  }
}

function isWait(action: number): boolean {
  return action === Action.wait || action === Action.timedWait
}
