import type { Statement } from '../../src/frontends/model/program.js'

/** How large a program is, told before it runs. */

/** In how many ways sequences of these lengths can be interleaved. */
export function interleavings(lengths: readonly number[]): number {
  let total = 0
  let ways = 1
  for (const length of lengths) {
    for (let i = 1; i <= length; i++) ways = (ways * ++total) / i
  }
  return Math.round(ways)
}

const silent = new Set(['set', 'assert', 'if', 'while', 'loop', 'break', 'exit'])

/** Operations of some statements; a loop counts twice, a wait counts its end and the return of the mutex. */
export function countOperations(statements: readonly Statement[]): number {
  let count = 0
  for (const statement of statements) {
    if (!silent.has(statement.op)) count += statement.op === 'wait' || statement.op === 'timedwait' ? 2 : 1
    if (statement.op === 'if') {
      count += Math.max(countOperations(statement.then), countOperations(statement.else ?? []))
    }
    // Its body is one step with its begin.
    if (statement.op === 'atomically') count += countOperations(statement.else ?? [])
    if (statement.op === 'while' || statement.op === 'loop') count += 2 * countOperations(statement.body)
  }
  return count
}

export function countChoices(statements: readonly Statement[]): number {
  const ways = (s: Statement) => {
    if (s.op === 'atomically') return s.else === undefined ? 1 : 2
    return s.op === 'choose' && typeof s.count === 'number' ? s.count : 1
  }
  return statements.reduce((n, s) => n * ways(s), 1)
}
