import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Bug, Frame } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { nameElements } from './array-elements.js'
import { isNameless, nameObject, nameObjects } from './object-names.js'
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

test.each([
  ['main', 0, 'main unlocks mutex pool.lock, which it does not hold'],
  ['work (0.1)', 0, 'main unlocks mutex pool.lock, which it does not hold'],
  // The condition variable is the first argument, and the mutex what is misused.
  ['main', 1, undefined],
])('what is misused on the heap of %s is called what the source calls it at %i', (owner, site, named) => {
  const object = `mutex byte 8 of block 1 of thread ${owner}, allocated at pool.c:12`
  const verb = site === 0 ? 'unlocks' : 'waits on condition variable ready with'
  const message = `main ${verb} ${object}, which it does not hold`
  const bug: Bug = { kind: 'lock-misuse', message, thread: 0, site }
  expect(nameObjects(bug, machine, new SourceText(folder)).message).toBe(named ?? message)
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

test.each([
  ['wants+4, wants', 'wants[1], wants[0]'],
  ['open+3', 'open[3]'],
  ['names+8', 'names[2]'],
  // No element begins there; no array; not plainly declared.
  ['wants+2', 'wants+2'],
  ['pool+4', 'pool+4'],
  ['grid+4', 'grid+4'],
])('elements of arrays are named by index: %s', (object, named) => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-names-'))
  const source =
    'static atomic_int flag, wants[2];\nbool open[8];\nchar *names[4];\nint grid[2][2];\nstruct pool pool;\n'
  writeFileSync(join(folder, 'x.c'), source)
  expect(nameElements(object, 'x.c', new SourceText(folder))).toBe(named)
})

test('a livelock tells elements that threads look at', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-names-'))
  writeFileSync(join(folder, 'static.c'), 'static atomic_int wants[2];\n')
  const wait = { thread: 0, object: 'wants+4', holders: [], site: 0, spinning: true }
  const bug: Bug = { kind: 'livelock', message: 'main spins on wants+4', thread: 0, site: 0, waits: [wait] }
  const named = nameObjects(bug, machine, new SourceText(folder))
  expect(named.message).toBe('main spins on wants[1]')
})

/** Calls of C++'s library, innermost first, and the line of the user's that makes them, with what is pointed at. */
const inLibrary: [calls: string[], kind: string, line: string, at: string, name: string][] = [
  [
    ['mutex::lock', 'lock_guard<std::mutex>::lock_guard'],
    'mutex',
    'std::lock_guard<std::mutex> g(m);',
    'g(',
    'mutex m',
  ],
  [
    ['unique_lock<std::mutex>::unique_lock'],
    'mutex',
    'std::unique_lock lock(queue->m);',
    'lock(',
    'mutex queue->m',
  ],
  [['shared_lock<std::shared_mutex>::shared_lock'], 'rwlock', 'std::shared_lock l(rw);', 'l(', 'rwlock rw'],
  [['condition_variable::wait'], 'condition', 'cv.wait(lock);', 'wait', 'condition variable cv'],
  [
    ['__atomic_base<int, true>::fetch_add', '__atomic_base<int, true>::operator++'],
    'memory',
    'done++;',
    '++',
    'done',
  ],
  // The guard is not the lock, nor is the condition variable; a guard of several locks does not say which.
  [['unique_lock<std::mutex>::unlock'], 'mutex', 'lock.unlock();', 'unlock', ''],
  [['condition_variable::wait'], 'mutex', 'cv.wait(lock);', 'wait', ''],
  [['scoped_lock<std::mutex, std::mutex>::scoped_lock'], 'mutex', 'std::scoped_lock l(a, b);', 'l(', ''],
  [['vector<int>::push_back'], 'memory', 'items.push_back(1);', 'push_back', ''],
]

test.each(inLibrary)('objects are named by who calls %j on a %s: %s', (calls, kind, line, at, name) => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-names-'))
  writeFileSync(join(folder, 'x.cpp'), line)
  const local = 'a local variable of thread main at 0x48d7f8c'
  const machine = {
    locations: { kinds: [kind] },
    describeLocation: () =>
      kind === 'memory' ? local : `${kind === 'condition' ? 'condition variable' : kind} ${local}`,
  } as unknown as Machine
  const frames: Frame[] = [
    ...calls.map((call) => ({ function: `std::__2::${call}`, isLibrary: true })),
    { function: 'main', file: 'x.cpp', line: 1, column: line.indexOf(at) + 1 },
  ]
  const found = nameObject(machine, 0, frames, new SourceText(folder))
  if (name === '') expect(isNameless(found)).toBe(true)
  else expect(found).toBe(name)
})
