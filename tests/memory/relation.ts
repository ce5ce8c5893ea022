/** Relations between at most 31 events, to be read beside the papers: a bit per pair. */
export class Relation {
  private readonly rows: Int32Array

  constructor(
    readonly n: number,
    holds: (a: number, b: number) => boolean = () => false,
  ) {
    if (n > 31) throw new RangeError(`${n} events are too many`)
    this.rows = new Int32Array(n)
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) if (holds(a, b)) this.rows[a] |= 1 << b
  }

  has(a: number, b: number): boolean {
    return ((this.rows[a] >> b) & 1) === 1
  }

  or(...others: readonly Relation[]): Relation {
    const sum = new Relation(this.n)
    for (let a = 0; a < this.n; a++) sum.rows[a] = others.reduce((row, o) => row | o.rows[a], this.rows[a])
    return sum
  }

  and(holds: (a: number, b: number) => boolean): Relation {
    return new Relation(this.n, (a, b) => this.has(a, b) && holds(a, b))
  }

  /** First this, then the others. */
  seq(...others: readonly Relation[]): Relation {
    return others.reduce<Relation>((left, right) => left.composed(right), this)
  }

  private composed(right: Relation): Relation {
    const made = new Relation(this.n)
    for (let a = 0; a < this.n; a++) {
      for (let c = 0; c < this.n; c++) if (this.has(a, c)) made.rows[a] |= right.rows[c]
    }
    return made
  }

  /** Zero times or once. */
  maybe(): Relation {
    return this.or(identity(this.n, () => true))
  }

  /** One or more times. */
  closed(): Relation {
    const made = this.or()
    for (let c = 0; c < this.n; c++) {
      for (let a = 0; a < this.n; a++) if (made.has(a, c)) made.rows[a] |= made.rows[c]
    }
    return made
  }

  meets(other: Relation): boolean {
    return this.rows.some((row, a) => (row & other.rows[a]) !== 0)
  }

  isIrreflexive(): boolean {
    return this.rows.every((row, a) => ((row >> a) & 1) === 0)
  }

  isAcyclic(): boolean {
    return this.closed().isIrreflexive()
  }
}

/** The events of a set, each related to itself: `[S]` in the papers. */
export function identity(n: number, holds: (a: number) => boolean): Relation {
  return new Relation(n, (a, b) => a === b && holds(a))
}
