import { expect, test } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'
import { loadCase, outcomes } from './support.js'

const endsOf = (machine: Parameters<typeof outcomes>[0]) => [...outcomes(machine).ends.keys()]

test('misuse that has an error code returns it where that is asked for', async () => {
  const [asUsual] = endsOf(await loadCase('misuse', 11))
  expect(asUsual).toMatch(/^lock-misuse: main unlocks mutex m, which nobody holds/)
  const machine = await loadCase('misuse', 11, { platform: { lockErrors: true } })
  expect(endsOf(machine)).toEqual(['ok '])
  machine.platform?.use({ lockErrors: false })
  expect(endsOf(machine)).toEqual([asUsual])
})

test('a bug after a misuse is found by who keeps going, and by who asks for error codes', async () => {
  const source = new URL('../c/misuse.c', import.meta.url).pathname
  const argv = [...Array(12)].map(() => 'x')
  const check = async (...options: string[]) => {
    const { out } = await faultline(folderWith({}), ['check', source, ...options, '--json', '--', ...argv])
    return JSON.parse(out)
  }
  const kinds = ({ bugs }: { bugs: { kind: string }[] }) => bugs.map(({ kind }) => kind)
  expect(kinds(await check())).toEqual(['lock-misuse'])
  expect(kinds(await check('--keep-going'))).toEqual(['lock-misuse', 'assertion'])
  expect(kinds(await check('--lock-errors', '--strategy', 'optimal'))).toEqual(['assertion'])
  expect(kinds(await check('--strategy', 'optimal', '--keep-going'))).toEqual(['lock-misuse'])
})

test('a join that comes too late is told so also where it is done from memory', async () => {
  const source = new URL('../c/joined-twice.c', import.meta.url).pathname
  for (const strategy of ['optimal', 'icb']) {
    const { out } = await faultline(folderWith({}), [
      'check',
      source,
      '--lock-errors',
      '--strategy',
      strategy,
    ])
    expect(out).toMatch(/^BUG assertion: !\(y == 0 && x != 0\) failed/)
  }
})
