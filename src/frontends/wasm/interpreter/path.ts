import type { Expression } from '../../../symbolic/expressions.js'
import { Expressions } from '../../../symbolic/expressions.js'
import { ShadowMemory } from './shadow-memory.js'

/**
 * Why a condition on the input was decided: at a branch; because an instruction traps for some inputs; or because a value
 * had to be a number (an address, what the host is given, floating point), which leaves all others out.
 */
export type DecisionKind = 'branch' | 'trap' | 'value'

/** A condition on the input that decided what the program did. */
export interface Decision {
  readonly kind: DecisionKind
  /** Of one bit; holds for the input that was run. */
  readonly condition: Expression
  /** Where in the code. */
  readonly place: number
}

/** What the interpreter tells of an execution: how values depend on the input, and what was decided by it. */
export class Path {
  readonly shadow: ShadowMemory
  readonly decisions: Decision[] = []
  /** Conditions that were decided in this execution already. */
  private readonly decided = new Set<Expression>()
  /** Called with every decision, once it is noted. */
  onDecision: (() => void) | undefined

  constructor(readonly expressions: Expressions = new Expressions()) {
    this.shadow = new ShadowMemory(expressions)
  }

  begin(): void {
    this.shadow.clear()
    this.decisions.length = 0
    this.decided.clear()
  }

  /** `condition` holds or does not, for the input that is run, and that made a difference. */
  decide(kind: DecisionKind, condition: Expression, holds: boolean, place: number): void {
    const { expressions } = this
    const held = holds ? condition : expressions.not(condition)
    if (expressions.isConstant(held) || this.decided.has(held)) return
    this.decided.add(held)
    this.decisions.push({ kind, condition: held, place })
    this.onDecision?.()
  }

  /** A value that depends on the input is used as a number from here on. */
  makeConcrete(value: Expression, low: number, high: number, place: number): void {
    this.decide('value', this.expressions.equal(value, this.constant(value, low, high)), true, place)
  }

  /** The constant that a value is for the input that is run. */
  private constant(like: Expression, low: number, high: number): Expression {
    const number = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
    return this.expressions.constant(number, this.expressions.width[like])
  }
}
