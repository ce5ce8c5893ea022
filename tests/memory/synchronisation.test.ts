import { expect, it } from 'vitest'
import type { MemoryModel } from '../../src/machine/platform.js'
import { isFull } from '../support/effort.js'
import { load, outcomes } from '../wasm-machine/support.js'

const ordered = [
  ...['mutex', 'trylock', 'recursive', 'condition', 'semaphore', 'rwlock', 'barrier', 'once', 'spin', 'mtx'],
  ...['heap', 'copy', 'join'],
]
const unordered = ['reader', 'failed try', 'freed', 'nothing']

async function kindsOf(name: string, memoryModel: MemoryModel): Promise<string[]> {
  const machine = await load('weak-sync', { args: [name], platform: { memoryModel } })
  const { bugs } = outcomes(machine, { strategy: 'random', limit: isFull ? 120 : 50 })
  return [...new Set(bugs.map(({ kind }) => kind))]
}

it('what synchronises orders plain accesses under c11, and what does not is a race', async () => {
  for (const name of ordered) expect([name, await kindsOf(name, 'c11')]).toEqual([name, []])
  for (const name of unordered) expect([name, await kindsOf(name, 'c11')]).toEqual([name, ['data-race']])
})

it('and stores before it are seen after it under tso and pso', async () => {
  for (const name of ordered) {
    for (const model of ['tso', 'pso'] as const) {
      expect([name, model, await kindsOf(name, model)]).toEqual([name, model, []])
    }
  }
})
