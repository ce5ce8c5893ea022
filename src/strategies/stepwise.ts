import type { ChoicePoint, Saved, Script, Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'

/** Steps that executions may take at first: so many, or so many times what the first one takes. */
const firstLimit = 64
const firstFactor = 3
const growth = 2

export interface StepwiseOptions {
  /** Makes the strategy from its beginning. */
  readonly create: () => Strategy
  /** Steps after which executions are cut in the end. */
  readonly maxSteps: number
  /** The strategy to go on with, and what `save` wrote of it. */
  readonly resumed?: { readonly strategy: Strategy; readonly saved: Saved }
}

/**
 * A strategy around a search: executions may take few steps at first, and more each time the search has ended with some
 * of them cut.
 *
 * Where a thread counts the rounds it waits, there is an execution for every number of them. A search goes on where it was
 * last, so it would first explore all the long ones, and the short ones, where the bugs are, last or never. If no execution
 * reaches the limit, which is the rule, this changes nothing. Those cut at a limit that is not the last one are explored
 * again.
 */
class Stepwise implements Strategy {
  restarts = 0
  readonly untried?: (depth: number) => number
  inner: Strategy
  /** Infinity for the first execution, and once it has reached the last one. */
  private limit = Infinity
  private isFirst = true
  /** Some execution was cut at this limit. */
  private hasCut = false
  /** The execution that ended last is run again, and counts then. */
  private isDropped = false
  private bestBound = -1

  constructor(private readonly options: StepwiseOptions) {
    const { create, resumed } = options
    this.inner = resumed?.strategy ?? create()
    // What begins anew may be a search of another kind, which answers less.
    if (this.inner.untried) this.untried = (depth) => this.inner.untried?.(depth) ?? 0
    const saved = resumed?.saved.stepwise as
      | { limit: number | null; hasCut: boolean; bound: number }
      | undefined
    if (saved) {
      this.isFirst = false
      this.limit = saved.limit ?? Infinity
      this.hasCut = saved.hasCut
      this.bestBound = saved.bound
    }
  }

  get name(): string {
    return this.inner.name
  }

  get footprints(): boolean {
    return this.inner.footprints
  }

  get rerun(): boolean {
    return this.isDropped || (this.inner.rerun ?? false)
  }

  get longRaces(): ReadonlySet<number> | undefined {
    return this.inner.longRaces
  }

  /** What was completed with nothing cut, whatever the limit. */
  get completedBound(): number | undefined {
    const { completedBound } = this.inner
    return completedBound === undefined ? undefined : Math.max(completedBound, this.bestBound)
  }

  get decider(): Strategy {
    return this.inner
  }

  get script(): Script {
    return this.inner.script
  }

  get maxSteps(): number {
    return this.limit
  }

  begin(): boolean {
    this.isDropped = false
    while (!this.inner.begin()) {
      if (!this.hasCut) return false
      this.restart(this.limit * growth)
    }
    return true
  }

  choose(point: ChoicePoint): number {
    return this.inner.choose(point)
  }

  end(trace: Trace, status: Status): void {
    const isCut = status === 'cut'
    const { isFirst } = this
    this.isFirst = false
    // How long an execution is that does not end says nothing. What there is to be seen of it is to be seen early.
    if (isFirst && isCut && firstLimit < this.options.maxSteps) {
      this.restart(firstLimit)
      this.isDropped = true
      return
    }
    this.inner.end(trace, status)
    if (isFirst && !isCut) this.limitTo(Math.max(firstLimit, firstFactor * trace.length))
    else if (isCut && this.limit < Infinity) this.hasCut = true
  }

  save(): Saved {
    if (this.isFirst) return this.inner.save()
    const { limit, hasCut } = this
    return {
      ...this.inner.save(),
      stepwise: { limit: limit === Infinity ? null : limit, hasCut, bound: this.bestBound },
    }
  }

  private restart(limit: number): void {
    this.limitTo(limit)
    this.bestBound = this.completedBound ?? -1
    this.hasCut = false
    this.restarts++
    this.inner = this.options.create()
  }

  private limitTo(limit: number): void {
    this.limit = limit < this.options.maxSteps ? limit : Infinity
  }
}

export function stepwise(options: StepwiseOptions): Strategy {
  return new Stepwise(options)
}
