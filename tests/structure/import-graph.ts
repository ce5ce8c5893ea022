import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'

/** Sources by path below `src`, with forward slashes. */
export type Sources = ReadonlyMap<string, string>

/** All sources of a folder but tests. */
export function readSources(folder: string): Sources {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/**
 * By file: the files of the project it imports, in any way: statically, on demand, or for types only. Types count as much
 * as values: whoever reads a file has to know what its types are.
 */
export function importsOf(sources: Sources): Map<string, string[]> {
  return new Map(
    Array.from(sources, ([path, text]) => {
      const imported = ts
        .preProcessFile(text, true, true)
        .importedFiles.map(({ fileName }) => fileName)
        .filter((name) => name.startsWith('.'))
        .map((name) => posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts'))
      return [path, [...new Set(imported)].filter((target) => sources.has(target))]
    }),
  )
}

/** The folder of a file, or its name if it lies in none: what layers are made of. */
export function partOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : path.replace(/\.ts$/, '')
}

/** Imports that do not point down: layers come from above, and parts of one layer do not import each other. */
export function upwardImports(sources: Sources, layers: readonly (readonly string[])[]): string[] {
  const layerOf = (path: string) => layers.findIndex((layer) => layer.includes(partOf(path)))
  const faults: string[] = []
  for (const [path, targets] of importsOf(sources)) {
    if (layerOf(path) < 0) faults.push(`${path}: ${partOf(path)} is in no layer`)
    for (const target of targets) {
      if (partOf(target) !== partOf(path) && layerOf(target) <= layerOf(path))
        faults.push(`${path} imports ${target}`)
    }
  }
  return faults
}

/** Groups of files of which each can be reached from each other by imports, however long the way. */
export function cycles(sources: Sources): string[][] {
  const imports = importsOf(sources)
  const found: string[][] = []
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  // Strongly connected components, after Tarjan (SIAM J. Comput. 1972).
  const visit = (path: string): void => {
    index.set(path, index.size)
    lowest.set(path, index.get(path)!)
    stack.push(path)
    for (const target of imports.get(path)!) {
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!))
    }
    if (lowest.get(path) !== index.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1) found.push(group.sort())
  }
  for (const path of imports.keys()) if (!index.has(path)) visit(path)
  return found
}
