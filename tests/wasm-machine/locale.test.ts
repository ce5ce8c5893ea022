import { expect, test } from 'vitest'
import { faultline } from '../cli/run.js'
import { isFull } from '../support/effort.js'

test.runIf(isFull)('the classic locale is there before threads ask for it', async () => {
  const { out } = await faultline(process.cwd(), [
    'check',
    'tests/templates/regex.cpp',
    '--json',
    '--quiet',
    '--strategy',
    'pos',
    '--executions',
    '50',
  ])
  const report = JSON.parse(out)
  expect(report.bugs).toEqual([])
  expect(report.executions).toBe(50)
})
