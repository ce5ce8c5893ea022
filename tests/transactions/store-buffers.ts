import { TxStatus } from '../../src/machine/transactions.js'
import { ops, ROW } from './scripts.js'

/**
 * x86-TSO as Owens, Sarkar and Sewell have it (TPHOLs 2009): each thread has a buffer of stores that reach memory in order,
 * at any time. A transaction that commits does all it does to memory at once, with its thread's buffer empty; one that
 * gives up has only looked. Written apart from everything in `src`; all states are searched.
 */

interface Thread {
  readonly at: number
  readonly registers: Readonly<Record<string, number>>
  readonly buffer: readonly (readonly [place: number, value: number])[]
}

interface State {
  readonly memory: readonly number[]
  readonly threads: readonly Thread[]
}

const names = ['r', 'q', 's', '%']

/** All ends, as tests/c/transaction-scripts.c prints them, without zeros. */
export function storeBuffers(codes: readonly (readonly number[])[]): Set<string> {
  const ends = new Set<string>()
  const seen = new Set<string>()
  const begin: Thread = { at: 0, registers: { r: 0, q: 0, s: 0, '%': 0 }, buffer: [] }
  const work: State[] = [{ memory: [0, 0], threads: codes.map(() => begin) }]
  while (work.length > 0) {
    const state = work.pop()!
    const key = JSON.stringify(state)
    if (seen.has(key)) continue
    seen.add(key)
    let isOver = true
    state.threads.forEach((thread, t) => {
      if (thread.buffer.length > 0) {
        isOver = false
        const [[place, value], ...buffer] = thread.buffer
        work.push(replaced(state, t, { ...thread, buffer }, state.memory.with(place, value)))
      }
      if (ops[codes[t][thread.at]] === 'end') return
      isOver = false
      for (const next of stepsOf(codes[t], thread, state.memory))
        work.push(replaced(state, t, next.thread, next.memory))
    })
    if (isOver) ends.add(describe(state))
  }
  return ends
}

function replaced({ threads }: State, t: number, thread: Thread, memory: readonly number[]): State {
  return { memory, threads: threads.with(t, thread) }
}

interface Step {
  readonly thread: Thread
  readonly memory: readonly number[]
}

function stepsOf(code: readonly number[], thread: Thread, memory: readonly number[]): Step[] {
  const { at, registers, buffer } = thread
  const [op, a, b, c] = code.slice(at, at + ROW)
  const on = (changes: Partial<Thread>, left = memory): Step => ({
    thread: { ...thread, at: at + ROW, ...changes },
    memory: left,
  })
  const set = (name: string, value: number) => ({ registers: { ...registers, [name]: value } })
  switch (ops[op]) {
    case 'load':
      return [on(set(names[b], buffer.findLast(([place]) => place === a)?.[1] ?? memory[a]))]
    case 'store':
      return [on({ buffer: [...buffer, [a, b]] })]
    case 'storeNext':
      return [on({ buffer: [...buffer, [a, registers.r + 1]] })]
    case 'add':
      return buffer.length > 0 ? [] : [on(set('q', memory[a]), memory.with(a, memory[a] + b))]
    case 'fence':
      return buffer.length > 0 ? [] : [on({})]
    case 'unlessEqual':
      return [on(registers[names[a]] === b ? {} : { at: c })]
    case 'jump':
      return [on({ at: c })]
    case 'begin': {
      const status = names[a]
      const aborted = on(set(status, TxStatus.retry))
      const done = transaction(code, { ...thread, ...set(status, TxStatus.started), at: at + ROW }, memory)
      if (typeof done === 'number') return [aborted, on(set(status, done))]
      return buffer.length > 0 ? [aborted] : [aborted, done]
    }
    default:
      throw new Error(`these threads do not ${ops[op]}`)
  }
}

/** What becomes of a body, which nobody disturbs: where its thread is and what memory holds, or why it gave up. */
function transaction(code: readonly number[], begun: Thread, memory: readonly number[]): Step | number {
  let { at, registers } = begun
  const held = memory.map((value, place) => begun.buffer.findLast(([other]) => other === place)?.[1] ?? value)
  for (;;) {
    const [op, a, b, c] = code.slice(at, at + ROW)
    at += ROW
    if (ops[op] === 'load') registers = { ...registers, [names[b]]: held[a] }
    else if (ops[op] === 'store') held[a] = b
    else if (ops[op] === 'storeNext') held[a] = registers.r + 1
    else if (ops[op] === 'add') {
      registers = { ...registers, q: held[a] }
      held[a] += b
    } else if (ops[op] === 'unlessEqual' && registers[names[a]] !== b) at = c
    else if (ops[op] === 'jump') at = c
    else if (ops[op] === 'xabort') return TxStatus.explicit | (a << 24)
    else if (ops[op] === 'xend') return { thread: { at, registers, buffer: [] }, memory: held }
  }
}

function describe({ memory, threads }: State): string {
  const own = threads.map(({ registers }, t) => {
    const words = ['q', 'r', 's']
      .filter((name) => registers[name] !== 0)
      .map((name) => `${name}=${registers[name]}`)
    return `t${t}: ${words.join(' ')}`
  })
  return [`x = ${memory[0]}`, `y = ${memory[1]}`, ...own].join('\n')
}
