import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import { deadlock, endless, lockedCounter, longFailure, racyCounter, twoBugs } from './programs.js'
import { faultline, folderWith } from './run.js'

const manyThreads = racyCounter(6)

const reports: [string, Program, string[], number][] = [
  ['counter', racyCounter(), [], 100],
  ['counter-narrow', racyCounter(), [], 60],
  ['many-threads-narrow', manyThreads, [], 60],
  ['deadlock', deadlock, [], 100],
  ['long', longFailure, ['-s', 'random'], 60],
  ['two-bugs', twoBugs, ['-s', 'dfs', '--keep-going'], 100],
  ['verified', lockedCounter(), [], 100],
  ['points', lockedCounter(), ['--preempt', 'lock,unlock'], 60],
  ['bound', lockedCounter(3), ['-s', 'icb', '--bound', '1'], 100],
  ['samples', lockedCounter(), ['-s', 'pos', '--executions', '50'], 100],
  ['not-done', endless, ['-s', 'optimal', '--executions', '50'], 100],
  ['cut', endless, ['-s', 'dfs', '--steps', '30', '--executions', '5'], 60],
]

it('replay shows what check left out', async () => {
  const folder = folderWith({ 'program.json': longFailure })
  const checked = await faultline(folder, ['check', 'program.json', '-s', 'random'])
  expect(checked.out).toMatch(/… \d+ rows more, all of them in the replay/)
  const path = /faultline replay (\S+\.json)/.exec(checked.out)![1]
  const replayed = await faultline(folder, ['replay', path])
  expect(replayed.out).not.toContain('more')
  expect(replayed.out.split('\n').length).toBeGreaterThan(checked.out.split('\n').length)
})

/** Times differ from run to run. */
const steady = (text: string) =>
  text.replace(/\d+\.\d\d s\b/g, '0.00 s').replace(/about \d+ (s|min) left/, 'about 1 s left')

describe('text report', () => {
  it.each(reports)('%s', async (name, program, argv, width) => {
    const folder = folderWith({ 'program.json': program })
    const ran = await faultline(folder, ['check', 'program.json', ...argv], { width })
    await expect(steady(ran.out)).toMatchFileSnapshot(`golden/${name}.txt`)
    expect(ran.err).toBe('')
  })

  it('keeps to the width, from 60 columns up', async () => {
    const folder = folderWith({ 'many.json': manyThreads, 'deadlock.json': deadlock })
    for (const file of ['many.json', 'deadlock.json']) {
      for (const width of [60, 61, 79, 80, 100, 132, 200]) {
        const { out } = await faultline(folder, ['check', file], { width })
        for (const line of out.split('\n')) {
          // The line to paste is never broken.
          if (!line.includes('faultline replay')) expect(line.length).toBeLessThanOrEqual(width)
        }
      }
    }
  })

  it('says the same in colour', async () => {
    const folder = folderWith({ 'deadlock.json': deadlock, 'locked.json': lockedCounter() })
    for (const file of ['deadlock.json', 'locked.json']) {
      const plain = await faultline(folder, ['check', file])
      const colour = await faultline(folder, ['check', file], { colour: true })
      expect(plain.out).toBe(stripVTControlCharacters(plain.out))
      expect(colour.out).not.toBe(plain.out)
      expect(steady(stripVTControlCharacters(colour.out))).toBe(steady(plain.out))
    }
  })
})
