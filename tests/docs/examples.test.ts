import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const listed = /^\| \[(.+?)\]\((.+?)\) \| (.+?) \|/gm
const rows = [...readFileSync(`${examples}README.md`, 'utf8').matchAll(listed)]
const table = rows.map(([, name, , verdict]) => [name, verdict] as const)

describe('examples', () => {
  it('are all listed', () => {
    const files = readdirSync(examples, { recursive: true, encoding: 'utf8' })
    const programs = files.filter((file) => /(racy|fixed)\.\w+$/.test(file))
    expect(table.map(([name]) => name).sort()).toEqual(programs.sort())
    for (const [, name, link] of rows) expect(link).toBe(name)
  })

  it.each(table)('%s: %s', async (name, expected) => {
    const out = folderWith({})
    const ran = await faultline(examples, ['check', name, '--json', '--out', out])
    const { verdict, bugs } = JSON.parse(ran.out)
    expect(verdict === 'bug' ? `bug: ${bugs[0].kind}` : verdict).toBe(expected)
    expect(ran.code).toBe(verdict === 'bug' ? 1 : 0)
    if (verdict === 'bug') expect((await faultline(examples, ['replay', bugs[0].schedule])).code).toBe(1)
  })
})
