import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Kit } from '../kit.js'
import { filesIn, globalName, type Tree } from '../tree.js'
import { NotUnderstood } from './parse.js'
import { addressesIn, prototypesIn } from './prototypes.js'
import { translateAssembly } from './translate.js'

export interface Translated {
  /** In C, instead of a tree's assembly. */
  readonly files: readonly string[]
  /** By file: why it could not be translated. */
  readonly reasons: ReadonlyMap<string, string>
}

/** Writes the assembly of a tree as C into a folder. What the kit or the tree has in C already is left out. */
export function translatedFiles(kit: Kit, tree: Tree, folder: string, directory: string): Translated {
  const reasons = new Map<string, string>()
  const made: string[] = []
  rmSync(folder, { recursive: true, force: true })
  if (!kit.translates || tree.assemblyFiles.length === 0) return { files: made, reasons }
  const read = (path: string) => readFileSync(path, 'utf8')
  const sources = tree.sources.map(read)
  const headers = tree.headers.map(read)
  const own = kit.headers.flatMap((path) => {
    const from = join(kit.folder, path)
    return filesIn(from).map((file) => read(join(from, file)))
  })
  const prototypes = prototypesIn([...sources, ...headers, ...own])
  const addresses = addressesIn(sources, prototypes.keys()).filter((name) => {
    const { parameters, returns, isStatic } = prototypes.get(name)!
    return !isStatic && (parameters !== 1 || !returns)
  })
  const written = definitionsIn([...sources, ...kit.files.map((file) => read(join(kit.folder, file)))])
  const provided = new Set([...written, ...macrosIn(own)])
  const defined = definitionsIn(sources)
  const texts = new Map(tree.assemblyFiles.map((file) => [file, read(join(tree.root, file))]))
  const isUsed = (name: string, by: string) => {
    const word = new RegExp(`\\b${name}\\b`)
    return (
      [...sources, ...headers].some((text) => word.test(text)) ||
      [...texts].some(([file, text]) => file !== by && word.test(text))
    )
  }
  for (const [i, [file, text]] of [...texts].entries()) {
    const path = join(tree.root, file)
    try {
      const exported = [...text.matchAll(globalName)].map(([, name]) => name)
      // What nobody calls need not be understood.
      if (exported.every((name) => provided.has(name) || !isUsed(name, file))) continue
      const c = translateAssembly(text, relative(directory, path), {
        prototypes,
        provided,
        addresses: addresses.filter((name) => defined.has(name)),
      })
      const target = join(folder, `${i}-${file.replace(/\W+/g, '_')}.c`)
      mkdirSync(folder, { recursive: true })
      writeFileSync(target, c)
      made.push(target)
    } catch (error) {
      if (!(error instanceof NotUnderstood)) throw error
      reasons.set(file, `line ${error.line}: ${error.message}`)
    }
  }
  return { files: made, reasons }
}

/** Functions with a body that others can call. */
function definitionsIn(texts: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const [name, prototype] of prototypesIn(texts.map((text) => text.replace(/\)\s*;/g, ') , ')))) {
    if (!prototype.isStatic) names.add(name)
  }
  return names
}

function macrosIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    [...text.matchAll(/^#define (\w+) faultline_\w+$/gm)].map(([, name]) => name),
  )
}
