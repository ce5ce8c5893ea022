import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { emptyScript } from '../../src/execution/strategy.js'
import * as faultlineLibrary from '../../src/index.js'
import { modelMachine, Random } from '../../src/index.js'
import { strategies } from '../../src/strategies/index.js'
import { racyCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The nth code block of that language on a page. */
function snippet(page: string, language: string, n = 0): string {
  const blocks = [...readFileSync(root + page, 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)]
  return blocks.filter(([, l]) => l === language)[n][2]
}

describe('docs/model-programs.md', () => {
  it.each([
    ['json', 0, 'model.json', 'invariant'],
    ['js', 0, 'model.mjs', 'assertion'],
  ])('the %s program is one, and has a bug', async (language, n, file, kind) => {
    const folder = folderWith({ [file]: snippet('docs/model-programs.md', language, n) })
    const ran = await faultline(folder, ['check', file, '--json'])
    expect(JSON.parse(ran.out).bugs[0].kind).toBe(kind)
  })

  it('the library works as shown', () => {
    const code = snippet('docs/model-programs.md', 'js', 1).replace(
      /import (\{.*\}) from 'faultline'/,
      'const $1 = faultline',
    )
    const printed: unknown[][] = []
    const log = (...values: unknown[]) => printed.push(values)
    new Function('faultline', 'console', code)(faultlineLibrary, { log })
    expect(printed).toEqual([[2, true, null]])
  })
})

describe('docs/faultline-h.md', () => {
  it('the program is verified, and is not without its atomic section', async () => {
    const program = snippet('docs/faultline-h.md', 'c')
    const broken = program.replace(/^.*faultline_atomic_.*\n/gm, '')
    const folder = folderWith({ 'good.c': program, 'broken.c': broken })
    const check = async (file: string) => JSON.parse((await faultline(folder, ['check', file, '--json'])).out)
    expect((await check('good.c')).verdict).toBe('verified')
    const [bug] = (await check('broken.c')).bugs
    expect([bug.kind, bug.message]).toEqual(['invariant', 'the invariant nothing_is_lost does not hold'])
  })

  it('names every call there is', () => {
    const header = readFileSync(`${root}runtime/include/faultline.h`, 'utf8')
    const page = readFileSync(`${root}docs/faultline-h.md`, 'utf8')
    const names = [...header.matchAll(/\b(faultline_\w+)\(|define (FAULTLINE_[A-Z]+)\(/g)].map(
      ([, f, m]) => f ?? m,
    )
    for (const name of names) {
      // What ends in an underscore is the header's own.
      if (name !== 'faultline_rule' && !name.endsWith('_')) expect(page).toContain(name)
    }
  })
})

describe('CONTRIBUTING.md', () => {
  it('the worked strategy works', () => {
    const source = snippet('CONTRIBUTING.md', 'ts')
      .replace(/^import .*$/gm, '')
      .replace('export function', 'return function')
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { target: ts.ScriptTarget.ES2022 },
    })
    const roundRobin = new Function('emptyScript', outputText)(emptyScript)
    const machine = modelMachine(racyCounter())
    const strategy = roundRobin({ random: new Random(1) })
    const result = explore({ machine, strategy, maxExecutions: 50, keepGoing: true })
    expect(result.executions).toBe(50)
    expect(result.failures).toBe(50)
  })
})

describe('docs/algorithms', () => {
  it.each(strategies.map((entry) => [entry.name, entry.page]))('%s has its page, %s', (_, page) => {
    expect(existsSync(`${root}docs/algorithms/${page}`)).toBe(true)
  })
})
