import { describe, expect, it } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import { parseAbortCauses } from '../../src/machine/transactions.js'
import { reach } from '../support/brute-force.js'
import { times } from '../support/effort.js'
import { engine } from '../support/engine.js'
import { randomTransactions, randomWaiting } from './random-transactions.js'
import { Speculation } from './speculate.js'

const semantics = ['retry', 'conflict', 'retry,conflict', 'explicit', 'retry,capacity=1', 'conflict,nested=1']

/** A look at a free mutex by a transaction that gave up kept others from going before it. */
const onceWrong = [866]

/** Variables, and registers that are not 0. */
function canonical(finalState: string): string {
  return finalState
    .split('\n')
    .filter((line) => !/printed|^m = /.test(line))
    .map((line) => {
      const thread = /^thread (\d+): (.*)$/.exec(line)
      if (!thread) return line
      const own = thread[2].split(/[; ]+/).filter((word) => /=/.test(word) && !word.endsWith('=0'))
      return `t${thread[1]}: ${own.sort().join(' ')}`
    })
    .join('\n')
}

function kindOf(bug: string): string {
  const [first, ...state] = bug.split('\n')
  const [kind, thread] = first.split(' ')
  if (kind === 'deadlock' || kind === 'livelock') return `stuck\n${canonical(state.join('\n'))}`
  return `${kind} t${thread}`
}

/** What Faultline finds, and does not; null when there is too much of it. */
function compare(program: Program, aborts: string, strategy: string): string | null {
  const truth = new Speculation(program, parseAbortCauses(aborts)).run(60_000)
  const machine = engine.modelMachine(program)
  machine.platform!.use({ abortCodes: aborts })
  const found = reach(machine, engine.createStrategy(strategy, { machine }), 20_000)
  if (truth === null || !found.exhausted) return 'too large'
  const states = new Set([...found.finalStates].map(canonical))
  const bugs = new Set([...found.bugs].map(kindOf))
  const without = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].filter((one) => !b.has(one))
  const lost = [...without(truth.finalStates, states), ...without(truth.bugs, bugs)]
  const made = [...without(states, truth.finalStates), ...without(bugs, truth.bugs)]
  if (lost.length === 0 && made.length === 0) return null
  return `lost: ${lost.join(' | ')}\nmade up: ${made.join(' | ')}`
}

describe.each(semantics)('transactions that really speculate: %s', (aborts) => {
  it('end in the same states, with the same bugs', () => {
    const wrong: string[] = []
    let compared = 0
    const seeds = [...onceWrong, ...Array.from({ length: times(150) }, (_, i) => i + 1)]
    for (const seed of seeds) {
      const program = randomTransactions(seed)
      if (!JSON.stringify(program).includes('"x')) continue
      const difference = compare(
        program,
        aborts,
        seed % 3 === 0 ? 'dfs' : seed % 3 === 1 ? 'optimal' : 'source',
      )
      if (difference === 'too large') continue
      compared++
      if (difference !== null) wrong.push(`seed ${seed}: ${difference}\n${JSON.stringify(program)}`)
    }
    expect(wrong.slice(0, 3).join('\n\n')).toBe('')
    expect(compared).toBeGreaterThan(times(80))
  })
})

/** Whoever waits in a loop for ever is not stuck to a model that goes through states, so only ends are compared. */
function compareEnds(program: Program, aborts: string, strategy: string): string | null {
  const truth = new Speculation(program, parseAbortCauses(aborts)).run(4_000)
  if (truth === null) return 'too large'
  const machine = engine.modelMachine(program)
  machine.platform!.use({ abortCodes: aborts })
  const found = reach(machine, engine.createStrategy(strategy, { machine }), 1_000)
  if (!found.exhausted) return 'too large'
  const states = new Set([...found.finalStates].map(canonical))
  const lost = [...truth.finalStates].filter((state) => !states.has(state))
  const made = [...states].filter((state) => !truth.finalStates.has(state))
  return lost.length + made.length === 0 ? null : `lost: ${lost.join(' | ')}\nmade up: ${made.join(' | ')}`
}

describe('transactions beside threads that wait in loops', () => {
  /** To come to a transaction was taken to let go on whoever waits for what it would write. */
  const onceWrong = [20, 36, 43]
  it.each([
    ['conflict', 20],
    ['retry,conflict', 4],
  ])('end as those that really speculate: %s', (aborts, count) => {
    const wrong: string[] = []
    let compared = 0
    for (const seed of [...onceWrong, ...Array.from({ length: times(count) }, (_, i) => 100 + i)]) {
      const program = randomWaiting(seed)
      const text = JSON.stringify(program)
      if (!text.includes('while') || !text.includes('atomically')) continue
      const difference = compareEnds(program, aborts, seed % 4 === 1 ? 'dfs' : 'optimal')
      if (difference === 'too large') continue
      compared++
      if (difference !== null) wrong.push(`seed ${seed}: ${difference}\n${text}`)
    }
    expect(wrong.slice(0, 3).join('\n\n')).toBe('')
    expect(compared).toBeGreaterThan(3)
  })
})
