import { Forecast, weightedBacktrack } from '../../estimators/index.js'
import type { Strategy } from '../../execution/strategy.js'
import type { Machine } from '../../machine/machine.js'
import { isEverywhere } from '../../machine/points.js'
import { Random } from '../../random/random.js'
import { createStrategy, loadStrategy, openPart } from '../../strategies/index.js'
import { NamesHeard, NamesTold } from '../../strategies/parallel/names.js'
import type { Divisible } from '../../strategies/parallel/part.js'
import { PartStrategy } from '../../strategies/parallel/part-strategy.js'
import { unsplit } from '../../strategies/splitting.js'
import type { SearchPlan } from '../search.js'
import type { PartAnswer, PartAssignment, PartSaid } from './messages.js'

/** Plans that are told before the slice is over: until then, others like them are made again and again. */
const mostPlans = 64

/** A part of a search on the machine of one worker, and what it says to the whole. */
export class PartOfSearch {
  readonly strategy: PartStrategy
  /** Of what it has not given away. */
  readonly forecast: Forecast
  private readonly told: NamesTold
  private readonly heard: NamesHeard
  private isAsked = false
  private keeps = false
  private resolve: () => void = () => {}

  constructor(
    private readonly machine: Machine,
    private readonly plan: SearchPlan,
    private readonly part: PartAssignment,
  ) {
    machine.usePoints(plan.points)
    this.told = new NamesTold(machine)
    this.heard = new NamesHeard(machine)
    this.heard.take(part.names)
    this.strategy = new PartStrategy(this.make() as Strategy & Divisible, part.limit ?? Infinity)
    this.forecast = new Forecast(this.strategy, weightedBacktrack)
  }

  /** There is much to tell. */
  get isFull(): boolean {
    return this.strategy.plansWaiting >= mostPlans
  }

  say(keeps: boolean): PartSaid {
    const { machine, strategy } = this
    const report = strategy.report(this.isAsked)
    const kept =
      keeps || this.keeps || report.handed
        ? {
            kept: {
              state: strategy.save(),
              threads: machine.threads.names,
              locations: machine.locations.entries(),
            },
          }
        : {}
    this.isAsked = this.keeps = false
    return {
      names: this.told.next(),
      report: { ...report, ...kept },
      share: this.forecast.estimate().share,
      hasCut: strategy.hasCut,
      long: this.long,
    }
  }

  /** When `answer` or `goOn` is called next. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      this.resolve = resolve
    })
  }

  answer({ names, updates, isAsked, keeps }: PartAnswer): void {
    this.heard.take(names)
    for (const update of updates) this.strategy.update(update, this.context)
    this.isAsked = isAsked
    this.keeps = keeps
    this.resolve()
  }

  goOn(): void {
    this.resolve()
  }

  private get long(): PartSaid['long'] {
    const { machine, strategy } = this
    if (!isEverywhere(machine.points)) return []
    if (strategy.longRaces === undefined) return machine.longAccesses?.seen ? 'watch' : []
    return unsplit(machine, strategy.longRaces)
  }

  private make(): Strategy {
    const { machine, plan, part } = this
    const { start, kept } = part
    if (start !== null) return openPart(plan.strategy, start, this.context)
    if (kept === null)
      return createStrategy(plan.strategy, { ...plan, machine, only: part.only ?? undefined })
    const threads = machine.threads.preload(kept.threads)
    const locations = machine.locations.preload(kept.locations)
    return loadStrategy(plan.strategy, kept.state, {
      ...this.context,
      threadHere: (t) => threads[t],
      locationHere: (l) => locations[l],
    })
  }

  private get context() {
    const { plan, machine, part } = this
    const { threadHere, locationHere } = this.heard
    const { order, options, bound } = plan
    const only = part.only ?? undefined
    return {
      machine,
      order,
      options,
      bound,
      only,
      threadHere,
      locationHere,
      argument: '',
      random: new Random(plan.seed),
    }
  }
}
