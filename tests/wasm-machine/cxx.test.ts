import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { isFull } from '../support/effort.js'
import { sideBySide } from './side-by-side.js'
import { endsOf, loadCxx, outcomes } from './support.js'

/** In one file: what the compiler needs for C++ it loads once in a process, which takes it longer than the programs themselves. */

const artifact = (name = 'exceptions') => build({ sources: [`tests/cpp/${name}.cpp`] })
const ends = async (
  number: number,
  {
    name = 'exceptions',
    strategy = 'optimal',
    leaks = true,
  }: { name?: string; strategy?: string; leaks?: boolean } = {},
) => endsOf(await wasmMachine(await artifact(name), { args: [String(number)], leaks }), { strategy })

describe('coroutines', () => {
  it('are resumed by other threads, and left by exceptions', async () => {
    expect(endsOf(await loadCxx('coroutines', 0), { strategy: 'optimal' })).toEqual(['ok '])
    expect(endsOf(await loadCxx('coroutines', 1), { strategy: 'optimal' })).toEqual(['ok '])
  })

  it('are preempted like all else', async () => {
    // What one of the two adds can be lost.
    for (const strategy of ['optimal', 'pos']) {
      const ends = endsOf(await loadCxx('coroutines', 2), { strategy, limit: 500 })
      expect(ends.map((end) => end.split(':')[0])).toEqual(['assertion', 'ok '])
    }
  })
})

describe('exceptions of C++', () => {
  it.each([
    ['are caught by the first handler that fits', 1],
    ['run destructors on their way, and are thrown again', 2],
    ['release locks, whatever another thread does meanwhile', 3],
    ['let the next thread initialise', 7],
    ['leave waits', 8],
    ['are how pthread_exit runs destructors', 9],
    ['hold short texts', 10],
  ])('%s', async (_, number) => {
    expect(await ends(number)).toEqual(['ok '])
  })

  it.each([
    ['handlers', 4, ['ok 1\n', 'ok 2\n']],
    ['destructors', 5, ['ok -1\n', 'ok -2\n']],
  ])('threads are preempted in %s', async (_, number, expected) => {
    expect(await ends(number)).toEqual(expected)
    expect(await ends(number, { strategy: 'dfs' })).toEqual(expected)
  })

  it('are handed over to other threads', async () => {
    expect(await ends(6)).toEqual(['ok 0\n', 'ok 1\n'])
  })

  it.each([
    ['from main', 20, 'an exception of type Error is thrown, and nothing catches it: main'],
    ['from a thread', 21, 'an exception of type Error is thrown, and nothing catches it: thread'],
    ['through noexcept', 22, 'an exception of type Error is thrown, and nothing catches it: noexcept'],
    ['by a destructor on the way', 23, 'an exception of type int is thrown, and nothing catches it'],
    ['past handlers of other types', 24, 'an exception of type int is thrown, and nothing catches it'],
    ['again, where there is none', 26, 'std::terminate: throw; where no exception is being handled'],
    ['by a call of std::terminate', 27, 'std::terminate is called'],
    [
      'by pthread_exit and kept',
      28,
      'std::terminate: catch (...) ends here, but has caught the end of a thread: throw; is missing',
    ],
  ])('thrown %s end the program', async (_, number, message) => {
    expect(await ends(number)).toEqual([`uncaught: ${message}`])
  })

  it('call the handler of std::set_terminate', async () => {
    expect(await ends(25, { leaks: false })).toEqual(['ok terminated\n'])
  })

  it('are the same when executions begin where they leave the last one', async () => {
    for (const number of [3, 4, 6, 7]) {
      const args = [String(number)]
      await sideBySide(await artifact(), { recall: 'off', checkpoints: 'everywhere' }, { args })
      await sideBySide(await artifact(), { recall: 'everywhere', checkpoints: 'everywhere' }, { args })
    }
  })
})

/** The lock is free again once the thread has ended. */
const LEAVING = `#include <pthread.h>
#include <mutex>
static std::mutex m;
static void *run(void *) {
  std::lock_guard<std::mutex> lock(m);
  pthread_exit(nullptr);
}
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_join(thread, nullptr);
  std::lock_guard<std::mutex> lock(m);
}
`

describe('cancelling threads of C++', () => {
  const endsOfCancel = (number: number, strategy?: string) =>
    ends(number, { name: 'cancel', ...(strategy ? { strategy } : {}) })

  it.each<[what: string, number: number, ends: string[]]>([
    ['releases what a wait holds', 1, ['ok io -1\n', 'ok wio 0\n']],
    ['runs handlers in their turn among destructors', 2, ['ok giho -1\n', 'ok iho 1\n']],
    ['can be seen, not stopped', 3, ['ok  1\n', 'ok c -1\n']],
    ['frees what a thread owns that waits for a permit', 4, ['ok  -1\n', 'ok  1\n']],
    ['ends a sleep', 5, ['ok  -1\n', 'ok  1\n']],
    ['unlocks', 6, ['ok d -1\n', 'ok d 0\n']],
    ['lets destructors wait for others', 7, ['ok bm 0\n', 'ok mb -1\n', 'ok mb 0\n']],
    ['reaches through calls by pointers', 9, ['ok d -1\n', 'ok d 1\n']],
    ['is over once it has begun', 10, ['ok  1\n', 'ok rd -1\n']],
    ['ends main', 11, ['ok d', 'ok m']],
  ])('%s', async (_, number, expected) => {
    expect(await endsOfCancel(number)).toEqual(expected)
    // A predicate that is asked again and again takes dfs too long.
    if (number !== 1) expect(await endsOfCancel(number, 'dfs')).toEqual(expected)
  })

  it('is by pthread_exit in a program that says nothing else of exceptions, too', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'faultline-')), 'leaving.cpp')
    writeFileSync(file, LEAVING)
    expect(endsOf(await wasmMachine(await build({ sources: [file] })), { strategy: 'optimal' })).toEqual([
      'ok ',
    ])
  })

  it('is a mistake where a handler keeps it', async () => {
    expect(await endsOfCancel(8)).toContainEqual(
      'uncaught: std::terminate: catch (...) ends here, but has caught the end of a thread: throw; is missing',
    )
  })

  it('is the same when executions begin where they leave the last one', async () => {
    for (const number of [1, 7]) {
      const args = [String(number)]
      await sideBySide(await artifact('cancel'), { recall: 'off', checkpoints: 'everywhere' }, { args })
      await sideBySide(
        await artifact('cancel'),
        { recall: 'everywhere', checkpoints: 'everywhere' },
        { args },
      )
    }
  })
})

describe.runIf(isFull)("exceptions of C++'s library", () => {
  const name = 'library-exceptions'

  /** What the library's compiled code holds when it throws, texts of std::stoi for one, is lost: it has no cleanup. */
  it('come out of it', async () => {
    expect(await ends(1, { name, leaks: false })).toEqual(['ok '])
  })

  it.each([
    ['come out of std::async', 2],
    ['are put into promises', 3],
    ['are put into promises by other threads', 4],
    ['come out of packaged tasks and broken promises', 5],
  ])('%s', async (_, number) => {
    expect(await ends(number, { name })).toEqual(['ok '])
  })
})

const endsOfCase = async (number: number, strategy = 'optimal') =>
  endsOf(await loadCxx('threads', number), { strategy })

describe('C++ threads', () => {
  it('a lock_guard excludes', async () => {
    expect(await endsOfCase(0)).toEqual(['ok 2'])
    expect(outcomes(await loadCxx('threads', 0), { strategy: 'optimal' }).executions).toBe(2)
  })

  it('without it an increment is lost', async () => {
    for (const strategy of ['dpor', 'source', 'optimal'])
      expect(await endsOfCase(1, strategy)).toEqual(['ok 1', 'ok 2'])
  })

  it('a condition variable', async () => {
    expect(await endsOfCase(2)).toEqual(['ok 2'])
    const [lost, found, ...others] = await endsOfCase(3)
    expect(lost).toMatch(/^deadlock: .*a signal on ready/)
    expect([found, others]).toEqual(['ok ', []])
  })

  it('atomics wait until they are told that they have changed', async () => {
    expect(await endsOfCase(4)).toEqual(['ok 121'])
    expect(await endsOfCase(5)).toEqual([expect.stringMatching(/^deadlock: .*a notify on state/), 'ok '])
    expect(await endsOfCase(6)).toEqual([
      expect.stringMatching(/^deadlock: .*lambda 1 \(0.1\) waits for a notify/),
      expect.stringMatching(/^deadlock: .*lambda 2 \(0.2\) waits for a notify/),
      'ok ',
    ])
  })

  it('once, and static variables of functions', async () => {
    for (const strategy of ['dpor', 'optimal']) {
      expect(await endsOfCase(7, strategy)).toEqual(['ok 5'])
      expect(await endsOfCase(8, strategy)).toEqual(['ok 1'])
    }
  })

  it('thread-local variables are destroyed when their thread ends', async () => {
    expect(await endsOfCase(9)).toEqual(['ok second first joined main main '])
  })

  it('notify_all_at_thread_exit unlocks and notifies after thread-local variables are gone', async () => {
    expect(await endsOfCase(13)).toEqual(['ok 2'])
  })

  it('joining what cannot be joined, and joining nobody', async () => {
    expect(await endsOfCase(10)).toEqual([expect.stringMatching(/^uncaught: .*thread::join failed/)])
    expect(await endsOfCase(11)).toEqual([
      expect.stringMatching(/^uncaught: std::terminate: a std::thread is destroyed/),
    ])
    expect(await endsOfCase(16)).toEqual([expect.stringMatching(/^uncaught: .*thread::join failed/)])
  })

  it.runIf(isFull)('stop tokens', async () => {
    expect(endsOf(await loadCxx('stop-tokens', 0), { strategy: 'optimal' })).toEqual(['ok stopped'])
    const machine = await loadCxx('stop-tokens', 1)
    expect(endsOf(machine, { strategy: 'pos', limit: 200 })).toEqual(['ok 0', 'ok 1'])
  })

  it('what the library has compiled already is seen all the same', async () => {
    expect(await endsOfCase(18)).toEqual(['ok 1', 'ok 2'])
    expect(await endsOfCase(19)).toEqual(['ok 1', 'ok 3'])
    expect(await endsOfCase(20)).toEqual(['ok a', 'ok b'])
  })

  it('trying until it works is waiting', async () => {
    const { statuses } = outcomes(await loadCxx('threads', 12), { strategy: 'optimal', limit: 500 })
    expect([...statuses]).toEqual(['completed'])
  })

  it('the rest of the library goes along', async () => {
    expect(await endsOfCase(14)).toEqual(['ok 2'])
    expect(await endsOfCase(15)).toEqual(['ok b2'])
    expect(await endsOfCase(17)).toEqual([expect.stringMatching(/^uncaught: .*vector/)])
  })
})
