import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Times and digests (which depend on the version of the compiler) differ. */
const steady = (text: string) =>
  text.replace(/\d+\.\d\d s\b/g, '0.00 s').replace(/-[0-9a-f]{10}\.json/g, '-0123456789.json')

/** An example without the marks that tests go by. */
const unmarked = (text: string) => text.replace(/^\/\/ expect: .*\n/, '').replace(/ +\/\/ cause$/gm, '')
const example = (name: string) => readFileSync(`${root}examples/01-counter/${name}`, 'utf8')

/** Runs a command as a page writes it; where it names a recorded failure, the last one is meant. */
async function run(folder: string, command: string) {
  const words = command.split(' ').slice(1)
  const argv = words.map((word) => {
    if (!word.startsWith('.faultline/')) return word
    const files = readdirSync(join(folder, '.faultline'))
    expect(files).toHaveLength(1)
    return `.faultline/${files[0]}`
  })
  return faultline(folder, argv, { width: 80 })
}

/** Pages whose commands are run, and what comes before. */
const consoles: [string, string[]][] = [
  ['README.md', []],
  ['docs/reports.md', ['faultline check counter.c']],
]

describe('documents', () => {
  it('README has the program of the example', () => {
    const [, program] = /```c\n([\s\S]*?)```/.exec(readFileSync(`${root}README.md`, 'utf8'))!
    expect(program).toBe(unmarked(example('racy.c')))
  })

  it.each(consoles)('%s shows what the commands really print', async (page, before) => {
    const text = readFileSync(root + page, 'utf8')
    const folder = folderWith({ 'counter.c': unmarked(example('racy.c')), 'fixed.c': example('fixed.c') })
    for (const command of before) await run(folder, command)
    let updated = text
    for (const [block, command] of text.matchAll(/```console\n\$ (.*)\n[\s\S]*?```/g)) {
      const { out, err } = await run(folder, command)
      expect(err).toBe('')
      updated = updated.replace(block, () => `\`\`\`console\n$ ${command}\n${steady(out)}\`\`\``)
    }
    if (process.env.UPDATE_DOCS) writeFileSync(root + page, updated)
    else expect(updated).toBe(text)
  })

  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.md') && !/^(node_modules|dist|\.git)\b/.test(file),
  )

  it.each(pages)('%s links to what exists', (page) => {
    const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '')
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path, anchor] = target.split('#')
      const file = path === '' ? join(root, page) : resolve(root, dirname(page), path)
      expect(() => readdirSync(dirname(file)), target).not.toThrow()
      expect(exists(file), `${page} links to ${target}`).toBe(true)
      if (anchor) expect(anchors(readFileSync(file, 'utf8')), `${page} links to ${target}`).toContain(anchor)
    }
  })
})

function exists(path: string): boolean {
  return readdirSync(dirname(path)).includes(path.replace(/\/$/, '').split('/').pop()!)
}

function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}
