import type { Strategy } from '../../src/execution/strategy.js'
import type { Program } from '../../src/frontends/model/program.js'
import type { Machine } from '../../src/machine/machine.js'
import { LocationTable, ThreadTable } from '../../src/machine/names.js'
import { everywhere, type PointSet } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { createStrategy, loadStrategy, openPart } from '../../src/strategies/index.js'
import { NamesHeard, NamesTold } from '../../src/strategies/parallel/names.js'
import type { Divisible, Kept } from '../../src/strategies/parallel/part.js'
import type { SavedTree } from '../../src/strategies/parallel/saved-tree.js'
import { type NextPart, SharedTree } from '../../src/strategies/parallel/shared-tree.js'
import { nothingReached, type Reached, reachMore } from '../support/brute-force.js'
import { engine } from '../support/engine.js'

export interface CrewOptions {
  readonly spec: string
  readonly program: Program
  readonly workers: number
  readonly seed: number
  readonly points?: PointSet
  /** Of a hundred turns, how many end with the death of the worker that has it. */
  readonly deaths?: number
  /** Of a hundred turns, how many end with everything saved, and resumed with another number of workers. */
  readonly resumptions?: number
}

/** More turns than any of the programs needs. */
const mostTurns = 80_000

const plain = <T>(data: T): T => JSON.parse(JSON.stringify(data)) as T

/** What the parts of a search have in common. */
class Common {
  readonly tables = { threads: new ThreadTable(), locations: new LocationTable() }
  readonly tree: SharedTree

  constructor(readonly only: number | undefined) {
    this.tree = new SharedTree(this.tables.locations, only)
  }

  save(): Saved {
    const { threads, locations } = this.tables
    return plain({ threads: threads.names, locations: locations.entries(), tree: this.tree.save() })
  }

  static load(saved: Saved, only: number | undefined): Common {
    const common = new Common(only)
    common.tables.threads.preload(saved.threads)
    common.tables.locations.preload(saved.locations)
    common.tree.load(saved.tree)
    return common
  }
}

interface Saved {
  threads: string[]
  locations: ReturnType<LocationTable['entries']>
  tree: SavedTree
}

/** A worker with a machine of its own. Whatever it and the others say to each other is plain data. */
class Hand {
  private readonly machine: Machine
  private strategy: (Strategy & Divisible) | null = null
  private part = -1
  /** Reached since the part was last kept: lost if this worker dies. */
  private since = nothingReached()
  private readonly told: NamesTold
  private readonly heard: NamesHeard
  /** The other side's. */
  private readonly theyTold: NamesTold
  private readonly theyHeard: NamesHeard

  constructor(
    private readonly options: CrewOptions,
    private readonly common: Common,
  ) {
    this.machine = engine.modelMachine(options.program)
    this.machine.usePoints(options.points ?? everywhere)
    this.told = new NamesTold(this.machine)
    this.heard = new NamesHeard(this.machine)
    this.theyTold = new NamesTold(common.tables)
    this.theyHeard = new NamesHeard(common.tables)
  }

  get isIdle(): boolean {
    return this.strategy === null
  }

  begin({ part, start, kept }: NextPart): void {
    this.listen()
    this.part = part
    this.since = nothingReached()
    this.strategy = this.make(plain({ start, kept })) as Strategy & Divisible
  }

  private make({ start, kept }: Pick<NextPart, 'start' | 'kept'>): Strategy {
    const { machine, common } = this
    const { spec } = this.options
    const { only } = common
    if (start !== null) return openPart(spec, start, this.context)
    if (kept === null) return createStrategy(spec, { machine, only })
    const threads = machine.threads.preload(kept.threads)
    const locations = machine.locations.preload(kept.locations)
    return loadStrategy(spec, kept.state, {
      ...this.context,
      threadHere: (t) => threads[t],
      locationHere: (l) => locations[l],
    })
  }

  /** A few executions, then everything there is to say. */
  work(executions: number, isAsked: boolean, isKept: boolean, total: Reached): void {
    const strategy = this.strategy!
    const { common } = this
    this.since.exhausted = false
    reachMore(this.since, this.machine, strategy, executions)
    const isDone = this.since.exhausted
    const report = strategy.report(isAsked)
    const keeps = isKept || report.handed !== undefined
    this.theyHeard.take(plain(this.told.next()))
    const said = plain(keeps && !isDone ? { ...report, kept: this.keep(strategy) } : report)
    const updates = common.tree.report(this.part, this.theyHeard.report(said), isDone)
    if (keeps || isDone) {
      add(total, this.since)
      this.since = nothingReached()
    }
    if (isDone) {
      this.strategy = null
      return
    }
    this.listen()
    for (const update of plain(updates)) {
      strategy.update?.(update, { ...this.context, argument: '', random: new Random(1) })
    }
  }

  die(): void {
    if (this.strategy !== null) this.common.tree.drop(this.part)
  }

  private keep(strategy: Strategy): Kept {
    const { threads, locations } = this.machine
    return { state: strategy.save(), threads: threads.names, locations: locations.entries() }
  }

  private listen(): void {
    this.heard.take(plain(this.theyTold.next()))
  }

  private get context() {
    const { threadHere, locationHere } = this.heard
    const { only } = this.common
    return { machine: this.machine, order: 'stay' as const, only, threadHere, locationHere }
  }
}

/** Explores with several workers, any of which may have the next turn. */
export function reachTogether(options: CrewOptions): Reached {
  const reached = nothingReached()
  const random = new Random(options.seed)
  for (let bound = 0; ; bound++) {
    const tree = exploreTogether(reached, options, random, options.spec === 'icb' ? bound : undefined)
    if (!reached.exhausted || !tree.isLimited) return reached
  }
}

function exploreTogether(
  reached: Reached,
  options: CrewOptions,
  random: Random,
  only: number | undefined,
): SharedTree {
  const { workers, deaths = 0, resumptions = 0 } = options
  let common = new Common(only)
  let hands = Array.from({ length: workers }, () => new Hand(options, common))
  reached.exhausted = false
  for (let turn = 0; !common.tree.isDone; turn++) {
    if (turn > mostTurns) return common.tree
    const at = random.below(hands.length)
    const hand = hands[at]
    if (hand.isIdle) {
      const next = common.tree.take()
      if (next !== null) hand.begin(next)
      // What was left may all have been beyond the bound.
      else if (!common.tree.isDone && hands.every((h) => h.isIdle))
        throw new Error('nobody has anything to do')
      continue
    }
    hand.work(1 + random.below(3), random.below(4) > 0, random.below(8) === 0, reached)
    if (random.below(100) < deaths) {
      hand.die()
      hands[at] = new Hand(options, common)
    }
    if (random.below(100) < resumptions) {
      for (const other of hands) if (!other.isIdle) other.work(1, false, true, reached)
      if (common.tree.isDone) break
      common = Common.load(common.save(), only)
      hands = Array.from({ length: 1 + random.below(4) }, () => new Hand(options, common))
    }
  }
  reached.exhausted = true
  return common.tree
}

function add(total: Reached, more: Reached): void {
  total.executions += more.executions
  total.blocked += more.blocked
  total.cut += more.cut
  for (const [key, times] of more.classes) total.classes.set(key, (total.classes.get(key) ?? 0) + times)
  for (const key of more.failed) total.failed.add(key)
  for (const key of more.bugs) total.bugs.add(key)
  for (const key of more.finalStates) total.finalStates.add(key)
}
