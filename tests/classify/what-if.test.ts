import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { classifyRaces } from '../../src/classify/classify.js'
import type { RacesReport } from '../../src/classify/report.js'
import { faultline, folderWith } from '../cli/run.js'
import { load, outcomes } from '../wasm-machine/support.js'

const source = readFileSync('tests/c/what-if.c', 'utf8')

/** The line that has this comment. */
function lineOf(comment: string): string {
  const line = source.split('\n').findIndex((text) => text.includes(`/* ${comment} */`)) + 1
  expect(line).toBeGreaterThan(0)
  return `what-if.c:${line}`
}

async function opened(what: string, comment: string): Promise<string[]> {
  const machine = await load('what-if', { args: [what], platform: { whatIf: lineOf(comment) } })
  const { races } = classifyRaces(machine, { executions: 100, opened: true })
  return races.map(({ cluster, class: name }) => `${cluster.pairs[0].object}: ${name}`)
}

describe('synchronisation left out opens races', () => {
  test.each([
    ['count', 'before counting', ['count: output-differs']],
    // Wherever the function that locks is called from.
    ['count', 'in enter', ['count: output-differs']],
    ['count', 'before hitting', ['hits: harmless']],
    ['count', 'before printing', ['count: output-differs']],
    // The reader fails between the two writes, so that the order with either matters.
    ['table', 'before writing', ['entry: spec-violated', 'entry: spec-violated']],
    ['table', 'before reading', ['entry: spec-violated', 'entry: spec-violated']],
    ['item', 'before taking', ['item: spec-violated']],
    // The wake-up may come before anybody waits for it.
    ['wait', 'before waking', ['ready: spec-violated']],
  ])('%s: %s', async (what, comment, expected) => {
    expect((await opened(what, comment)).toSorted()).toEqual(expected)
  })
})

test('nothing is left out of the program as it is, and its hash is another', async () => {
  const args = ['count']
  const without = await load('what-if', { args, platform: { whatIf: lineOf('before counting') } })
  const { hash } = without
  const ends = () => [...outcomes(without, { strategy: 'optimal' }).ends.keys()].toSorted()
  expect(ends()).toEqual(['ok count 1\n', 'ok count 2\n'])
  without.platform?.use({ whatIf: '' })
  expect(ends()).toEqual(['ok count 2\n'])
  // Each call by itself, although the first does not end a line.
  expect(without.outputs?.map(({ text }) => text)).toEqual(['count ', '2\n'])
  expect(without.hash).toBe((await load('what-if', { args })).hash)
  expect(hash).not.toBe(without.hash)
})

describe('on the command line', () => {
  const files = { 'what-if.c': source }
  const run = (folder: string, command: string, comment: string, ...rest: string[]) =>
    faultline(folder, [command, 'what-if.c', '--what-if', lineOf(comment), ...rest])

  test('the races that are opened, and evidence that replays', async () => {
    const folder = folderWith(files)
    const { code, out } = await run(folder, 'races', 'before reading', '--json', '--', 'table')
    const report: RacesReport = JSON.parse(out)
    expect(code).toBe(1)
    expect(report).toMatchObject({ whatIf: lineOf('before reading'), otherPairs: 0, isComplete: true })
    const { evidence } = report.races[0]
    const ends = await Promise.all(evidence.map((path) => faultline(folder, ['replay', path, '--json'])))
    expect(ends.map((end) => JSON.parse(end.out).reproduced)).toEqual([true, true])
    expect(ends.map((end) => end.code).toSorted()).toEqual([0, 1])
  })

  test('what a lock is good for: a guarantee names what was left out', async () => {
    const folder = folderWith(files)
    const { code, out } = await run(folder, 'check', 'before hitting', '--', 'count')
    expect(code).toBe(0)
    expect(out.replace(/\s+/g, ' ')).toContain(`the synchronisation at ${lineOf('before hitting')} left out`)
    expect((await run(folder, 'check', 'before taking', '--', 'item')).code).toBe(1)
  })

  test('places where nothing can be left out are refused, with those where it can', async () => {
    const folder = folderWith(files)
    const nowhere = await faultline(folder, ['races', 'what-if.c', '--what-if', 'what-if.c:3'])
    expect(nowhere.code).toBe(2)
    expect(nowhere.err).toContain(
      'what-if.c:3: no function is called there; calls that can be left out are at',
    )
    expect(nowhere.err).toContain(`${lineOf('in enter')} (pthread_mutex_lock)`)
    const waiting = await run(folder, 'races', 'before waiting')
    expect([waiting.code, waiting.err]).toEqual([
      2,
      expect.stringContaining('pthread_cond_wait gives that lock back'),
    ])
    const unreached = await run(folder, 'races', 'before taking', '--', 'count')
    expect(unreached.err).toContain('nothing was left out')
  })
})
