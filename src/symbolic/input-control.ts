import type { Expression, Expressions } from './expressions.js'

/**
 * Why a condition on the input was decided: at a branch; because an instruction traps for some inputs; whether an address
 * lies in the object that it lies in; or because a value had to be a number (an address, what the host is given, floating
 * point), which leaves all others out.
 */
export type DecisionKind = 'branch' | 'trap' | 'bounds' | 'value'

/** A condition on the input that decided what the program did. */
export interface Decision {
  readonly kind: DecisionKind
  /** Of one bit; holds for the input that was run. */
  readonly condition: Expression
  /**
   * What was asked, the same for all answers: exactly one condition with this question holds for an input, after the same
   * decisions. What else may be asked there, of the same value, has another question.
   */
  readonly question: string
  /** Where in the code. */
  readonly place: number
  /** Which way the program went there, of how many: 0 for a value, which is no branch. */
  readonly way: number
  readonly ways: number
}

/** What the input decided in one execution, in order. */
export interface PathTaken {
  readonly decisions: readonly Decision[]
  /**
   * Every decision was made by a thread that knew of all before: so their order is the same in every execution that differs
   * from this one only in the order of independent steps.
   */
  readonly isOrdered: boolean
  /** A thread waited in a loop: that it did was seen from values that may depend on the input. */
  readonly hasSpun: boolean
  /** What was printed, byte by byte: expressions of 8 bits. */
  readonly output: readonly Expression[]
}

/** A part of the input. */
export interface InputPart {
  readonly name: string
  /** Its first byte is the variable of this number, the next one that of the next. */
  readonly variable: number
  /** What it is where nothing else is asked for. */
  readonly initial: Uint8Array
}

/** The bytes of parts of the input, by name; what is left out is as the program made it. */
export type Input = ReadonlyMap<string, Uint8Array>

/** A program whose input can be set, and which tells what the input decided. */
export interface InputControl {
  readonly expressions: Expressions
  /** Those that have been met. */
  readonly parts: ReadonlyMap<string, InputPart>
  /** What every input has to satisfy. */
  readonly preconditions: readonly Expression[]
  /** For the executions from now on. */
  use(input: Input): void
  /** What was decided since it was asked last, execution by execution. */
  takePaths(): readonly PathTaken[]
}
