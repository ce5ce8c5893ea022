import { expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'
import { examplesFolder } from '../support/examples.js'

it.each([
  ['09-transaction/racy.mjs', /passed had (?:left|right)'s transaction \(.*\) not aborted\.$/],
  [
    '11-fast-path/racy.mjs',
    /passed had (?:left|right)'s transaction \(.*\) not aborted, in conflict with (?:left|right)'s update of lock \(/,
  ],
])('%s: the abort that matters is named', async (name, text) => {
  const { out } = await faultline(examplesFolder, ['check', name, '--json', '--out', folderWith({})])
  const { explanation } = JSON.parse(out).bugs[0]
  expect(explanation.text).toMatch(text)
  expect(explanation.steps.some(({ role }: { role: string }) => role === 'choice')).toBe(true)
})
