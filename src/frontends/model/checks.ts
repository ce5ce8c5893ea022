import type { LocationTable } from '../../machine/names.js'
import { checkOperator, evaluators } from './expression.js'
import { isInt32, type Layout } from './layout.js'
import { type Expression, ProgramError } from './program.js'

/** Reads registers of ended threads; absent while threads run. */
export type ReadRegister = (thread: string, register: string) => number

export type CheckFunction = (cells: Int32Array, registers: ReadRegister) => number

export interface Check {
  readonly name: string
  readonly holds: CheckFunction
}

export interface Invariant extends Check {
  readonly location: number
}

/** Invariants during the run, and which cells each reads. */
export function compileInvariants(
  invariants: Readonly<Record<string, Expression>> | undefined,
  layout: Layout,
  locations: LocationTable,
): (readonly Invariant[] | null)[] {
  const watchers: (Invariant[] | null)[] = Array.from(layout.initial, () => null)
  for (const [name, expression] of checkEntries(invariants, 'invariants')) {
    const cells = new Set<number>()
    const holds = compileCheck(expression, layout, `invariant "${name}"`, cells, null)
    const invariant = { name, holds, location: locations.intern('invariant', name) }
    for (const cell of cells) {
      ;(watchers[cell] ??= []).push(invariant)
      locations.addWatcher(layout.locationOf[cell], invariant.location)
    }
  }
  return watchers
}

/** Checks at the end; `validateRegister` throws when there is no such thread or register. */
export function compileAtEnd(
  checks: Readonly<Record<string, Expression>> | undefined,
  layout: Layout,
  validateRegister: (thread: unknown, register: unknown, where: string) => void,
): Check[] {
  return checkEntries(checks, 'atEnd').map(([name, expression]) => ({
    name,
    holds: compileCheck(expression, layout, `check at the end "${name}"`, new Set(), validateRegister),
  }))
}

function checkEntries(
  checks: Readonly<Record<string, Expression>> | undefined,
  where: string,
): [string, Expression][] {
  if (checks === undefined) return []
  if (typeof checks !== 'object' || checks === null || Array.isArray(checks)) {
    throw new ProgramError(where, 'must be an object from names to expressions')
  }
  return Object.entries(checks)
}

function compileCheck(
  expression: Expression,
  layout: Layout,
  where: string,
  cells: Set<number>,
  validateRegister: ((thread: unknown, register: unknown, where: string) => void) | null,
): CheckFunction {
  if (typeof expression === 'number') {
    if (!isInt32(expression)) throw new ProgramError(where, `${expression} is not a 32-bit integer`)
    return () => expression
  }
  if (typeof expression === 'string') {
    const { cell } = layout.find(['variable'], expression, where)
    cells.add(cell)
    return (state) => state[cell]
  }
  const compile = (e: Expression) => compileCheck(e, layout, where, cells, validateRegister)
  if (Array.isArray(expression) && expression[0] === 'at') {
    const array = layout.find(['array'], expression[1], where)
    if (expression.length !== 3)
      throw new ProgramError(where, 'at takes an array and an index: ["at", "a", 0]')
    for (let i = 0; i < array.length; i++) cells.add(array.cell + i)
    const index = compile(expression[2])
    return (state, registers) => {
      const i = index(state, registers)
      if (i < 0 || i >= array.length)
        throw new RangeError(`index ${i} is outside ${array.name}[0..${array.length - 1}]`)
      return state[array.cell + i]
    }
  }
  if (Array.isArray(expression) && expression[0] === 'reg') {
    if (validateRegister === null) {
      throw new ProgramError(
        where,
        'an invariant can read shared variables only; registers can be read at the end',
      )
    }
    const [, thread, register] = expression
    validateRegister(thread, register, where)
    return (_, registers) => registers(String(thread), String(register))
  }
  const operator = checkOperator(expression, where)
  const [x, y, z] = (expression as readonly [string, ...Expression[]])
    .slice(1)
    .map((e) => compile(e as Expression))
  switch (operator) {
    case '&&':
      return (s, r) => (x(s, r) !== 0 && y(s, r) !== 0 ? 1 : 0)
    case '||':
      return (s, r) => (x(s, r) !== 0 || y(s, r) !== 0 ? 1 : 0)
    case '?:':
      return (s, r) => (x(s, r) !== 0 ? y(s, r) : z(s, r))
    default: {
      const evaluate = evaluators[operator]
      if (y !== undefined) return (s, r) => evaluate(x(s, r), y(s, r))
      return operator === '-' ? (s, r) => evaluate(0, x(s, r)) : (s, r) => evaluate(x(s, r), 0)
    }
  }
}
