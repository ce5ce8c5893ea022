import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Report } from '../../src/reports/report.js'
import { faultline as run } from '../cli/run.js'
import { isFull } from '../support/effort.js'

const faultline = (argv: readonly string[]) => run(process.cwd(), argv)
const out = mkdtempSync(join(tmpdir(), 'faultline-inputs-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

async function check(
  file: string,
  options: readonly string[],
  args: readonly string[] = [],
): Promise<Report> {
  const after = args.length > 0 ? ['--', ...args] : []
  const ran = await faultline(['check', file, '--json', '--quiet', '--out', out, ...options, ...after])
  return JSON.parse(ran.out) as Report
}

const ofCase = (number: number, options: readonly string[]) =>
  check('tests/c/inputs.c', options, Array<string>(number).fill('.'))

/** What each takes, and the inputs that a bug may have. */
const bugs: readonly (readonly [
  string,
  number,
  string,
  (input: Readonly<Record<string, string>>) => boolean,
])[] = [
  [
    'a table overflows for one option (figure 6)',
    1,
    'heap-overflow',
    ({ useHashTable }) => useHashTable === '0',
  ],
  ['one number', 2, 'assertion', ({ number }) => BigInt.asIntN(32, BigInt(number) * 3n) === 369n],
  ['order of locks', 3, 'deadlock', ({ flags }) => (Number(flags) & 16) !== 0],
  [
    'a word',
    4,
    'use-after-free',
    ({ command }) => command === 'text:stop' || /^hex:73746f7000/.test(command),
  ],
  ['one index', 5, 'assertion', ({ slot }) => (Number(slot) & 7) === 5],
  ['a divisor', 6, 'trap', ({ limit }) => limit === '7'],
  ['one of several cases', 7, 'assertion', ({ instruction }) => instruction === '5'],
  ['a number of 64 bits', 8, 'assertion', ({ key }) => (BigInt(key) ^ (BigInt(key) >> 7n)) === 77777n],
  ['a number of rounds', 9, 'assertion', ({ rounds }) => rounds === '3' || rounds === '4'],
  ['bits that are turned', 10, 'deadlock', ({ secret }) => turned(Number(secret)) === (0x1234 ^ 0x5a5a)],
  ['the least number', 11, 'assertion', ({ level }) => level === '-32768'],
  ['two inputs', 12, 'assertion', fitsArea],
  ['how much is printed', 14, 'heap-overflow', ({ length }) => (Number(length) & 7) > 4],
  ['a time that is none', 15, 'assertion', ({ delay }) => (Number(delay) & 3) === 3],
  ['a switch or a number, by schedule', 16, 'assertion', ({ kind }) => (Number(kind) & 7) === 6],
  ['one place of a table', 22, 'assertion', ({ entry }) => entry === '57'],
]

function fitsArea({ width, height }: Readonly<Record<string, string>>): boolean {
  const [w, h] = [Number(width) & 255, Number(height) & 255]
  return w * h === 143 && w > h
}

function turned(secret: number): number {
  return ((secret << 7) | (secret >>> 25)) >>> 0
}

describe('bugs that take an input and a schedule', () => {
  const some = isFull ? bugs : bugs.filter(([, number]) => [1, 4, 6, 7, 12, 14, 15, 16, 22].includes(number))

  it.each(some)('%s', async (_, number, kind, fits) => {
    const plain = await ofCase(number, [])
    expect(plain.verdict).toBe('verified')
    const found = await ofCase(number, ['--symbolic'])
    expect(found.bugs.map((bug) => bug.kind)).toEqual([kind])
    const [{ input, schedule }] = found.bugs
    expect(input).toSatisfy(fits)
    // The file alone shows it again: the program compiled, its input given.
    const replayed = await faultline(['replay', schedule, '--json'])
    expect(replayed.code).toBe(1)
    expect(JSON.parse(replayed.out).reproduced).toBe(true)
    const given = Object.entries(input!).flatMap((pair) => ['--input', pair.join('=')])
    const alone = await ofCase(number, given)
    expect(alone.bugs.map((bug) => bug.kind)).toEqual([kind])
  })

  it('one that __VERIFIER_nondet_int gives, an argument, or standard input', async () => {
    const file = 'tests/c/undetermined.c'
    const value = await check(file, ['--symbolic'])
    expect(value.bugs[0].input).toEqual({ nondet_int: '77' })
    const argument = await check(file, ['--symbolic-args', '1'])
    expect(argument.bugs[0].input).toEqual({ arg1: 'text:-x' })
    const text = await check(file, ['--symbolic-stdin', '2'])
    expect(text.bugs[0].input).toEqual({ stdin: 'text:ab' })
    const variable = await check(file, ['--symbolic-env', 'MODE', '--env', 'MODE=quick'])
    expect(variable.bugs[0].input).toEqual({ 'env.MODE': 'text:safe' })
    expect(variable.bugs[0].environment).toEqual({ MODE: 'safe' })
    for (const { bugs } of [value, argument, text, variable]) {
      expect((await faultline(['replay', bugs[0].schedule])).code).toBe(1)
    }
  })
})

describe('what is said where nothing is found', () => {
  it('every input, if a few stand for all', async () => {
    const report = await ofCase(13, ['--symbolic'])
    expect(report.verdict).toBe('verified')
    expect(report.guarantee).toMatch(/^for every value of harmless, of which 4 stand for all: every schedule/)
    expect(report.statistics.inputs).toMatchObject({ inputs: 4, paths: 4, unknown: 0 })
  })

  it('not more than was explored, if there is no time', async () => {
    const report = await ofCase(13, ['--symbolic', '--budget', '1ms'])
    expect(report.verdict).toBe('budget')
  })

  it.each([
    [17, 'the symbolic object "number" has no bytes'],
    [18, 'the symbolic object "large" has 5000 bytes; at most 4096'],
    [19, 'the symbolic object "second" overlaps "first"'],
    [20, 'needs a name'],
    [21, 'stands for what comes from outside'],
  ])('misuse: case %i', async (number, message) => {
    const args = Array<string>(number).fill('.')
    const ran = await faultline(['check', 'tests/c/inputs.c', '--symbolic', '--', ...args])
    expect(ran.code).toBe(2)
    expect(ran.err).toContain(message)
  })

  it('an object that was used before is declared too late: a warning', async () => {
    const args = Array<string>(23).fill('.')
    const ran = await faultline(['check', 'tests/c/inputs.c', '--symbolic', '--', ...args])
    expect(ran.code).toBe(0)
    expect(ran.err).toMatch(
      /warning: .*inputs\.c:\d+: the symbolic object "shared" has been read before, at .*inputs\.c:\d+: what came of that/,
    )
  })

  it('an object that was freed is declared too late: a bug', async () => {
    const { bugs } = await ofCase(24, ['--symbolic'])
    expect(bugs.map((bug) => bug.kind)).toEqual(['use-after-free'])
  })

  it.runIf(isFull)('a solver that runs out: what was not tried is said', async () => {
    const report = await ofCase(25, ['--symbolic'])
    expect(report.verdict).toBe('bounded')
    expect(report.guarantee).toMatch(/other values of factor or other_factor may/)
    expect(report.caveats.join()).toMatch(
      /the solver gave up on 1 condition: inputs that meet them were not tried/,
    )
  })

  it.each([
    [['--symbolic', '--memory-model', 'tso'], 'sequential consistency only'],
    [['--symbolic', '--input', 'x=1'], 'leave one of them out'],
    [['--symbolic-args', 'many'], 'write a number from 1 to 8'],
    [['--symbolic-args', '0'], 'write a number from 1 to 8'],
    [['--symbolic-stdin', '5000'], 'write a number from 1 to 4096'],
    [['--symbolic-env', '=4'], 'write a name'],
    [['--symbolic-env', 'MODE=0'], 'write a number from 1 to 256'],
    [['--symbolic-env', 'MODE', '--symbolic-env', 'MODE=2'], 'given twice'],
    [['--input', 'useHashTable=300'], 'does not fit'],
    [['--input', 'useHashTable=blue'], 'write a number, text:… or hex:…'],
  ])('options that make no sense: %s', async (options, message) => {
    const ran = await faultline(['check', 'tests/c/inputs.c', ...options, '--', '.'])
    expect(ran.code).toBe(2)
    expect(ran.err).toContain(message)
  })
})
