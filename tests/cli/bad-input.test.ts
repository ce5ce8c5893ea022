import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockedCounter, racyCounter } from './programs.js'
import { faultline, folderWith } from './run.js'

const files = {
  'locked.json': lockedCounter(),
  'broken.json': '{ "threads": ',
  'ill-formed.json': { threads: { a: [{ op: 'lock', mutex: 'nobody' }] } },
  'empty.mjs': 'export const x = 1\n',
  'throws.mjs': 'throw new Error("no such luck")\n',
  'notes.txt': 'hello\n',
  'other.json': { format: 'something/1' },
  'escapes.json': { format: 'faultline-failure/\u001b[2J', tool: '\u0007' },
  file: 'not a folder\n',
}

/** Arguments, and what standard error must say: what is wrong, and what would be right. */
const wrong: [string[], RegExp, RegExp][] = [
  [['check'], /missing required argument 'file'/, /--help/],
  [['chek', 'locked.json'], /unknown command 'chek'/, /check/],
  [['check', 'locked.json', '--strateg', 'dfs'], /unknown option '--strateg'/, /--strategy/],
  [['check', 'locked.json', '--strategy', 'magic'], /'magic' is invalid/, /Known are auto, deepen, dfs/],
  [['check', 'locked.json', '--strategy', 'dfs:3'], /"dfs" takes no argument/, /write just dfs/],
  [['check', 'locked.json', '--strategy', 'auto:3'], /"auto" takes no argument/, /write just auto/],
  [
    ['check', 'locked.json', '--preempt', 'lokc'],
    /unknown preemption point "lokc"/,
    /known are yield, txn, lock/,
  ],
  [['check', 'locked.json', '--preempt', 'race:'], /race: needs a site/, /for example race:/],
  [['check', 'locked.json', '--preempt', 'race:nowhere'], /no such site/, /its sites are t1:0/],
  [['check', 'locked.json', '--order', 'up'], /'up' is invalid/, /stay, preempt, random/],
  [['check', 'locked.json', '--budget', 'soon'], /"soon" is not a budget/, /60s, 500ms, 2m or 1h/],
  [['check', 'locked.json', '--budget', '0'], /"0" is not a budget/, /60s/],
  [['check', 'locked.json', '--executions', '0'], /'0' is invalid/, /whole number from 1/],
  [['check', 'locked.json', '--seed', 'x'], /'x' is invalid/, /whole number/],
  [['check', 'locked.json', '--bound', '2'], /--bound: only for strategy icb, delay/, /not for auto/],
  [
    ['check', 'locked.json', '-s', 'dfs', '--bound', '2'],
    /--bound: only for strategy icb, delay/,
    /not for dfs/,
  ],
  [['check', 'locked.json', '-s', 'pos', '--order', 'stay'], /--order: only for strategy dfs/, /not for pos/],
  [
    ['check', 'locked.json', '-s', 'optimal', '--order', 'stay'],
    /--order: only for strategy dfs/,
    /not for optimal/,
  ],
  [
    ['check', 'locked.json', '-s', 'best-first', '--order', 'stay'],
    /--order: only for strategy dfs, not for best-first/,
    /best-first:mdpor,pb/,
  ],
  [['check', 'locked.json', '-s', 'optimal', '--memory', '1M'], /--memory: only for/, /best-first/],
  [['check', 'locked.json', '-s', 'best-first', '--memory', 'much'], /'much' is invalid/, /64M, 512K or 2G/],
  [['check', 'locked.json', '-s', 'dfs', '--priorities', 'x.mjs'], /--priorities: only for/, /best-first/],
  [['check', 'locked.json', '-s', 'best-first:a', '--priorities', 'x.mjs'], /x\.mjs/, /Cannot find module/],
  [['check', 'locked.json', '-s', 'best-first:program', '--priorities', 'throws.mjs'], /no such luck/, /./],
  [
    ['check', 'locked.json', '-s', 'best-first', '--priorities', 'empty.mjs'],
    /x is no priority/,
    /levels: 3/,
  ],
  [['check', 'locked.json', '-s', 'best-first:mine'], /there is no order "mine"/, /known are pb, dpor/],
  [['check', 'locked.json', '-O2'], /-O: only for C/, /model program/],
  [['check', 'locked.json', '--', 'arg'], /arguments after --: only for C/, /model program/],
  [
    ['check', 'locked.json', '--strategy', 'deepen', '--preempt', 'lock'],
    /deepen chooses the points/,
    /leave/,
  ],
  [['check', 'locked.json', '--strategy', 'deepen:3'], /"deepen" takes no argument/, /write just deepen/],
  [
    ['check', 'locked.json', '--strategy', 'dfs', '--verify'],
    /--verify: only for strategy auto or deepen/,
    /not for dfs/,
  ],
  [
    ['check', 'locked.json', '--strategy', 'pos', '--eta-factor', '3'],
    /--eta-factor: only for strategy auto/,
    /not for pos/,
  ],
  [['check', 'locked.json', '--workers', '0'], /'0' is invalid/, /whole number from 1/],
  [['check', 'locked.json', '--cpu', 'soon'], /'soon' is invalid/, /such as 60s/],
  [['check', 'locked.json', '--eta-factor', '-1'], /'-1' is invalid/, /above 0/],
  [['check', 'missing.json'], /missing\.json: no such file/, /./],
  [['check', 'missing.mjs'], /missing\.mjs: no such file/, /./],
  [['check', 'notes.txt'], /notes\.txt: not a kind of file that Faultline reads/, /\.json/],
  [['check', 'locked.json', 'other.json'], /a model program is one file/, /2 were given/],
  [['check', 'broken.json'], /broken\.json: this is not JSON/, /./],
  [['check', 'ill-formed.json'], /ill-formed\.json: thread "a", statement 0 \(lock\)/, /nobody/],
  [['check', 'empty.mjs'], /empty\.mjs: the module has no default export/, /export default/],
  [['check', 'throws.mjs'], /throws\.mjs: the module cannot be loaded/, /no such luck/],
  [['replay', 'missing.json'], /missing\.json: no such file/, /./],
  [
    ['check', 'locked.json', '--out', '/proc/x/y'],
    /--out \/proc\/x\/y: the folder cannot be made/,
    /name another/,
  ],
  [['check', 'locked.json', '--out', 'file/y'], /the folder cannot be made/, /name another/],
  [['check', 'locked.json', '--save', '/proc/x/run.json'], /the folder cannot be made/, /name another/],
  // Nothing in it may steer the terminal.
  [['replay', 'escapes.json'], /written by faultline \\u0007 in another format/, /\\u001b\[2J/],
  [['replay', 'other.json'], /not a file to replay/, /faultline-failure\/1/],
  [['replay', 'notes.txt'], /not JSON, or truncated/, /./],
  [['check', 'locked.json', '--resume', 'missing'], /missing: no such file/, /./],
  [['check', 'locked.json', '--resume', 'other.json'], /not a saved run/, /faultline-run\/3/],
  [['check', 'locked.json', '--resume', 'broken.json'], /not JSON, or truncated/, /./],
  [['check', 'locked.json', '-s', 'dfs', '--save', 'notes.txt'], /not a saved run/, /another name/],
]

describe('bad input', () => {
  it.each(wrong)('faultline %j', async (argv, what, right) => {
    const folder = folderWith(files)
    const before = contents(folder)
    const ran = await faultline(folder, argv)
    expect(ran.err).toMatch(what)
    expect(ran.err).toMatch(right)
    expect(ran.err).not.toMatch(/\n\s+at /)
    expect(ran.out).toBe('')
    expect(ran.code).toBe(2)
    expect(contents(folder)).toEqual(before)
  })

  it('tells programs too, with --json', async () => {
    const folder = folderWith(files)
    for (const argv of [
      ['check', 'missing.json', '--json'],
      ['check', 'locked.json', '--json', '--seed', 'x'],
    ]) {
      const ran = await faultline(folder, argv)
      expect(ran.code).toBe(2)
      expect(JSON.parse(ran.out).error).toMatch(/no such file|'x' is invalid/)
    }
  })

  it('refuses a folder for failures that cannot be made, without a stack trace', async () => {
    const folder = folderWith({ ...files, 'racy.json': racyCounter() })
    const ran = await faultline(folder, ['check', 'racy.json', '--out', 'notes.txt'])
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/notes\.txt/)
    expect(ran.err).not.toMatch(/\n\s+at /)
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe(files['notes.txt'])
  })

  it.each([0.1, 0.5, 0.9, 0.99])('refuses a failure file cut at %d of its length', async (part) => {
    const folder = folderWith({ 'racy.json': racyCounter() })
    const { out } = await faultline(folder, ['check', 'racy.json', '--json'])
    const path = JSON.parse(out).bugs[0].schedule
    const text = readFileSync(join(folder, path), 'utf8')
    writeFileSync(join(folder, path), text.slice(0, Math.floor(text.length * part)))
    const ran = await faultline(folder, ['replay', path])
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/truncated/)
  })
})

function contents(folder: string): Record<string, string> {
  expect(existsSync(join(folder, '.faultline'))).toBe(false)
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}
