import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Bug } from '../../src/machine/bug.js'
import { type MemoryModel, memoryModels } from '../../src/machine/platform.js'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'
import { load, outcomes } from '../wasm-machine/support.js'

const race = /^data-race: /
const stored =
  /^data-race: .*: the store of .* is relaxed, so that the load .*, which saw it, learns of nothing/
const loaded = /^data-race: .*: the load .*, which saw the store of .*, is relaxed and learns of nothing/
const wrong = /^assertion: /
/** The waiter's own store comes after that of the thread which lets it go. */
const stuck = /^livelock: /

/** Algorithms of tests/c/weak-algorithms.c: orders that must not be weakened, by number, and what then goes wrong. */
const algorithms: Readonly<Record<string, Readonly<Record<number, RegExp>>>> = {
  spinlock: { 1: loaded, 2: stored },
  mcs: { 1: loaded, 2: loaded, 3: stored, 4: stored, 5: stuck, 6: stuck },
  treiber: { 1: stored, 2: loaded },
  queue: { 1: stored, 2: loaded },
  deque: { 1: wrong, 2: wrong, 4: wrong, 5: wrong },
  seqlock: { 1: wrong, 2: wrong, 3: wrong, 4: wrong },
  ring: { 1: loaded, 2: stored, 3: loaded, 4: stored },
  rcu: { 1: race, 2: loaded, 3: race, 4: stored, 5: race, 6: loaded },
  hazard: { 1: race, 3: race, 4: race, 5: loaded },
}

const sides = ['peterson', 'dekker', 'lamport', 'szymanski']

async function firstBug(name: string, weakened: number, memoryModel: MemoryModel): Promise<Bug | undefined> {
  const machine = await load('weak-algorithms', { args: [name, String(weakened)], platform: { memoryModel } })
  const { bugs } = outcomes(machine, { strategy: 'graphs' })
  return bugs[0]
}

describe('algorithms under c11', () => {
  it.each(Object.keys(algorithms))('%s is right, and wrong with an order weakened', async (name) => {
    expect(await firstBug(name, 0, 'c11')).toBeUndefined()
    for (const [number, reason] of Object.entries(algorithms[name])) {
      const bug = await firstBug(name, Number(number), 'c11')
      expect(`${bug?.kind}: ${bug?.message}`, `${name} ${number}`).toMatch(reason)
    }
  })
})

describe('locks by loads and stores', () => {
  it.each(sides)('%s is broken under tso without fences, and right with them', async (name) => {
    expect(await firstBug(name, 0, 'tso')).toBeUndefined()
    expect((await firstBug(name, 1, 'tso'))?.kind).toMatch(/^(?:assertion|livelock)$/)
  })
})

it('a report names the store that was missed, and why that is allowed', async () => {
  const folder = folderWith({ 'algorithms.c': readFileSync('tests/c/weak-algorithms.c', 'utf8') })
  const { code, out } = await faultline(folder, [
    ...['check', 'algorithms.c', '--memory-model', 'c11', '--', 'seqlock', '1'],
  ])
  expect(code).toBe(1)
  expect(out.replace(/\s+/g, ' ')).toMatch(
    /read_both \(0\.2\) at algorithms\.c:\d+ reads an old value of \w+ although \d \(write \d of thread 0\.1 at algorithms\.c:\d+\) was stored before; that is allowed since .* relaxed/,
  )
})

it('the five programs of docs/memory-models.md do what its table says', async () => {
  const page = readFileSync('docs/memory-models.md', 'utf8')
  const [, source] = /```c\n(\/\/ classics\.c\n[\s\S]*?)```/.exec(page)!
  const rows = [...page.matchAll(/^\| .* \| `(\w\w)` \| (.*) \|$/gm)].map(([, name, answers]) => ({
    name,
    answers: answers.split(' | '),
  }))
  expect(rows.length).toBe(5)
  const folder = folderWith({ 'classics.c': source })
  for (const { name, answers } of rows) {
    for (const [i, model] of memoryModels.entries()) {
      if (!isFull && model === 'pso') continue
      const argv = ['check', 'classics.c', '--memory-model', model, '--json', '--', name]
      const { verdict } = JSON.parse((await faultline(folder, argv)).out)
      expect([name, model, verdict]).toEqual([name, model, answers[i] === 'yes' ? 'bug' : 'verified'])
    }
  }
})
