/** A bit: a variable of the SAT solver, or its negation if below 0. */
export type Literal = number

export const TRUE: Literal = 1
export const FALSE: Literal = -1

/** What gates write their clauses to. */
export interface Clauses {
  addClause(clause: readonly Literal[]): void
}

/**
 * Logic gates as clauses (Tseitin), each kept once. Literal 1 is true. Gates whose result is known from constants or equal
 * inputs cost nothing.
 */
export class Gates {
  private variables = 1
  private readonly ands = new Map<number, Literal>()
  private readonly xors = new Map<number, Literal>()

  constructor(private readonly clauses: Clauses) {
    clauses.addClause([TRUE])
  }

  /** How many variables there are. */
  get count(): number {
    return this.variables
  }

  fresh(): Literal {
    return ++this.variables
  }

  and(a: Literal, b: Literal): Literal {
    if (a === FALSE || b === FALSE || a === -b) return FALSE
    if (a === TRUE || a === b) return b
    if (b === TRUE) return a
    const key = a < b ? pair(a, b) : pair(b, a)
    const known = this.ands.get(key)
    if (known !== undefined) return known
    const gate = this.fresh()
    this.clauses.addClause([-gate, a])
    this.clauses.addClause([-gate, b])
    this.clauses.addClause([gate, -a, -b])
    this.ands.set(key, gate)
    return gate
  }

  or(a: Literal, b: Literal): Literal {
    return -this.and(-a, -b)
  }

  xor(a: Literal, b: Literal): Literal {
    if (a === TRUE) return -b
    if (a === FALSE) return b
    if (b === TRUE) return -a
    if (b === FALSE) return a
    if (a === b) return FALSE
    if (a === -b) return TRUE
    const x = Math.abs(a)
    const y = Math.abs(b)
    const isFlipped = a < 0 !== b < 0
    const key = x < y ? pair(x, y) : pair(y, x)
    let gate = this.xors.get(key)
    if (gate === undefined) {
      gate = this.fresh()
      this.clauses.addClause([-gate, x, y])
      this.clauses.addClause([-gate, -x, -y])
      this.clauses.addClause([gate, -x, y])
      this.clauses.addClause([gate, x, -y])
      this.xors.set(key, gate)
    }
    return isFlipped ? -gate : gate
  }

  choose(condition: Literal, a: Literal, b: Literal): Literal {
    if (condition === TRUE || a === b) return a
    if (condition === FALSE) return b
    return this.or(this.and(condition, a), this.and(-condition, b))
  }

  majority(a: Literal, b: Literal, c: Literal): Literal {
    return this.or(this.and(a, b), this.and(c, this.or(a, b)))
  }
}

/** Both fit: a solver with 2^25 variables is beyond what we wait for. */
function pair(a: Literal, b: Literal): number {
  return a * 0x4000000 + b
}
