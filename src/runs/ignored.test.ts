import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faultline, folderWith } from '../../tests/cli/run.js'
import { ignoredCaveats, parseIgnored } from './ignored.js'

/** Unlocks what it does not hold, whatever happens; and loses an update in some schedules. */
const twoBugs = {
  variables: { x: 0 },
  mutexes: { m: 'plain' },
  threads: {
    careless: [
      { op: 'load', var: 'x', into: 'r' },
      { op: 'store', var: 'x', value: ['+', 'r', 1] },
      { op: 'unlock', mutex: 'm' },
    ],
    other: [
      { op: 'load', var: 'x', into: 'r' },
      { op: 'store', var: 'x', value: ['+', 'r', 1] },
      { op: 'load', var: 'x', into: 'r' },
      { op: 'assert', condition: ['<', 'r', 2], message: 'never two' },
    ],
  },
}

async function check(...argv: string[]) {
  const folder = folderWith({ 'two.json': twoBugs })
  writeFileSync(join(folder, 'known.txt'), '# ours\nlock-misuse@careless  # since March\n\n')
  const { out, code, err } = await faultline(folder, ['check', 'two.json', '--json', ...argv])
  return { code, err, ...JSON.parse(out) }
}

const kinds = ({ bugs }: { bugs: { kind: string }[] }) => bugs.map((bug) => bug.kind)

it.each(['auto', 'optimal', 'deepen'])('%s: a known bug does not hide the other', async (strategy) => {
  expect(kinds(await check('--strategy', strategy))).toEqual(['lock-misuse'])
  const past = await check('--strategy', strategy, '--ignore', 'lock-misuse@careless')
  expect([past.code, ...kinds(past)]).toEqual([1, 'assertion'])
  expect(past.ignored['lock-misuse@careless']).toBeGreaterThan(0)
  expect(kinds(await check('--strategy', strategy, '--ignore', 'lock-misuse@other'))).toEqual(['lock-misuse'])
})

it.each(['auto', 'optimal', 'deepen'])(
  '%s: what was ignored is said, and nothing is verified',
  async (strategy) => {
    const both = ['--suppressions', 'known.txt', '--ignore', 'assertion', '--ignore', 'leak']
    const { code, verdict, caveats, bugs, ignored } = await check('--strategy', strategy, ...both)
    expect([code, verdict, bugs]).toEqual([0, 'bounded', []])
    expect(Object.keys(ignored).sort()).toEqual(['assertion', 'lock-misuse@careless'])
    expect(caveats).toEqual(expect.arrayContaining(ignoredCaveats(ignored)))
  },
)

it('says what an entry may be', async () => {
  expect(parseIgnored(' leak ')).toEqual({ kind: 'leak', place: null })
  expect(parseIgnored('deadlock@a.c:3')).toEqual({ kind: 'deadlock', place: 'a.c:3' })
  const { code, error } = await check('--ignore', 'bug@x')
  expect([code, error]).toEqual([2, expect.stringMatching(/kinds are assertion, .*a place is a function/)])
})
