import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inc } from '../support/known-programs.js'
import { faultline, folderWith } from './run.js'

const folder = () => folderWith({ 'inc.json': inc(4) })

async function json(where: string, ...argv: string[]) {
  const ran = await faultline(where, ['check', 'inc.json', ...argv, '--json'])
  expect(ran.err).toBe('')
  return JSON.parse(ran.out)
}

it('keeps within --memory by way of the disk, and finds the same', async () => {
  const where = folder()
  const plain = await json(where, '-s', 'best-first:pb', '--bound', '2')
  const short = await json(where, '-s', 'best-first:pb', '--bound', '2', '--memory', '4K')
  expect(plain.statistics.tree).toMatchObject({ live: 0, spilled: 0, bytesPerNode: 16 })
  expect(short.statistics.tree.spilled).toBeGreaterThan(0)
  expect(short.statistics.tree.bytes).toBeLessThan(plain.statistics.tree.bytes)
  expect(short.statistics.tree).toMatchObject({
    live: 0,
    created: plain.statistics.tree.created,
    peak: plain.statistics.tree.peak,
  })
  expect(short.executions).toBe(plain.executions)
  expect(short.guarantee).toBe(plain.guarantee)
})

it('tells how large the tree was', async () => {
  const where = folder()
  const { out } = await faultline(where, [
    'check',
    'inc.json',
    '-s',
    'best-first',
    '--executions',
    '20',
    '--verbose',
  ])
  expect(out).toMatch(/At most \d+ nodes in the tree, \d+ left; \d+ KB in memory\./)
})

it('takes priority functions from a module', async () => {
  const where = folder()
  writeFileSync(
    join(where, 'mine.mjs'),
    `export const late = { levels: 100, priority: (branch) => 99 - Math.min(99, branch.step) }
     export const early = { levels: 100, priority: (branch) => Math.min(99, branch.step) }`,
  )
  const own = ['--priorities', 'mine.mjs']
  const reports = []
  for (const order of ['late', 'early', 'early,pb', 'pb']) {
    const report = await json(where, '-s', `best-first:${order}`, '--bound', '1', ...own)
    expect(report.verdict).toBe('bounded')
    reports.push(report)
  }
  for (const { executions } of reports) expect(executions).toBe(reports[0].executions)
  // Late deviations first is nearly depth first: few nodes are waiting.
  expect(reports[0].statistics.tree.peak).toBeLessThan(reports[1].statistics.tree.peak)
})

it('goes on with functions of one’s own if they are given again', async () => {
  const where = folder()
  writeFileSync(join(where, 'mine.mjs'), 'export const mine = { levels: 2, priority: (b) => b.step % 2 }')
  const own = ['--priorities', 'mine.mjs']
  const whole = await json(where, '-s', 'best-first:mine', ...own)
  await json(where, '-s', 'best-first:mine', ...own, '--executions', '30', '--save', 'search')
  const without = await faultline(where, ['check', 'inc.json', '--resume', 'search'])
  expect(without.code).toBe(2)
  expect(without.err).toMatch(/there is no order "mine"/)
  const rest = await json(where, '--resume', 'search', ...own)
  expect(rest.executions).toBe(whole.executions)
  expect(rest.verdict).toBe('verified')
})
