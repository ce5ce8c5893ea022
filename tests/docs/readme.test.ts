import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Times and digests (which depend on the version of the compiler) differ. */
const steady = (text: string) =>
  text.replace(/\d+\.\d\d(\s+)s\b/g, '0.00$1s').replace(/-[0-9a-f]{10}\.json/g, '-0123456789.json')

/** An example without the marks that tests go by. */
const unmarked = (text: string) => text.replace(/^\/\/ expect: .*\n/, '').replace(/ +\/\/ cause$/gm, '')
const example = (name: string) => readFileSync(`${root}examples/${name}`, 'utf8')

/** Runs a command as a page writes it; a recorded failure has another digest here. Output may go to a file. */
async function run(folder: string, command: string): Promise<string> {
  const [words, file] = command.split(' > ')
  const argv = words.split(' ').slice(1)
  const named = argv.map((word) => {
    if (!word.startsWith('.faultline/')) return word
    const kind = word.slice('.faultline/'.length).replace(/[0-9a-f]{10}\.json$/, '')
    const found = readdirSync(join(folder, '.faultline')).filter((name) => name.startsWith(kind))
    expect(found, word).toHaveLength(1)
    return `.faultline/${found[0]}`
  })
  const { out, err } = await faultline(folder, named, { width: 80 })
  if (file === undefined) return out + err
  writeFileSync(join(folder, file), out)
  return err
}

/** Parts of a page that something is done with: a file that it shows, an edit of that file, a command. */
const parts =
  /^`([\w.-]+)`:\n\n```\w+\n([\s\S]*?)```|^```diff\n([\s\S]*?)```|^```console\n\$ (.*)\n([\s\S]*?)```/gm

/** Does what a page says, from its beginning to its end; returns the page with what the commands really print. */
async function follow(text: string, folder: string): Promise<string> {
  let updated = text
  let last = ''
  for (const [block, file, content, edit, command] of text.matchAll(parts)) {
    if (file !== undefined) {
      last = join(folder, file)
      writeFileSync(last, content)
    } else if (edit !== undefined) {
      const lines = (sign: string) =>
        edit
          .split('\n')
          .filter((line) => line.startsWith(sign))
          .map((line) => `${line.slice(1)}\n`)
      const before = readFileSync(last, 'utf8')
      const after = before.replace(lines('-').join(''), () => lines('+').join(''))
      expect(after).not.toBe(before)
      writeFileSync(last, after)
    } else {
      const printed = steady(await run(folder, command))
      updated = updated.replace(block, () => `\`\`\`console\n$ ${command}\n${printed}\`\`\``)
    }
  }
  return updated
}

/** Pages whose commands are run. */
const pagesToFollow = ['README.md', 'docs/reports.md', 'docs/tutorial.md', 'docs/data-races.md']

describe('documents', () => {
  it('README has the program of the example', () => {
    const [, program] = /```c\n([\s\S]*?)```/.exec(readFileSync(`${root}README.md`, 'utf8'))!
    expect(program).toBe(unmarked(example('01-counter/racy.c')))
  })

  it.each(pagesToFollow)('%s shows what the commands really print', async (page) => {
    const text = readFileSync(root + page, 'utf8')
    const folder = folderWith({
      'counter.c': unmarked(example('01-counter/racy.c')),
      'fixed.c': example('01-counter/fixed.c'),
      'racy.c': example('08-races/racy.c'),
    })
    // A page about what was recorded does not say again how.
    if (page === 'docs/reports.md') await run(folder, 'faultline check counter.c')
    const updated = await follow(text, folder)
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

describe('pictures', () => {
  const folder = `${root}docs/pictures/`

  it.each(readdirSync(folder).filter((name) => name.endsWith('.png')))('%s is a small one', (name) => {
    const content = readFileSync(folder + name)
    expect(content.subarray(1, 4).toString()).toBe('PNG')
    expect(content.length).toBeLessThan(250_000)
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
