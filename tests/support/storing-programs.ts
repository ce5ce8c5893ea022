import type { Random } from '../../src/random/random.js'

/**
 * Random programs whose threads wait in loops that store: copies of what they read, counts of their rounds, what is there
 * already. What searches say is compared with all states there are, found by an interpreter of its own that knows nothing
 * of spins: every thread may always take its next step, however often it has gone round.
 */

/** r is what was read last, q which of two places to look at, n a count. */
export type Register = 'r' | 'q' | 'n'
type Value = number | Register

export type Item =
  | { readonly do: 'load'; readonly from: string; readonly into: Register }
  | { readonly do: 'store'; readonly to: string; readonly value: Value }
  | { readonly do: 'flip' }
  | { readonly do: 'bump' }
  | { readonly do: 'assert'; readonly register: Register; readonly not: number }
  | { readonly do: 'wait'; readonly body: readonly Item[] }

export const variables = ['x', 'y', 'z'] as const

export function randomProgram(random: Random): Item[][] {
  const variable = () => variables[random.below(3)]
  const bodies: (() => Item[])[] = [
    () => [{ do: 'store', to: variable(), value: 'r' }],
    () => [{ do: 'store', to: variable(), value: random.below(2) }],
    () => [{ do: 'flip' }],
    () => [{ do: 'bump' }],
    () => [{ do: 'bump' }, { do: 'store', to: variable(), value: 'n' }],
    () => [{ do: 'store', to: variable(), value: 'q' }, { do: 'flip' }],
    () => [],
  ]
  const wait = (): Item => ({
    do: 'wait',
    body: [{ do: 'load', from: variable(), into: 'r' }, ...bodies[random.below(bodies.length)]()],
  })
  const item = (): Item => {
    switch (random.below(5)) {
      case 0:
        return wait()
      case 1:
        return { do: 'assert', register: (['r', 'n', 'q'] as const)[random.below(3)], not: random.below(3) }
      case 2:
        return { do: 'load', from: variable(), into: 'r' }
      default:
        return { do: 'store', to: variable(), value: random.below(3) }
    }
  }
  const waiter = [
    ...Array.from({ length: random.below(2) }, item),
    wait(),
    ...Array.from({ length: 2 }, item),
  ]
  const other = Array.from({ length: 1 + random.below(3) }, item)
  return random.below(3) === 0 ? [waiter, other, [item()]] : [waiter, other]
}

// --- all states

type Step =
  | { readonly do: 'load'; readonly from: number; readonly into: number }
  | { readonly do: 'store'; readonly to: number; readonly value: Value }
  | { readonly do: 'set'; readonly register: number; readonly value: (registers: number[]) => number }
  | { readonly do: 'assert'; readonly register: number; readonly not: number; readonly name: string }
  | { readonly do: 'jump'; readonly to: number; readonly unlessZero: boolean }

export const registerNames: readonly Register[] = ['r', 'q', 'n']

function compile(items: readonly Item[], path: string, code: Step[]): Step[] {
  items.forEach((item, i) => {
    switch (item.do) {
      case 'load':
        code.push({
          do: 'load',
          from: variables.indexOf(item.from as 'x'),
          into: registerNames.indexOf(item.into),
        })
        break
      case 'store':
        code.push({ do: 'store', to: variables.indexOf(item.to as 'x'), value: item.value })
        break
      case 'flip':
        code.push({ do: 'set', register: 1, value: (r) => 1 - r[1] })
        break
      case 'bump':
        code.push({ do: 'set', register: 2, value: (r) => r[2] + 1 })
        break
      case 'assert':
        code.push({
          do: 'assert',
          register: registerNames.indexOf(item.register),
          not: item.not,
          name: `${path}${i}`,
        })
        break
      case 'wait': {
        code.push({ do: 'set', register: 0, value: () => 0 })
        const head = code.length
        const exit = { do: 'jump' as const, to: -1, unlessZero: true }
        code.push(exit)
        compile(item.body, `${path}${i}_`, code)
        code.push({ do: 'jump', to: head, unlessZero: false })
        exit.to = code.length
      }
    }
  })
  return code
}

interface State {
  readonly memory: number[]
  readonly threads: { at: number; registers: number[] }[]
  readonly depth: number
}

export interface AllStates {
  /** Everything there is was looked at. */
  readonly isComplete: boolean
  /** Failing assertions, and the fewest steps to each. */
  readonly failures: Map<string, number>
  /** Memory of final states. */
  readonly finals: Set<string>
}

/** Local steps up to the next access; the name of an assertion that fails, or null. */
function settle(code: readonly Step[], thread: { at: number; registers: number[] }): string | null {
  for (;;) {
    const step = code[thread.at]
    if (step === undefined || step.do === 'load' || step.do === 'store') return null
    thread.at++
    if (step.do === 'set') thread.registers[step.register] = step.value(thread.registers)
    else if (step.do === 'jump') {
      if (!step.unlessZero || thread.registers[0] !== 0) thread.at = step.to
    } else if (thread.registers[step.register] === step.not) return step.name
  }
}

const mostStates = 4000
const largestCount = 8

export function allStates(program: readonly (readonly Item[])[]): AllStates {
  const codes = program.map((items, t) => compile(items, `t${t}.a`, []))
  const failures = new Map<string, number>()
  const finals = new Set<string>()
  const first: State = {
    memory: [0, 0, 0],
    threads: codes.map(() => ({ at: 0, registers: [0, 0, 0] })),
    depth: 0,
  }
  for (const [t, thread] of first.threads.entries()) {
    const failed = settle(codes[t], thread)
    if (failed !== null) return { isComplete: true, failures: new Map([[failed, 0]]), finals }
  }
  const seen = new Set([keyOf(first)])
  let isComplete = true
  const queue = [first]
  for (let state = queue.shift(); state !== undefined; state = queue.shift()) {
    if (state.threads.every(({ at }, t) => at >= codes[t].length)) finals.add(state.memory.join(' '))
    for (const [t, code] of codes.entries()) {
      const step = code[state.threads[t].at]
      if (step === undefined) continue
      const memory = [...state.memory]
      const threads = state.threads.map(({ at, registers }) => ({ at, registers: [...registers] }))
      const thread = threads[t]
      if (step.do === 'load') thread.registers[step.into] = memory[step.from]
      else if (step.do === 'store') {
        memory[step.to] =
          typeof step.value === 'number' ? step.value : thread.registers[registerNames.indexOf(step.value)]
      }
      thread.at++
      const failed = settle(code, thread)
      const next = { memory, threads, depth: state.depth + 1 }
      if (failed !== null) {
        if (!failures.has(failed)) failures.set(failed, next.depth)
        continue
      }
      const key = keyOf(next)
      if (seen.has(key)) continue
      if (seen.size >= mostStates || thread.registers[2] > largestCount) {
        isComplete = false
        continue
      }
      seen.add(key)
      queue.push(next)
    }
  }
  return { isComplete, failures, finals }
}

function keyOf({ memory, threads }: State): string {
  return `${memory} ${threads.map(({ at, registers }) => `${at}:${registers}`).join(' ')}`
}

// --- what searches say

export interface Said {
  readonly guarantee: string
  readonly verdict: string
  readonly failures: Set<string>
  readonly finals: Set<string>
}

export const maxSteps = 120

/** What is wrong with what a search says, or null. */
export function falsehood(said: Said, all: AllStates): string | null {
  for (const failure of said.failures) {
    if (all.isComplete && !all.failures.has(failure)) return `${failure} cannot fail`
  }
  const isAll = said.verdict === 'verified'
  const isUpTo = /^every schedule up to/.test(said.guarantee)
  if (!isAll && !isUpTo) return /^every schedule/.test(said.guarantee) ? said.guarantee : null
  for (const [failure, depth] of all.failures) {
    if (!said.failures.has(failure) && (isAll || depth <= maxSteps))
      return `${failure} fails after ${depth} steps`
  }
  if (!isAll) return null
  for (const final of all.finals) if (!said.finals.has(final)) return `${final} is reached`
  return null
}

// --- as scripts of tests/c/storing-scripts.c

const bodyOf: readonly (readonly [shape: string, body: number])[] = [
  ['store r', 0],
  ['store', 1],
  ['flip', 2],
  ['bump', 3],
  ['bump store n', 4],
  ['store q flip', 5],
  ['', 6],
]

/** A thread as a number; see the file. */
export function scriptOf(items: readonly Item[]): string {
  return items.reduceRight((script, item) => (script << 12n) | BigInt(operationOf(item)), 0n).toString()
}

function operationOf(item: Item): number {
  const at = (name: string) => variables.indexOf(name as 'x') << 3
  switch (item.do) {
    case 'load':
      return 1 | at(item.from)
    case 'store':
      return 2 | at(item.to) | (Number(item.value) << 5)
    case 'assert':
      return 3 | (registerNames.indexOf(item.register) << 3) | (item.not << 5)
    case 'wait': {
      const [read, ...rest] = item.body as readonly [Item & { do: 'load' }, ...Item[]]
      const shape = rest
        .map((step) =>
          step.do !== 'store' || typeof step.value === 'number' ? step.do : `store ${step.value}`,
        )
        .join(' ')
      const store = rest.find((step) => step.do === 'store')
      const body = bodyOf.find(([known]) => known === shape)![1]
      const value = typeof store?.value === 'number' ? store.value : 0
      const to = store ? variables.indexOf(store.to as 'x') : 0
      return 4 | at(read.from) | (value << 5) | (body << 7) | (to << 10)
    }
    default:
      throw new Error(`${item.do} is no operation of a script by itself`)
  }
}
