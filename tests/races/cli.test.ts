import { describe, expect, test } from 'vitest'
import { load, lock, store, unlock } from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'
import { faultline, folderWith } from '../cli/run.js'

/** One race that does no harm: both write the same. The other variable is under a lock, in one thread under two. */
const harmless: Program = {
  variables: { same: 0, guarded: 0 },
  mutexes: { m: 'plain', n: 'plain' },
  threads: {
    a: [lock('n'), store('same', 1), unlock('n'), lock('m'), store('guarded', 1), unlock('m')],
    b: [store('same', 1), lock('m'), load('guarded', 'r'), unlock('m')],
  },
}

describe('races on the command line', () => {
  test('are told with both places, threads and locks, and are no bug', async () => {
    const folder = folderWith({ 'p.json': harmless })
    const { code, out } = await faultline(folder, ['check', 'p.json', '--races'])
    expect(code).toBe(0)
    expect(out).toContain('RACE same')
    expect(out).toMatch(/a writes at a:1 in a, holding mutex n\n/)
    expect(out).toMatch(/b writes at b:0 in b, holding no lock\n/)
    expect(out).toContain('only one of them holds a lock')
    expect(out).toContain('either came first in some schedule')
    expect(out).toContain('VERIFIED')
    expect(out).not.toContain('RACE guarded')
  })

  test('are not dwelt upon unless asked for', async () => {
    const folder = folderWith({ 'p.json': harmless })
    expect((await faultline(folder, ['check', 'p.json'])).out).not.toContain('RACE')
    expect((await faultline(folder, ['check', 'p.json', '--races', 'off'])).out).not.toContain('RACE')
  })

  test.each(['auto', 'deepen', 'optimal', 'pos', 'icb'])('are found with %s', async (strategy) => {
    const folder = folderWith({ 'p.json': harmless })
    const argv = ['check', 'p.json', '--races', 'limited', '--json', '-s', strategy]
    const { races, raceDetector } = JSON.parse(
      (await faultline(folder, [...argv, '--executions', '200'])).out,
    )
    expect(raceDetector).toBe('limited')
    expect(races).toHaveLength(1)
    const [{ object, sides, pairs, bothOrders }] = races
    expect(object).toBe('same')
    expect(bothOrders).toBe(true)
    expect(pairs).toEqual([['a:1@0', 'b:0@1']])
    const places = sides.map(({ location, locks }: { location: string; locks: string[] }) => [
      location,
      locks,
    ])
    expect(places.sort()).toEqual([
      ['a:1', ['mutex n']],
      ['b:0', []],
    ])
  })

  test('fail the check if that is wanted', async () => {
    const folder = folderWith({ 'p.json': harmless })
    expect((await faultline(folder, ['check', 'p.json', '--fail-on-race'])).code).toBe(1)
    const both = await faultline(folder, ['check', 'p.json', '--fail-on-race', '--races', 'off'])
    expect(both.code).toBe(2)
    expect(both.err).toContain('--fail-on-race needs races to be looked for')
    const wrong = await faultline(folder, ['check', 'p.json', '--races', 'some'])
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('pure, limited, off')
  })

  test('of what is trusted or to be ignored are left out', async () => {
    const folder = folderWith({ 'p.json': harmless })
    const run = (...more: string[]) => faultline(folder, ['check', 'p.json', '--fail-on-race', ...more])
    for (const argv of [
      ['--trust', 'same'],
      ['--ignore-races', 'same'],
      ['--ignore-races', 'a'],
    ]) {
      const { code, out } = await run(...argv)
      expect(out).not.toContain('RACE')
      expect(out).toContain('VERIFIED')
      expect(code).toBe(0)
    }
    // Code that is not interrupted is not all code.
    const { code, out } = await run('--trust', 'a')
    expect(code).toBe(0)
    expect(out).not.toContain('VERIFIED')
    expect(out).toContain('without a')
    expect((await run('--trust', 'guarded')).code).toBe(1)
  })

  test('are kept with a search that is saved', async () => {
    const folder = folderWith({ 'p.json': harmless })
    const whole = JSON.parse(
      (await faultline(folder, ['check', 'p.json', '-s', 'dfs', '--races', '--json'])).out,
    )
    const first = [
      'check',
      'p.json',
      '-s',
      'dfs',
      '--races',
      '--executions',
      '2',
      '--save',
      's.json',
      '--json',
    ]
    expect(JSON.parse((await faultline(folder, first)).out).races[0].bothOrders).toBe(false)
    const { out } = await faultline(folder, ['check', 'p.json', '--resume', 's.json', '--json'])
    const { races } = JSON.parse(out)
    expect(races).toHaveLength(1)
    expect(races[0]).toMatchObject({ seen: whole.races[0].seen, bothOrders: true, inFirstExecution: true })
    const other = await faultline(folder, ['check', 'p.json', '--resume', 's.json', '--races', 'limited'])
    expect(other.code).toBe(2)
    expect(other.err).toContain('saved with --races pure')
  })

  test('are told of C programs with the line and how it was reached', async () => {
    const source = `#include <pthread.h>
static int total;
static void add(int n) {
  total += n;
}
static void *worker(void *arg) {
  add(*(int *)arg);
  return NULL;
}
int main(void) {
  int one = 1, two = 2;
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &one);
  pthread_create(&b, NULL, worker, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
`
    const folder = folderWith({ 'sum.c': source })
    const { code, out } = await faultline(folder, ['check', 'sum.c', '--races', '--json'])
    expect(code).toBe(0)
    const { races } = JSON.parse(out)
    expect(races).toHaveLength(1)
    const [{ object, sides, message, pairs }] = races
    expect(object).toBe('total')
    expect(message).toContain('two threads can use total at the same time: neither holds a lock')
    expect(pairs).toHaveLength(3)
    for (const side of sides) {
      expect(side).toMatchObject({ location: 'sum.c:4', function: 'add', source: 'total += n;', locks: [] })
      expect(side.stack).toMatchObject([
        { function: 'add', location: 'sum.c:4' },
        { function: 'worker', location: 'sum.c:7' },
      ])
    }
  })
})
