import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type FrontEnd, LoadError } from '../../src/frontends/front-end.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Statement } from '../../src/frontends/model/program.js'
import { addFrontEnd } from '../../src/frontends/registry.js'
import { addDetector, type DetectorEntry } from '../../src/races/index.js'
import { LimitedOrder } from '../../src/races/limited-order.js'
import { lockedCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'

/** Programs of one line: how many threads add one to a counter, each without a lock. */
const tally: FrontEnd = {
  name: 'tally',
  programs: 'tally programs',
  summary: 'a number of threads that count',
  extensions: ['.tally'],
  takesSeveralFiles: false,
  options: [
    { key: 'limit', flags: '--limit <n>', summary: 'what the counter must not exceed', holds: 'text' },
  ],
  platform: [],
  sourceFiles: ({ files }) => [...files],
  async load({ files, limit }, directory) {
    const count = Number(readFileSync(resolve(directory, files[0]), 'utf8'))
    if (!(count > 0)) throw new LoadError(`${files[0]}: write how many threads there are`)
    const machine = modelMachine({
      variables: { counter: 0 },
      threads: Object.fromEntries<Statement[]>(
        Array.from({ length: count }, (_, i) => [
          `t${i}`,
          [
            { op: 'load', var: 'counter', into: 'r' },
            { op: 'store', var: 'counter', value: ['+', 'r', 1] },
          ],
        ]),
      ),
      atEnd: limit === undefined ? {} : { 'not too many': ['<=', 'counter', Number(limit)] },
    })
    return { machine, scope: ['counters of any size'], isProgramError: () => false }
  },
}

it('a front end with an option of its own takes an entry and nothing else', async () => {
  onTestFinished(addFrontEnd(tally))
  const folder = folderWith({ 'two.tally': '2', 'wrong.tally': 'x', 'model.json': lockedCounter() })
  const check = (...argv: string[]) => faultline(folder, ['check', ...argv, '-s', 'dfs', '--workers', '1'])
  const { out, code } = await check('two.tally', '--json')
  expect(code).toBe(0)
  const { verdict, guarantee } = JSON.parse(out)
  expect(verdict).toBe('verified')
  expect(guarantee).toContain('counters of any size')
  const failing = await check('two.tally', '--limit', '1', '--json')
  expect(failing.code).toBe(1)
  const [{ schedule }] = JSON.parse(failing.out).bugs
  expect((await faultline(folder, ['replay', schedule])).code).toBe(1)
  expect((await check('wrong.tally')).err).toMatch(/write how many threads there are/)
  const other = await check('model.json', '--limit', '1')
  expect(other.code).toBe(2)
  expect(other.err).toMatch(/--limit: only for tally programs, but model.json is a model program/)
  const help = (await check('--help')).out
  expect(help).toMatch(/For tally programs:\s+--limit <n> +what the counter must not exceed/)
  expect(help).toMatch(/\.tally +a number of threads that count/)
  expect(() => addFrontEnd(tally)).toThrow(/there is a tally already/)
})

class LocklessOrder extends LimitedOrder {
  override exclude(): boolean {
    return false
  }
}

const lockless: DetectorEntry = {
  name: 'lockless',
  summary: 'as if locks kept nobody out',
  isExact: false,
  order: () => new LocklessOrder(),
}

it('a detector takes an entry and nothing else', async () => {
  onTestFinished(addDetector(lockless))
  const folder = folderWith({ 'program.json': lockedCounter() })
  const races = async (how: string) => {
    const argv = ['check', 'program.json', '-s', 'dfs', '--workers', '1', '--json', '--races', how]
    const { out, code } = await faultline(folder, argv)
    expect(code).toBe(0)
    return JSON.parse(out).races.length as number
  }
  expect(await races('limited')).toBe(0)
  expect(await races('lockless')).toBeGreaterThan(0)
  expect((await faultline(folder, ['check', '--help'])).out).toMatch(/"lockless"/)
})
