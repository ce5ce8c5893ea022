import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'
import {
  examplesFolder as examples,
  exampleFiles as files,
  isDaily,
  optionsOf,
  readExample as read,
} from '../support/examples.js'

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

const table = programs.map((name) => [name, expected(name)] as const)

describe('examples', () => {
  it('say what to expect, and are all listed so', () => {
    expect(table.filter(([, verdict]) => verdict === undefined)).toEqual([])
    expect(listed.map(({ path, verdict }) => [path, verdict]).sort()).toEqual(table)
    for (const { name, path } of listed) expect(path.endsWith(name)).toBe(true)
  })

  const check = async (name: string, verdictExpected: string | undefined) => {
    const out = folderWith({})
    const ran = await faultline(examples, ['check', name, ...optionsOf(name), '--json', '--out', out])
    const { verdict, bugs } = JSON.parse(ran.out)
    expect(verdict === 'bug' ? `bug: ${bugs[0].kind}` : verdict).toBe(verdictExpected)
    expect(ran.code).toBe(verdict === 'bug' ? 1 : 0)
    if (verdict === 'bug') expect((await faultline(examples, ['replay', bugs[0].schedule])).code).toBe(1)
  }
  it.each(table.filter(([name]) => isDaily(name)))('%s: %s', check)
  it.runIf(isFull).each(table.filter(([name]) => !isDaily(name)))('%s: %s', check)
})
