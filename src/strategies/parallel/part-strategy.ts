import type { ChoicePoint, Saved, Script, Strategy } from '../../execution/strategy.js'
import type { Status, Trace } from '../../execution/trace.js'
import type { StrategyContext } from '../registry.js'
import type { Divisible, PartReport, UpdatedPoint } from './part.js'

/** A part of a search, whose executions may take so many steps for now: when to let them take more is up to the whole. */
export class PartStrategy implements Strategy, Divisible {
  /** Some execution was cut. */
  hasCut = false

  constructor(
    readonly inner: Strategy & Divisible,
    readonly maxSteps: number,
  ) {}

  get name(): string {
    return this.inner.name
  }

  get root(): number {
    return this.inner.root
  }

  get footprints(): boolean {
    return this.inner.footprints
  }

  get rerun(): boolean {
    return this.inner.rerun ?? false
  }

  get longRaces(): ReadonlySet<number> | undefined {
    return this.inner.longRaces
  }

  get decider(): Strategy {
    return this.inner
  }

  get script(): Script {
    return this.inner.script
  }

  begin(): boolean {
    return this.inner.begin()
  }

  choose(point: ChoicePoint): number {
    return this.inner.choose(point)
  }

  end(trace: Trace, status: Status): void {
    if (status === 'cut') this.hasCut = true
    this.inner.end(trace, status)
  }

  save(): Saved {
    return this.inner.save()
  }

  untried(depth: number): number {
    return this.inner.untried(depth)
  }

  report(isAsked: boolean): PartReport {
    return this.inner.report(isAsked)
  }

  /** Plans not told yet. */
  get plansWaiting(): number {
    return this.inner.plansWaiting ?? 0
  }

  update(point: UpdatedPoint, context: StrategyContext): void {
    this.inner.update?.(point, context)
  }
}
