import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Bug } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { nameWaits } from './object-names.js'
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
  const named = nameWaits(bug, machine, new SourceText(folder))
  expect(named.waits!.map((wait) => wait.object)).toEqual(['mutex pool->lock', 'thread b'])
  expect(named.message).toBe(
    'the wake-up never comes: work (0.1) waits for mutex pool->lock (held by work (0.2)); work (0.2) waits for thread b',
  )
})
