import type { LocationTable, ObjectKind, ThreadTable } from '../../machine/names.js'
import type { PlainStep, Plan } from '../reduction/above-root.js'
import type { SavedBranch } from '../reduction/wakeup-tree.js'
import type { HandedPoint, PartReport } from './part.js'

/** The tables of a machine, or of whoever keeps what machines have in common. */
export interface Tables {
  readonly threads: ThreadTable
  readonly locations: LocationTable
}

/** Names that the other side has not heard of: from then on, indexes will do. */
export interface NewNames {
  readonly threads: readonly string[]
  readonly locations: readonly (readonly [ObjectKind, string])[]
  /** Pairs of locations that share bytes. */
  readonly overlapping: readonly (readonly [number, number])[]
}

/** One side: what it has told. */
export class NamesTold {
  private threads = 0
  private locations = 0
  private overlapping = 0

  constructor(private readonly tables: Tables) {}

  next(): NewNames {
    const { threads, locations } = this.tables
    const names: NewNames = {
      threads: threads.names.slice(this.threads),
      locations: locations
        .entries()
        .slice(this.locations)
        .map(([kind, key]) => [kind, key] as const),
      overlapping: locations.overlapping.slice(this.overlapping),
    }
    this.threads = threads.count
    this.locations = locations.count
    this.overlapping = locations.overlapping.length
    return names
  }
}

/** The other side: the indexes here of what it was told. */
export class NamesHeard {
  private readonly threads: number[] = []
  private readonly locations: number[] = []

  constructor(private readonly tables: Tables) {}

  take(names: NewNames): void {
    const { threads, locations } = this.tables
    this.threads.push(...threads.preload(names.threads))
    this.locations.push(...locations.preload(names.locations))
    for (const [a, b] of names.overlapping) locations.addOverlap(this.locations[a], this.locations[b])
  }

  readonly threadHere = (told: number): number => this.threads[told]
  readonly locationHere = (told: number): number => this.locations[told]

  /** The same report in the indexes of this side. */
  report({ plans, opened, handed, ...rest }: PartReport): PartReport {
    return {
      ...rest,
      plans: plans.map((plan) => this.plan(plan)),
      ...(opened ? { opened: { ...opened, step: this.step(opened.step) } } : {}),
      ...(handed ? { handed: handed.map((point) => this.point(point)) } : {}),
    }
  }

  private point(point: HandedPoint): HandedPoint {
    const { cost, marked } = point
    return {
      ...point,
      alternatives: point.alternatives.map(([thread, n]) => [this.threadHere(thread), n]),
      sleepers: point.sleepers.map(([thread, value, flags, ...cells]) => [
        this.threadHere(thread),
        value,
        flags,
        ...this.cells(cells),
      ]),
      step: this.step(point.step),
      branches: point.branches.map((row) => this.branch(row)),
      ...(marked ? { marked: marked.map(this.threadHere) } : {}),
      ...(cost ? { cost: [cost[0], cost[1] < 0 ? cost[1] : this.threadHere(cost[1])] } : {}),
    }
  }

  private plan(plan: Plan): Plan {
    if ('steps' in plan) return { ...plan, steps: plan.steps.map((step) => this.step(step)) }
    if ('mark' in plan) return { ...plan, mark: this.threadHere(plan.mark) }
    return {
      ...plan,
      branch: this.step(plan.branch),
      ...(plan.below ? { below: this.step(plan.below) } : {}),
    }
  }

  private step([thread, value, arity, cells]: PlainStep): PlainStep {
    return [this.threadHere(thread), value, arity, this.cells(cells)]
  }

  private branch([level, thread, value, arity, cells]: SavedBranch): SavedBranch {
    return [level, this.threadHere(thread), value, arity, this.cells(cells)]
  }

  private cells(cells: readonly number[]): number[] {
    return cells.map((cell, i) => (i % 2 === 1 || cell < 0 ? cell : this.locationHere(cell)))
  }
}
