import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import type { Bug } from '../../src/machine/bug.js'
import { type MemoryModel, memoryModels } from '../../src/machine/platform.js'
import { createStrategy } from '../../src/strategies/index.js'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'
import { load } from '../wasm-machine/support.js'

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
  const { firstBug: first, exhausted } = explore({
    machine,
    strategy: createStrategy('graphs', { machine }),
    maxSteps: 2000,
  })
  expect(first !== null || exhausted).toBe(true)
  return first?.bug
}

describe('algorithms under c11', () => {
  it.each(Object.keys(algorithms))('%s is right, and wrong with an order weakened', async (name) => {
    expect(await firstBug(name, 0, 'c11')).toBeUndefined()
    for (const [number, reason] of Object.entries(algorithms[name]).slice(0, isFull ? 9 : 1)) {
      const bug = await firstBug(name, Number(number), 'c11')
      expect(`${bug?.kind}: ${bug?.message}`, `${name} ${number}`).toMatch(reason)
    }
  })
})

describe('locks by loads and stores', () => {
  it.each(sides)('%s is broken under tso without fences, and right with them', async (name) => {
    if (isFull || name !== 'szymanski') expect(await firstBug(name, 0, 'tso')).toBeUndefined()
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
      if (!isFull && (model === 'pso' || !['sb', 'ra'].includes(name))) continue
      const argv = ['check', 'classics.c', '--memory-model', model, '--json', '--', name]
      const { verdict } = JSON.parse((await faultline(folder, argv)).out)
      expect([name, model, verdict]).toEqual([name, model, answers[i] === 'yes' ? 'bug' : 'verified'])
    }
  }
})

const mixedSizes = `
#include <pthread.h>
#include <stdatomic.h>
static union { atomic_int whole; atomic_uchar part; } u;
static void *f(void *p) { atomic_store_explicit(&u.whole, 1, memory_order_relaxed); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  atomic_load_explicit(&u.part, memory_order_relaxed);
  pthread_join(t, 0);
}
`
const cancels = `
#include <pthread.h>
static void *f(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
}
`
const buffers = `
#include <assert.h>
#include <pthread.h>
static int x, y, r, s;
static void *f(void *p) { x = 1; r = y; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  y = 1;
  s = x;
  pthread_join(t, 0);
  assert(r || s);
}
`

it('what is not supported is refused by name', async () => {
  const folder = folderWith({ 'mixed.c': mixedSizes, 'cancels.c': cancels })
  const c11 = ['--memory-model', 'c11']
  const mixed = await faultline(folder, ['check', 'mixed.c', ...c11])
  expect([mixed.code, mixed.err]).toEqual([
    2,
    expect.stringContaining('accesses of 4 and of 1 bytes to u: not supported under the memory model c11'),
  ])
  const cancelling = await faultline(folder, ['check', 'cancels.c', ...c11])
  expect([cancelling.code, cancelling.err]).toEqual([
    2,
    expect.stringContaining('the program uses pthread_cancel'),
  ])
})

it('plain accesses reorder under tso; the bug replays under tso alone, and is a data race under c11', async () => {
  const folder = folderWith({ 'buffers.c': buffers })
  const check = async (model: string) =>
    JSON.parse((await faultline(folder, ['check', 'buffers.c', '--memory-model', model, '--json'])).out)
  expect(await check('c11')).toMatchObject({ verdict: 'bug', bugs: [{ kind: 'data-race' }] })
  const { bugs } = await check('tso')
  expect(bugs).toMatchObject([{ kind: 'assertion' }])
  const [{ schedule }] = bugs
  const again = await faultline(folder, ['replay', schedule, '--json'])
  expect(JSON.parse(again.out)).toMatchObject({ reproduced: true })
  const path = join(folder, schedule)
  writeFileSync(path, readFileSync(path, 'utf8').replace('"memoryModel": "tso"', '"memoryModel": "c11"'))
  const other = await faultline(folder, ['replay', schedule])
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('does not fit the program any more')])
})
