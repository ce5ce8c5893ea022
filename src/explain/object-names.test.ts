import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Bug } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { nameObjects } from './object-names.js'
import { SourceText } from './source-text.js'

test('what is waited for on the heap is called what the source calls it there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-names-'))
  writeFileSync(join(folder, 'pool.c'), '  pthread_mutex_lock(&pool->lock);\n  pthread_join(b, NULL);\n')
  const place = { function: 'work', file: 'pool.c', column: 3 }
  const machine = {
    sites: [
      { ...place, name: 'a', line: 1 },
      { ...place, name: 'b', line: 2 },
    ],
    threads: { labelOf: (thread: number) => `work (0.${thread})` },
  } as unknown as Machine
  const block = 'mutex byte 0 of block 1 of thread main, allocated at pool.c:12'
  const bug: Bug = {
    kind: 'deadlock',
    message: `the wake-up never comes: work (0.1) waits for ${block} (held by work (0.2)); work (0.2) waits for thread b`,
    thread: 1,
    site: 0,
    waits: [
      { thread: 1, object: block, holders: [2], site: 0 },
      { thread: 2, object: 'thread b', holders: [], site: 1 },
    ],
  }
  const named = nameObjects(bug, machine, new SourceText(folder))
  expect(named.waits!.map((wait) => wait.object)).toEqual(['mutex pool->lock', 'thread b'])
  expect(named.message).toBe(
    'the wake-up never comes: work (0.1) waits for mutex pool->lock (held by work (0.2)); work (0.2) waits for thread b',
  )
})

const folder = mkdtempSync(join(tmpdir(), 'faultline-names-'))
const lines = [
  '  pthread_mutex_lock(&pool.lock);',
  '  pthread_cond_wait(&pool.ready, &pool.lock);',
  '  pthread_mutex_lock(at);',
]
writeFileSync(join(folder, 'static.c'), lines.join('\n'))
const machine = {
  sites: lines.map((_, i) => ({ function: 'f', file: 'static.c', name: `${i}`, line: i + 1, column: 3 })),
  threads: { labelOf: () => 'main' },
} as unknown as Machine

test.each<[object: string, site: number, named: string]>([
  ['mutex pool', 0, 'mutex pool.lock'],
  ['mutex pool+24', 0, 'mutex pool.lock'],
  ['mutex pools', 0, 'mutex pools'],
  ['a signal on pool+24', 1, 'a signal on pool.ready'],
  ['mutex pool', 1, 'mutex pool'],
  ['mutex pool', 2, 'mutex pool'],
])('a part of a static structure is called what the source calls it: %s at %i', (object, site, named) => {
  const wait = { thread: 0, object, holders: [], site }
  const bug: Bug = { kind: 'deadlock', message: `main waits for ${object}`, thread: 0, site, waits: [wait] }
  const { message, waits } = nameObjects(bug, machine, new SourceText(folder))
  expect(waits![0].object).toBe(named)
  expect(message).toBe(`main waits for ${named}`)
})

test('so is a lock that is misused', () => {
  const bug: Bug = {
    kind: 'lock-misuse',
    message: 'main locks mutex pool, which it holds',
    thread: 0,
    site: 0,
  }
  expect(nameObjects(bug, machine, new SourceText(folder)).message).toBe(
    'main locks mutex pool.lock, which it holds',
  )
})
