import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { RacesReport } from '../../src/classify/report.js'
import { placeText } from '../../src/classify/reported.js'
import { readSanitizer } from '../../src/classify/tsan.js'
import { load, lock, output, store, unlock, whileLoop } from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'
import { faultline, folderWith } from '../cli/run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** As clang's runtime writes it: columns, build ids, mutexes, C++ names, frames without a line. */
const clang = `==================
WARNING: ThreadSanitizer: data race (pid=4711)
  Atomic write of size 8 at 0x7b0400000800 by thread T2 (mutexes: write M0):
    #0 __tsan_atomic64_store <null> (prog+0x4c1f) (BuildId: 9e)
    #1 Queue<int, std::less<int> >::push(int const&) /home/me/src/queue.hpp:41:12 (prog+0xd1c0) (BuildId: 9e)
    #2 worker(void*) /home/me/src/main.cpp:12:3 (prog+0xd1c9) (BuildId: 9e)

  Previous read of size 8 at 0x7b0400000800 by main thread:
    #0 main /home/me/src/main.cpp:30:7 (prog+0xd2c0) (BuildId: 9e)

  Location is heap block of size 16 at 0x7b0400000800 allocated by main thread:
    #0 operator new(unsigned long) <null> (prog+0x4aaa)
    #1 main /home/me/src/main.cpp:20:7 (prog+0xd2c0)

SUMMARY: ThreadSanitizer: data race /home/me/src/queue.hpp:41:12 in push
==================
WARNING: ThreadSanitizer: data race (pid=4711)
  Write of size 4 at 0x7b0400000800 by thread T2:
    #0 main /home/me/src/main.cpp:31:7 (prog+0xd2c0)

  Previous write of size 4 at 0x7b0400000800 by thread T1:
    [failed to restore the stack]

==================
WARNING: ThreadSanitizer: thread leak (pid=4711)
  Thread T1 (tid=2, finished) created by main thread at:
    #0 main /home/me/src/main.cpp:31:7 (prog+0xd2c0)
`

const places = (text: string) =>
  readSanitizer(text).map(({ sides }) =>
    sides.map(({ stack, operation }) => [operation, ...stack.map(placeText)]),
  )

describe('reports of ThreadSanitizer', () => {
  test("clang's", () => {
    expect(places(clang)).toEqual([
      [
        ['atomic write', '__tsan_atomic64_store', '/home/me/src/queue.hpp:41', '/home/me/src/main.cpp:12'],
        ['read', '/home/me/src/main.cpp:30'],
      ],
    ])
  })

  test("gcc's, recorded, is read and classified", async () => {
    const argv = [
      'races',
      'examples/08-races/racy.c',
      '--races-from',
      'tests/classify/tsan-gcc.txt',
      '--json',
    ]
    const { out, code } = await faultline(root, [...argv, '--out', folderWith({})])
    const { races } = JSON.parse(out) as RacesReport
    expect(races.map((race) => `${race.object} ${race.class} ${race.isSeen}`)).toEqual([
      'balance spec-violated true',
      'used harmless true',
    ])
    expect(code).toBe(1)
  })
})

/** Nobody races on `guarded`; on `x` only with the flag. */
const program: Program = {
  variables: { x: 0, flag: 0, guarded: 0, lonely: 0 },
  mutexes: { m: 'plain' },
  threads: {
    a: [store('x', 1), store('flag', 1), lock('m'), store('guarded', 1), unlock('m')],
    b: [
      whileLoop(['!', 'f'], [load('flag', 'f')]),
      load('x', 'r'),
      output('r'),
      lock('m'),
      load('guarded', 'g'),
      unlock('m'),
      store('lonely', 1),
    ],
  },
}

/** A report of ours with these pairs of places. */
const own = (...pairs: readonly (readonly [string, string])[]) => ({
  format: 'faultline-report/2',
  races: pairs.map((pair) => ({ sides: pair.map((location) => ({ location })) })),
})

describe('races of others', () => {
  test('are looked for by place, and classified', async () => {
    const folder = folderWith({ 'p.json': program, 'r.json': own(['a:0', 'b:1'], ['a:0', 'b:1']) })
    const { out } = await faultline(folder, ['races', 'p.json', '--races-from', 'r.json', '--json'])
    const { races } = JSON.parse(out) as RacesReport
    expect(races.map((race) => `${race.object} ${race.class} ${race.reason}`)).toEqual([
      'x single-ordering waits',
    ])
  })

  test('that a detector without an idea of mutexes reports are single orderings', async () => {
    const folder = folderWith({ 'p.json': program, 'r.json': own(['a:3', 'b:4']) })
    const { out } = await faultline(folder, ['races', 'p.json', '--races-from', 'r.json'])
    expect(out).toContain('RACE 1 guarded: SINGLE ORDERING')
    expect(out.replace(/\s+/g, ' ')).toContain('the other thread waits for mutex m')
    expect(out.replace(/\s+/g, ' ')).toMatch(/No detector saw the two race in \d+ executions/)
  })

  test('that are never seen are said to be, with how far it was tried', async () => {
    const folder = folderWith({ 'p.json': program, 'r.json': own(['a:0', 'b:6'], ['a:0', 'nowhere:3']) })
    const { out, code } = await faultline(folder, ['races', 'p.json', '--races-from', 'r.json', '--json'])
    const { races } = JSON.parse(out) as RacesReport
    expect(races.map(({ class: name, isSeen }) => [name, isSeen])).toEqual([
      ['unknown', false],
      ['unknown', false],
    ])
    expect(races[0].why).toMatch(/never seen to race in .*: no two threads used the same object there/)
    expect(races[1].why).toContain('the program has no access at nowhere:3')
    expect(code).toBe(0)
    expect(
      (await faultline(folder, ['races', 'p.json', '--races-from', 'r.json', '--fail-on', 'unknown'])).code,
    ).toBe(1)
  })

  test('what is no report of races is refused', async () => {
    const folder = folderWith({
      'p.json': program,
      'empty.txt': 'nothing\n',
      'bad.json': { races: [{ sides: [1] }] },
    })
    for (const [file, words] of [
      ['empty.txt', 'no race in it'],
      ['bad.json', 'races[0] needs two "sides"'],
      ['gone.txt', 'no such file'],
    ]) {
      const { code, err } = await faultline(folder, ['races', 'p.json', '--races-from', file])
      expect([code, err]).toEqual([2, expect.stringContaining(words)])
    }
  })

  test('our own report is taken as it is', async () => {
    const folder = folderWith({ 'p.json': program })
    const { out } = await faultline(folder, ['races', 'p.json', '--json'])
    const again = folderWith({ 'p.json': program, 'r.json': out })
    const second = await faultline(again, ['races', 'p.json', '--races-from', 'r.json', '--json'])
    const classes = (text: string) => JSON.parse(text).races.map((race: { class: string }) => race.class)
    expect(classes(second.out)).toEqual(classes(out))
  })
})
