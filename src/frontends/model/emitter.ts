import { Code, DEST, operators, ROW, SITE, TARGET, X, Y } from './code.js'
import { checkOperator } from './expression.js'
import { isInt32 } from './layout.js'
import { type Expression, ProgramError } from './program.js'

/** Writes the rows of one body and lays out its register file; see `code.ts`. */
export class Emitter {
  readonly code: number[] = []
  /** The register file of a thread that starts. */
  readonly initial: number[] = []
  /** Named in errors. */
  where = ''
  /** Where the rows to come belong. */
  site = -1
  private readonly slots = new Map<string, number>()
  private readonly constants = new Map<number, number>()

  constructor(
    /** Registers a program can name; they take the first slots, hidden ones come next. */
    private readonly registers: ReadonlySet<string>,
    private readonly isShared: (name: string) => boolean,
  ) {
    for (const register of registers) this.addRegister(register)
  }

  addRegister(name: string): number {
    const slot = this.initial.push(0) - 1
    this.slots.set(name, slot)
    return slot
  }

  /** Every register so far, by slot. */
  registerNames(): string[] {
    return [...this.slots.keys()]
  }

  slotOf(register: string): number {
    return this.slots.get(register)!
  }

  error(what: string): ProgramError {
    return new ProgramError(this.where, what)
  }

  /** Appends a row and returns its index. */
  emit(code: number, fields: Readonly<Record<number, number>> = {}): number {
    const at = this.code.length
    for (let i = 0; i < ROW; i++) this.code.push(-1)
    this.code[at] = code
    this.code[at + SITE] = this.site
    for (const [field, value] of Object.entries(fields)) this.code[at + Number(field)] = value
    return at
  }

  /** Makes a row jump to the row that comes next. */
  aim(row: number): void {
    this.code[row + TARGET] = this.code.length
  }

  constant(value: number): number {
    let slot = this.constants.get(value)
    if (slot === undefined) {
      slot = this.initial.push(value) - 1
      this.constants.set(value, slot)
    }
    return slot
  }

  temporary(): number {
    return this.initial.push(0) - 1
  }

  compute(operator: string, x: number, y: number, dest: number): void {
    this.emit(Code.compute + operators.indexOf(operator), { [X]: x, [Y]: y, [DEST]: dest })
  }

  /** Emits what computes the expression; returns the slot that then holds its value. */
  expression(expression: Expression): number {
    if (typeof expression === 'number') {
      if (!isInt32(expression)) throw this.error(`${expression} is not a 32-bit integer`)
      return this.constant(expression)
    }
    if (typeof expression === 'string') {
      if (!this.registers.has(expression)) {
        const known = [...this.registers]
        const shared = this.isShared(expression)
        const hint = shared ? `; "${expression}" is shared: load it into a register first` : ''
        throw this.error(
          `register "${expression}" is never set in this thread (registers: ${known.join(', ') || 'none'})${hint}`,
        )
      }
      return this.slots.get(expression)!
    }
    const operator = checkOperator(expression, this.where)
    const operands = expression.slice(1) as Expression[]
    const dest = this.temporary()
    switch (operator) {
      case '&&':
      case '||': {
        const [x, y] = operands
        this.shortCut(operator, x, y, dest)
        break
      }
      case '?:': {
        const skip = this.emit(Code.jumpIfZero, { [X]: this.expression(operands[0]) })
        this.emit(Code.move, { [X]: this.expression(operands[1]), [DEST]: dest })
        const leave = this.emit(Code.jump)
        this.aim(skip)
        this.emit(Code.move, { [X]: this.expression(operands[2]), [DEST]: dest })
        this.aim(leave)
        break
      }
      default: {
        const x = operator === '-' && operands.length === 1 ? this.constant(0) : this.expression(operands[0])
        const y = operator === '!' ? x : this.expression(operands.at(-1)!)
        this.compute(operator, x, y, dest)
      }
    }
    return dest
  }

  private shortCut(operator: '&&' | '||', x: Expression, y: Expression, dest: number): void {
    const zero = this.constant(0)
    this.compute('!=', this.expression(x), zero, dest)
    const test = this.temporary()
    if (operator === '&&') this.emit(Code.move, { [X]: dest, [DEST]: test })
    else this.compute('!', dest, dest, test)
    const skip = this.emit(Code.jumpIfZero, { [X]: test })
    this.compute('!=', this.expression(y), zero, dest)
    this.aim(skip)
  }
}
