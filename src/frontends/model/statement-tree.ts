import type { Program } from './program.js'

/**
 * What statements with all that is nested in them say before they are compiled. They may not be what they should be yet:
 * the compiler checks them.
 */

type Fields = Readonly<Record<string, unknown>>

/** The registers of each body: everything it sets, and everything a `create` sets for it. */
export function collectRegisters(threads: Program['threads']): Map<string, Set<string>> {
  const registers = new Map(Object.keys(threads).map((name) => [name, new Set<string>()]))
  const visit = (name: string, statement: unknown): void => {
    if (typeof statement !== 'object' || statement === null) return
    const { op, into, args, thread, ...rest } = statement as Record<string, unknown>
    if (typeof into === 'string') registers.get(name)!.add(into)
    if (op === 'create' && typeof args === 'object' && args !== null) {
      for (const register of Object.keys(args)) registers.get(String(thread))?.add(register)
    }
    for (const block of [rest.then, rest.else, rest.body]) {
      if (Array.isArray(block)) for (const inner of block) visit(name, inner)
    }
  }
  for (const [name, body] of Object.entries(threads)) {
    if (Array.isArray(body)) for (const statement of body) visit(name, statement)
  }
  return registers
}

const straightStatements: readonly string[] = [
  'load',
  'store',
  'atomicLoad',
  'atomicStore',
  'exchange',
  'fetchAdd',
  'compareExchange',
  'fence',
  'set',
]

/** Whether statements touch the same whatever they read: no branch, no index that is computed, nothing that can fail. */
export function isStraight(statements: unknown): boolean {
  return (
    Array.isArray(statements) &&
    statements.every((statement: Fields) => {
      const { index, op } = statement ?? {}
      if (!straightStatements.includes(String(op))) return false
      if (index !== undefined && typeof index !== 'number') return false
      return !/"[/%]"/.test(JSON.stringify(statement))
    })
  )
}

/** Loops that count their rounds, those inside others included. */
export function countCountedLoops(statements: readonly unknown[]): number {
  let count = 0
  for (const statement of statements) {
    if (typeof statement !== 'object' || statement === null) continue
    const fields = statement as Fields
    if (fields.op === 'loop') count++
    for (const block of [fields.then, fields.else, fields.body]) {
      if (Array.isArray(block)) count += countCountedLoops(block)
    }
  }
  return count
}
