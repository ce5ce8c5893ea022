import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readKit } from '../../src/cli/kit/kit.js'
import { nameOf } from '../../src/cli/kit/summary.js'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'

/** The examples that kits are tried on, with what is said of each mistake. All of them: npm run check:kits. */

interface Variants {
  readonly kit: string
  readonly variants: Readonly<
    Record<string, { readonly wrong: string; readonly test: string; readonly kinds: readonly string[] }>
  >
}

const examples = ['threadlib', 'kernel', 'pintos']
/** For every day; the others are run by `npm run check:kits`. */
const few: Readonly<Record<string, readonly string[]>> = {
  kernel: isFull ? ['enabled_before_block', 'handler_sleeps', 'donation_kept'] : ['enabled_before_block'],
  // A kernel like the other, and larger.
  pintos: isFull ? ['down_looks_with_interrupts_on', 'handler_gives_way_at_once', 'exit_frees_itself'] : [],
  threadlib: isFull
    ? ['test_then_set', 'any_wakeup_counts', 'join_frees_stack_in_use']
    : ['join_frees_stack_in_use'],
}

const read = (example: string) =>
  JSON.parse(readFileSync(`examples/${example}/variants.json`, 'utf8')) as Variants

const sourcesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sourcesOf(path)
    return /\.[ch]$/.test(entry.name) ? [readFileSync(path, 'utf8')] : []
  })

describe.each(examples)('examples/%s', (example) => {
  const { kit, variants } = read(example)

  it('has exactly the mistakes that are told of', () => {
    const named = sourcesOf(`examples/${example}`)
      .join('\n')
      .matchAll(/\bMISTAKE_(\w+)/g)
    expect(new Set(Array.from(named, ([, name]) => name))).toEqual(new Set(Object.keys(variants)))
  })

  it('tells of tests that there are', () => {
    const tests = readKit(kit, '.').tests.map(({ file }) => nameOf(file))
    for (const { test } of Object.values(variants)) expect(tests).toContain(test)
  })

  it.each(few[example])('shows %s', async (name) => {
    const { test, kinds } = variants[name]
    const run = async (...options: string[]) => {
      const out = folderWith({})
      await faultline(resolve('.'), [
        'kit',
        kit,
        `examples/${example}`,
        '--test',
        test,
        '--out',
        out,
        ...options,
      ])
      return JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')).results[0]
    }
    const wrong = await run('-D', `MISTAKE_${name}`)
    expect(wrong.outcome).toBe('bug')
    expect(kinds).toContain(wrong.bug.kind)
    expect((await run('--budget', isFull ? '20s' : '500ms')).bug).toBeUndefined()
  })
})
