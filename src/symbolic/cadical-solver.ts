import type { Cadical, CadicalModule } from 'cadical-wasm'
import { BitBlaster } from './bit-blaster.js'
import { Evaluation } from './evaluate.js'
import type { Expression, Expressions } from './expressions.js'
import { FALSE, type Literal, TRUE } from './gates.js'
import { Operator } from './operator.js'
import { type Answer, type Solver, type SolverLimits, usualLimits } from './solver.js'

/** Gates from which on everything is made anew: the SAT solver looks at all of them for every query. */
const MANY_GATES = 300_000

/** Thrown when a query costs more than it may. */
const TOO_MUCH = new Error('too much for the solver')

/**
 * Conditions as gates, and CaDiCaL (Biere and others, "CaDiCaL 2.0", CAV 2024) to find out whether they can all hold. Gates
 * stay, since the next query is mostly about the same expressions; conditions are assumed for one query only.
 */
export class CadicalSolver implements Solver {
  private cadical!: Cadical
  private blaster!: BitBlaster

  private constructor(
    private readonly expressions: Expressions,
    private readonly Sat: typeof Cadical,
    private readonly module: CadicalModule,
    private readonly limits: SolverLimits,
  ) {
    this.renew()
  }

  static async create(expressions: Expressions, limits: Partial<SolverLimits> = {}): Promise<CadicalSolver> {
    // Not before it is wanted: every start of the command would pay for it.
    const { Cadical, loadCadical } = await import('cadical-wasm')
    return new CadicalSolver(expressions, Cadical, await loadCadical(), { ...usualLimits, ...limits })
  }

  private renew(): void {
    this.cadical?.dispose()
    this.cadical = new this.Sat(this.module)
    const { isOver } = this.limits
    if (isOver) this.cadical.setTerminate(isOver)
    this.blaster = new BitBlaster(this.expressions, this.cadical, (gates) => {
      if (gates > this.limits.gates || isOver?.()) throw TOO_MUCH
    })
  }

  solve(conditions: readonly Expression[]): Answer {
    if (this.limits.isOver?.()) return { kind: 'unknown' }
    if (this.blaster.gates.count > MANY_GATES) this.renew()
    const assumptions = new Set<Literal>()
    try {
      for (const condition of conditions) {
        const literal = this.blaster.literalOf(condition)
        if (literal === FALSE || assumptions.has(-literal)) return { kind: 'unsatisfiable' }
        if (literal !== TRUE) assumptions.add(literal)
      }
    } catch (error) {
      if (error !== TOO_MUCH) throw error
      return { kind: 'unknown' }
    }
    const options = { assumptions: [...assumptions], conflicts: this.limits.conflicts }
    const kind = this.cadical.solve(options)
    if (kind !== 'satisfiable') return { kind }
    const assignment = this.assignment()
    // Cheap, and what is reported then holds whatever the gates are worth.
    const evaluation = new Evaluation(this.expressions, assignment)
    const wrong = conditions.find((condition) => !evaluation.holds(condition))
    if (wrong !== undefined) throw new Error(`the solver's answer does not fit condition ${wrong}`)
    return { kind: 'satisfiable', assignment }
  }

  /** Values of all variables; of those that no query has mentioned, 0. */
  private assignment(): bigint[] {
    const { expressions, blaster } = this
    const values: bigint[] = []
    for (let e = 1; e <= expressions.size; e++) {
      if (expressions.operator[e] !== Operator.variable) continue
      const bits = blaster.knownBits(e) ?? []
      values[expressions.first[e]] = bits.reduce(
        (value, bit, i) => (this.cadical.value(bit) ? value | (1n << BigInt(i)) : value),
        0n,
      )
    }
    return Array.from(values, (value) => value ?? 0n)
  }

  dispose(): void {
    this.cadical.dispose()
  }
}
