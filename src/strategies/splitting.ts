import type { ChoicePoint, Saved, Script, Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import type { Machine } from '../machine/machine.js'
import { addPoints, isEverywhere, type RacePoint } from '../machine/points.js'
import { HappensBefore } from '../ordering/happens-before.js'

export interface SplittingOptions {
  readonly machine: Machine
  /** Makes the strategy from its beginning. */
  readonly create: () => Strategy
  /** It samples: there is no search to begin anew. */
  readonly isSampler: boolean
  /** The strategy to go on with, and what `save` wrote of it. */
  readonly resumed?: { readonly strategy: Strategy; readonly saved: Saved }
}

/**
 * A strategy around a strategy, for points everywhere: an access of several words runs as one step until it is seen to
 * race; its site then becomes a point before each of its words, and the search begins anew.
 *
 * Why nothing is lost as long as it does not race. Take an execution in which another thread comes between the words of
 * an access, and its shortest prefix in which what comes between conflicts with one of them: x. All that other threads
 * did since the first word does not conflict with the words done so far, so it could have come before them; then both
 * the whole access and x are possible at one point and conflict. The search in one step has seen that as a race.
 *
 * Strategies that do not look at races are watched by a happens-before of ours, once there was such an access at all.
 */
class Splitting implements Strategy {
  readonly untried?: (depth: number) => number
  inner: Strategy
  /** Of strategies before this one, and our own. */
  private restartsBefore = 0
  /** Watches for strategies that cannot tell. */
  private hb: HappensBefore | null = null
  private readonly isEverywhere: boolean

  constructor(private readonly options: SplittingOptions) {
    this.inner = options.resumed?.strategy ?? options.create()
    this.isEverywhere = isEverywhere(options.machine.points)
    // What begins anew may be a search of another kind, which answers less: once accesses are split, steps may do more than
    // they announce.
    if (this.inner.untried) this.untried = (depth) => this.inner.untried?.(depth) ?? 0
    const watched = options.resumed?.saved.watched as number[] | undefined
    if (watched) for (const site of watched) this.watch().longRaces.add(site)
  }

  get name(): string {
    return this.inner.name
  }

  get footprints(): boolean {
    return this.inner.footprints || this.hb !== null
  }

  get restarts(): number {
    return this.restartsBefore + (this.inner.restarts ?? 0)
  }

  get maxSteps(): number | undefined {
    return this.inner.maxSteps
  }

  get rerun(): boolean {
    return this.inner.rerun ?? false
  }

  get longRaces(): ReadonlySet<number> | undefined {
    return this.inner.longRaces ?? this.hb?.longRaces
  }

  get coarse(): boolean {
    return this.isEverywhere && (this.longRaces?.size ?? 0) > 0
  }

  get completedBound(): number | undefined {
    return this.inner.completedBound
  }

  get decider(): Strategy {
    return this.inner
  }

  get script(): Script {
    return this.inner.script
  }

  begin(): boolean {
    if (this.isEverywhere) this.refine()
    return this.inner.begin()
  }

  choose(point: ChoicePoint): number {
    return this.inner.choose(point)
  }

  end(trace: Trace, status: Status): void {
    this.inner.end(trace, status)
    const { hb } = this
    if (hb === null) return
    hb.truncate(0)
    while (hb.depth < trace.length) hb.add(trace)
  }

  save(): Saved {
    return this.hb === null ? this.inner.save() : { ...this.inner.save(), watched: [...this.hb.longRaces] }
  }

  /** Between two executions: what was seen to race is split from now on. */
  private refine(): void {
    const { machine, isSampler } = this.options
    if (machine.longAccesses?.seen && this.inner.longRaces === undefined && this.hb === null) {
      this.watch()
      if (!isSampler) this.restart()
      return
    }
    const { longRaces } = this
    if (longRaces === undefined || longRaces.size === 0) return
    const races = unsplit(machine, longRaces)
    if (races.length === 0) return
    machine.usePoints(addPoints(machine.points, { races }))
    if (this.hb !== null) this.watch()
    if (!isSampler) this.restart()
    else if (this.inner.longRaces !== undefined) throw new Error(`${this.name} samples and looks at races`)
  }

  private restart(): void {
    this.restartsBefore = this.restarts + 1
    this.inner = this.options.create()
  }

  private watch(): HappensBefore {
    this.hb = new HappensBefore(this.options.machine)
    return this.hb
  }
}

/** Points for those of the sites that are not split yet. Without a site, nothing can be. */
export function unsplit({ sites, points }: Machine, longRaces: ReadonlySet<number>): RacePoint[] {
  const split = new Set(points.races.filter((race) => race.words).map((race) => race.site))
  return [...longRaces]
    .filter((site) => site >= 0 && !split.has(sites[site].name))
    .map((site) => ({ site: sites[site].name, words: true }))
}

/** The machine must have its points already. */
export function splitting(options: SplittingOptions): Strategy {
  return new Splitting(options)
}
