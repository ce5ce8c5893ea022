import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { atomically, load, store } from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'
import { parsePoints } from '../../src/machine/points.js'
import { faultline, folderWith } from '../cli/run.js'
import { deepen } from '../deepening/deepen.js'
import { compare, truth } from '../reductions/check.js'
import { bruteForce } from '../support/brute-force.js'
import { engine } from '../support/engine.js'
import { examplesFolder } from '../support/examples.js'
import { htm1, htm2 } from './programs.js'

/** Aborts by conflicts show the bug only from three transactions on. */
const semantics = [
  ['retry', 2],
  ['conflict', 3],
] as const

describe.each(semantics)('where transactions abort by %s', (abortCodes, threads) => {
  const racy: Program = { ...htm1(threads, 1), abortCodes }
  const right: Program = { ...htm2(threads, 1), abortCodes }

  it('iterative deepening finds the bug, verifies the repair and misses no end', async () => {
    const found = await deepen(racy)
    expect([...found.bugs]).toEqual(['invariant check at the end nothing is lost fails'])
    const verified = await deepen(right)
    expect([verified.verdict, verified.isWhole]).toEqual(['verified', true])
    const all = bruteForce(engine.modelMachine(right), 50_000)
    if (all !== null) expect(verified.finalStates).toEqual(new Set(all.finalStates))
  })

  it.each(['random', 'pos', 'best-first', 'icb'])(
    'what %s finds is minimised, explained and replayed',
    async (strategy) => {
      const folder = folderWith({ 'racy.json': racy })
      const ran = await faultline(folder, [
        'check',
        'racy.json',
        '-s',
        strategy,
        '--executions',
        '20000',
        '--json',
      ])
      const [bug] = JSON.parse(ran.out).bugs
      // Between the read and the write of whoever holds the lock: nothing less does it.
      expect(bug).toMatchObject({ kind: 'invariant', preemptions: 1 })
      expect(bug.explanation.text).toContain('transaction')
      const replayed = await faultline(folder, ['replay', bug.schedule, '--json'])
      expect(JSON.parse(replayed.out)).toMatchObject({ reproduced: true })
    },
  )
})

test('a transaction is a preemption point under every set', () => {
  // One that may abort has a choice, and would stop there in any case.
  const program: Program = {
    abortCodes: 'explicit',
    variables: { x: 0, y: 0 },
    threads: {
      t0: [load('x', 'r'), atomically([load('y', 'q')], [], 's')],
      t1: [store('x', 1), atomically([store('y', 1)], [], 's')],
    },
  }
  const points = parsePoints('lock')
  const all = truth(program, points)!
  const ends = [...all.finalStates]
  // Of t0 and t1 each is left before its transaction begins.
  for (const registers of [/r=0 s=-1 q=1/, /y = 1\n.*r=1 s=-1 q=0/])
    expect(ends.some((end) => registers.test(end))).toBe(true)
  for (const strategy of ['optimal', 'source', 'dpor', 'icb', 'delay', 'best-first'])
    expect(compare(strategy, program, all, points)).toBeNull()
})

it('the options say when transactions abort, and the report says what holds', async () => {
  const folder = folderWith({ 'racy.json': htm1(2, 1) })
  const check = async (...options: string[]) =>
    (await faultline(folder, ['check', 'racy.json', ...options])).out.replaceAll(/\s+/g, ' ')
  expect(await check()).toContain('BUG')
  expect(await check('--transactions', 'stm')).toContain(
    'transactions that abort only where others touch what they have, or by themselves',
  )
  expect(await check('--transactions', 'stm', '--abort-codes', 'retry,capacity=4')).toContain('BUG')
  expect(await check('--abort-codes', 'capacity=9')).toContain(
    'transactions that abort only beyond 9 places, or by themselves',
  )
  const { code, err } = await faultline(folder, ['check', 'racy.json', '--abort-codes', 'often'])
  expect([code, err]).toEqual([2, expect.stringContaining('unknown cause of aborts "often"')])
})

it('in C, what a sampler finds is minimised, explained and replayed', async () => {
  const text = readFileSync(`${examplesFolder}/c/elided-counter/racy.c`, 'utf8')
  const folder = folderWith({ 'racy.c': text })
  const ran = await faultline(folder, ['check', 'racy.c', '-s', 'random', '--json'])
  const [bug] = JSON.parse(ran.out).bugs
  expect(bug.preemptions).toBe(1)
  expect(bug.explanation.text).toMatch(/passed had increment \(.*\)'s transaction \(racy\.c:11\) not aborted/)
  const replayed = await faultline(folder, ['replay', bug.schedule, '--json'])
  expect(JSON.parse(replayed.out)).toMatchObject({ reproduced: true })
})
