// The programs of the corpus: a folder each, with what is known of them in about.json. Types are in entries.d.ts.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const corpusFolder = fileURLToPath(new URL('.', import.meta.url))

export function entries() {
  return readdirSync(corpusFolder)
    .filter((name) => existsSync(join(corpusFolder, name, 'about.json')))
    .sort()
    .map(readEntry)
}

export function readEntry(name) {
  const folder = join(corpusFolder, name)
  const about = JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8'))
  const { program = existsSync(join(folder, 'program.c')) ? 'program.c' : 'program.cpp' } = about
  const from = (path) => relative(corpusFolder, resolve(folder, path))
  const common = [...(about.define ?? []).map((text) => `-D${text}`), ...(about.options ?? [])]
  return {
    name,
    about,
    file: from(program),
    argv: [from(program), ...(about.twin ? [] : ['-DBUG']), ...common],
    twin: [from(about.twin ?? program), ...common],
  }
}

export function writeAbout(name, about) {
  writeFileSync(join(corpusFolder, name, 'about.json'), `${JSON.stringify(about, null, 2)}\n`)
}

/**
 * Lines of a program that cause its bug: those marked so, else those that only the one with the bug has, else those after
 * what it lacks.
 */
export function causesOf({ name, file, about }) {
  const place = about.causeIn ? join(corpusFolder, name, about.causeIn) : join(corpusFolder, file)
  const lines = readFileSync(place, 'utf8').split('\n')
  const marked = lines.flatMap((line, i) => (/(?:\/\/|\/\*) cause\b/.test(line) ? [i + 1] : []))
  if (marked.length > 0) return marked
  const { added, after } = conditional(lines)
  return added.length > 0 ? added : after
}

const opposite = { BUG: 'no BUG', 'no BUG': 'BUG' }

function conditional(lines) {
  const added = []
  const after = []
  const open = []
  lines.forEach((line, i) => {
    const [, directive, name] = /^\s*#\s*(ifdef|ifndef|if|else|endif)\b\s*(\w*)/.exec(line) ?? []
    if (directive === 'endif') {
      if (open.pop() !== undefined && lines[i + 1] !== undefined) after.push(i + 2)
    } else if (directive === 'else') open.push(opposite[open.pop()] ?? '')
    else if (directive !== undefined) {
      const what = directive === 'ifdef' ? 'BUG' : 'no BUG'
      open.push(name === 'BUG' && directive !== 'if' ? what : '')
    } else if (open.includes('BUG')) added.push(i + 1)
  })
  return { added, after }
}
