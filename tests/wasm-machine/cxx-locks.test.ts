import { beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../support/effort.js'
import { endsOf, loadCxx, outcomes } from './support.js'

// Compiling C++ takes its time: every day there are only its threads, `cxx.test.ts`.
beforeAll(async () => isFull && void (await loadCxx('locks', 0)))

const ends = async (number: number) => endsOf(await loadCxx('locks', number), { strategy: 'optimal' })
const matching = (pattern: RegExp) => expect.stringMatching(pattern)

describe.runIf(isFull)('C++ locks', () => {
  test('that are timed are had or not, and then it is late', async () => {
    expect(await ends(0)).toEqual(['ok 01', 'ok 10'])
    expect(await ends(27)).toEqual(['ok 00', 'ok 01', 'ok 10', 'ok 11'])
  })

  test('that are recursive', async () => {
    expect(await ends(1)).toEqual(['ok 00'])
  })

  test('for reading and for writing', async () => {
    expect(await ends(2)).toEqual(['ok 1', 'ok 2'])
    expect(await ends(3)).toEqual(['ok 21', 'ok 22'])
  })

  test('several at once, without deadlock and without trying for ever', async () => {
    const { executions, ends: found } = outcomes(await loadCxx('locks', 4), { strategy: 'optimal' })
    expect([...found.keys()]).toEqual(['ok 2'])
    expect(executions).toBeLessThan(50)
    expect(await ends(5)).toEqual(['ok 1'])
    expect(await ends(6)).toEqual([matching(/^deadlock: /), 'ok '])
  })

  test('misused', async () => {
    expect(await ends(7)).toEqual([matching(/^lock-misuse: main locks mutex m, which it holds already/)])
    expect(await ends(8)).toEqual([matching(/^lock-misuse: main unlocks mutex m, which nobody holds/)])
    expect(await ends(9)).toEqual([
      matching(/^lock-misuse: main unlocks rwlock shared, which it does not hold/),
    ])
    expect(await ends(29)).toEqual([matching(/^lock-misuse: main destroys mutex .*, which it holds itself/)])
  })
})

describe.runIf(isFull)('C++ semaphores', () => {
  test('wait for permits', async () => {
    expect(await ends(10)).toEqual(['ok 1'])
    expect(await ends(11)).toEqual([matching(/^deadlock: .*semaphore permits/)])
    expect(await ends(12)).toEqual([
      matching(
        /^lock-misuse: main releases semaphore binary, which would then have 2 permits, more than the 1 it may have/,
      ),
    ])
  })

  test('try, also for some time', async () => {
    expect(await ends(13)).toEqual(['ok 0', 'ok 1'])
    expect(await ends(14)).toEqual(['ok 01', 'ok 10'])
  })
})

describe.runIf(isFull)('latches and barriers', () => {
  test('a latch opens when all have come', async () => {
    expect(await ends(15)).toEqual(['ok 011'])
    expect(await ends(16)).toEqual([matching(/^deadlock: .*latch two to be counted down/)])
    expect(await ends(17)).toEqual([matching(/^lock-misuse: main counts down latch two, by 1, with 0 left/)])
  })

  test('a barrier runs its completion before it lets anybody go', async () => {
    expect(await ends(18)).toEqual(['ok 3'])
    expect(await ends(19)).toEqual(['ok '])
    expect(await ends(20)).toEqual([matching(/^deadlock: /)])
    expect(await ends(21)).toEqual([matching(/^lock-misuse: .*2 times, where 1 arrivals are missing/)])
  })
})

describe.runIf(isFull)('the rest', () => {
  test('waits that end by themselves', async () => {
    expect(await ends(22)).toEqual(['ok 00', 'ok 11'])
    expect(await ends(23)).toEqual(['ok 0', 'ok 1'])
    expect(await ends(28)).toEqual(['ok 1'])
  })

  test('owners are counted, and the last one destroys', async () => {
    expect(await ends(24)).toEqual(['ok 01', 'ok 11'])
  })

  test('futures', async () => {
    expect(await ends(25)).toEqual(['ok 4'])
    expect(endsOf(await loadCxx('locks', 26), { strategy: 'pos', limit: 100 })).toEqual(['ok 123'])
  })

  test('what new allocates, delete frees, and nothing else', async () => {
    expect(await ends(31)).toEqual(['invalid-free: a block allocated by new is freed by free'])
    expect(await ends(32)).toEqual(['invalid-free: a block allocated by new is freed by delete[]'])
    expect(await ends(33)).toEqual(['invalid-free: a block allocated by new[] is freed by delete'])
    expect(await ends(34)).toEqual(['invalid-free: a block allocated by malloc is freed by delete'])
    expect(await ends(35)).toEqual([matching(/^double-free: a block of 4 bytes is freed after it was freed/)])
  })

  test('main gives back at its end what it said it would', async () => {
    expect(await ends(30)).toEqual(['ok '])
  })
})
