import { readFileSync } from 'node:fs'
import type { OperationName } from '../../src/machine/operation.js'

const file = 'machine/operation.ts'
const table = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')

/** A change to the row of one operation, for a mutation: `from` must occur in it. */
export function inRow(
  name: OperationName,
  from: string,
  to = '',
): { readonly file: string; readonly from: string; readonly to: string } {
  const row = new RegExp(`^  ${name}: \\{[^]*?\\},$`, 'm').exec(table)?.[0]
  if (!row?.includes(from)) throw new Error(`the row of ${name} does not contain ${from}: ${row}`)
  return { file, from: row, to: row.replace(from, () => to) }
}
