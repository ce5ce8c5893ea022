import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const read = (name: string) => readFileSync(examples + name, 'utf8')

const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).sort()
const programs = files.filter((name) => /\.(?:c|cpp|mjs|json)$/.test(name))

/** The tables of all READMEs: | [name](link) | verdict | …, links relative to their README. */
const listed = files
  .filter((name) => name.endsWith('README.md'))
  .flatMap((readme) =>
    [...read(readme).matchAll(/^\| \[(.+?)\]\((.+?)\) \| (.+?) \|/gm)].map(([, name, link, verdict]) => ({
      name,
      path: readme.replace('README.md', '') + link,
      verdict,
    })),
  )

/** What a program says of itself in its first lines: `// expect: bug deadlock`. Data has no comments: the README tells. */
function expected(name: string): string | undefined {
  const header = /^\/\/ expect: (.+)$/m.exec(read(name).split('\n').slice(0, 5).join('\n'))
  const said = header?.[1].replace(/^bug /, 'bug: ')
  return said ?? (name.endsWith('.json') ? listed.find((row) => row.path === name)?.verdict : undefined)
}

/** Options that a program needs, by its first lines: `// options: --leaks`. */
function optionsOf(name: string): string[] {
  const header = /^\/\/ options: (.+)$/m.exec(read(name).split('\n').slice(0, 5).join('\n'))
  return header?.[1].split(' ') ?? []
}

const table = programs.map((name) => [name, expected(name)] as const)

describe('examples', () => {
  it('say what to expect, and are all listed so', () => {
    expect(table.filter(([, verdict]) => verdict === undefined)).toEqual([])
    expect(listed.map(({ path, verdict }) => [path, verdict]).sort()).toEqual(table)
    for (const { name, path } of listed) expect(path.endsWith(name)).toBe(true)
  })

  it.each(table)('%s: %s', { timeout: 120_000 }, async (name, verdictExpected) => {
    const out = folderWith({})
    const ran = await faultline(examples, ['check', name, ...optionsOf(name), '--json', '--out', out])
    const { verdict, bugs } = JSON.parse(ran.out)
    expect(verdict === 'bug' ? `bug: ${bugs[0].kind}` : verdict).toBe(verdictExpected)
    expect(ran.code).toBe(verdict === 'bug' ? 1 : 0)
    if (verdict === 'bug') expect((await faultline(examples, ['replay', bugs[0].schedule])).code).toBe(1)
  })
})
