import type { Expression } from '../../../symbolic/expressions.js'
import type { Input, InputControl, InputPart, PathTaken } from '../../../symbolic/input-control.js'
import { outsideOf } from '../../../symbolic/input-names.js'
import { Operator } from '../../../symbolic/operator.js'
import type { InputValues } from '../machine/symbolic-inputs.js'
import { UnsupportedError } from '../toolchain/errors.js'
import type { Path } from './path.js'

/** Arguments and the environment are text. */
const ASCII_END = 128n

/** Inputs of a program that is interpreted: each execution is given values, and memory notes where they are. */
export class ConcolicInputs implements InputValues, InputControl {
  readonly areInputs = true
  readonly parts = new Map<string, InputPart>()
  readonly preconditions: Expression[] = []
  /** What is wrong with how inputs are declared, though they can be explored. */
  readonly complaints = new Set<string>()
  private input: Input = new Map()
  private variables = 0

  constructor(
    private readonly path: Path,
    /** Whether something besides what the program declares is an input. */
    private readonly isInput: (name: string) => boolean,
  ) {}

  get expressions() {
    return this.path.expressions
  }

  use(input: Input): void {
    this.input = input
  }

  takePaths(): readonly PathTaken[] {
    return this.path.takePaths()
  }

  valueOf(name: string, now: Uint8Array): Uint8Array | undefined {
    if (outsideOf(name) !== undefined && !this.isInput(name)) return undefined
    const part = this.parts.get(name)
    if (part === undefined) this.add(name, now)
    else if (part.initial.length !== now.length) {
      throw new UnsupportedError(
        `the symbolic object "${name}" has ${now.length} bytes here and ${part.initial.length} elsewhere: give it two names`,
        ['faultline_symbolic'],
      )
    }
    return this.input.get(name)
  }

  private add(name: string, now: Uint8Array): void {
    const part: InputPart = { name, variable: this.variables, initial: now.slice() }
    this.variables += now.length
    this.parts.set(name, part)
    // Standard input may be any bytes.
    const outside = outsideOf(name)
    if (outside === undefined || outside.kind === 'stdin') return
    const { expressions } = this
    for (let i = 0; i < now.length; i++) {
      const byte = expressions.variable(part.variable + i, 8)
      this.preconditions.push(
        expressions.binary(Operator.lessUnsigned, byte, expressions.constant(ASCII_END, 8)),
      )
    }
  }

  late(message: string): void {
    this.complaints.add(message)
  }

  placed(name: string, memory: Uint8Array, address: number, size: number, from: number): void {
    const part = this.parts.get(name)
    if (part === undefined) return
    const { shadow, expressions } = this.path
    for (let i = 0; i < size; i++) {
      shadow.setByte(memory, address + i, expressions.variable(part.variable + from + i, 8))
    }
  }
}
