import type { Instruction, Threads } from './litmus-text.js'

/**
 * What store buffers can do, step by step: all outcomes of a program without branches under TSO (one buffer per thread,
 * first in, first out) or PSO (one per thread and location; a mark in a store says how many barriers came before it). A
 * machine, where `axioms.ts` has relations: the two are compared with each other.
 */
interface Entry {
  readonly at: string
  readonly value: number
  readonly epoch: number
}

interface State {
  readonly at: readonly number[]
  readonly memory: Readonly<Record<string, number>>
  readonly registers: Readonly<Record<string, number>>
  readonly buffers: readonly (readonly Entry[])[]
  readonly epochs: readonly number[]
}

export function bufferOutcomes(threads: Threads, model: 'tso' | 'pso'): Set<string> {
  const locations = [...new Set(threads.flat().flatMap((i) => ('at' in i ? [i.at] : [])))]
  const locks = new Set(threads.flat().flatMap((i) => (i.op === 'lock' ? [i.at] : [])))
  const outcomes = new Set<string>()
  const seen = new Set<string>()
  const stack: State[] = [
    {
      at: threads.map(() => 0),
      memory: Object.fromEntries(locations.map((at) => [at, 0])),
      registers: {},
      buffers: threads.map(() => []),
      epochs: threads.map(() => 0),
    },
  ]
  for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
    const key = JSON.stringify(state)
    if (seen.has(key)) continue
    seen.add(key)
    let isOver = true
    for (let t = 0; t < threads.length; t++) {
      for (const drained of drains(state, t, model)) {
        isOver = false
        stack.push(drained)
      }
      const i = threads[t][state.at[t]]
      if (i === undefined) continue
      isOver = false
      const next = step(state, t, i)
      if (next !== null) stack.push(next)
    }
    if (!isOver) continue
    const memory = Object.entries(state.memory).filter(([at]) => !locks.has(at))
    const all = [...memory, ...Object.entries(state.registers)].map(([at, value]) => `${at}=${value}`)
    outcomes.add(all.sort().join(' '))
  }
  return outcomes
}

function* drains(state: State, t: number, model: 'tso' | 'pso'): Generator<State> {
  const buffer = state.buffers[t]
  for (let k = 0; k < buffer.length; k++) {
    const isFirst =
      model === 'tso'
        ? k === 0
        : buffer.every((e, j) => (j >= k || e.at !== buffer[k].at) && e.epoch >= buffer[k].epoch)
    if (!isFirst) continue
    const { at, value } = buffer[k]
    yield {
      ...state,
      memory: { ...state.memory, [at]: value },
      buffers: state.buffers.map((b, i) => (i === t ? b.filter((_, j) => j !== k) : b)),
    }
  }
}

/** The thread's next instruction, or null while it must wait. */
function step(state: State, t: number, i: Instruction): State | null {
  const isEmpty = state.buffers[t].length === 0
  const done = { at: state.at.map((at, k) => (k === t ? at + 1 : at)) }
  const set = (register: string, value: number) => ({ ...state.registers, [`${t}:${register}`]: value })
  const value = (o: { register: string | null; constant: number }) =>
    o.constant + (o.register === null ? 0 : (state.registers[`${t}:${o.register}`] ?? 0))
  switch (i.op) {
    case 'read': {
      const own = state.buffers[t].filter((e) => e.at === i.at).at(-1)
      return { ...state, ...done, registers: set(i.into, own?.value ?? state.memory[i.at]) }
    }
    case 'write': {
      // A sequentially consistent store waits until it has reached memory, so it goes there at once.
      if (i.order === 'sc') {
        return isEmpty ? { ...state, ...done, memory: { ...state.memory, [i.at]: value(i.value) } } : null
      }
      const isBarrier = i.order === 'rel'
      const epoch = state.epochs[t] + (isBarrier ? 1 : 0)
      const entry = { at: i.at, value: value(i.value), epoch }
      return {
        ...state,
        ...done,
        buffers: state.buffers.map((b, k) => (k === t ? [...b, entry] : b)),
        epochs: state.epochs.map((e, k) => (k === t ? epoch : e)),
      }
    }
    case 'fence':
      if (i.order === 'sc') return isEmpty ? { ...state, ...done } : null
      return {
        ...state,
        ...done,
        epochs: state.epochs.map((e, k) => (k === t && (i.order === 'rel' || i.order === 'ar') ? e + 1 : e)),
      }
    case 'lock':
      if (!isEmpty || state.memory[i.at] !== 0) return null
      return { ...state, ...done, memory: { ...state.memory, [i.at]: 1 } }
    case 'unlock':
      return isEmpty ? { ...state, ...done, memory: { ...state.memory, [i.at]: 0 } } : null
    default: {
      if (!isEmpty) return null
      const old = state.memory[i.at]
      const changes = i.op !== 'cas' || old === i.expected
      const written = i.op === 'add' ? old + value(i.value) : value(i.value)
      return {
        ...state,
        ...done,
        registers: set(i.into, old),
        memory: changes ? { ...state.memory, [i.at]: written } : state.memory,
      }
    }
  }
}
