import { readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin } from 'vitest/config'

const root = resolve(import.meta.dirname, '../..')
const sources = join(root, 'src')
const built = join(root, 'dist')

/**
 * Tests import the sources by their names and get what was built of them: Node loads that itself, where the test runner
 * turns every use of an import into a look-up, and random programs take a third longer. Cached programs are shared with
 * the command line, too, since the engine's own files are part of their keys. `isBuilt` says whether that can be done.
 */
export function builtEngine(): Plugin {
  return {
    name: 'built engine',
    enforce: 'pre',
    resolveId(id, importer) {
      if (importer === undefined || !id.startsWith('.')) return
      const file = relative(sources, resolve(dirname(importer), id))
      if (file.startsWith('..') || !file.endsWith('.js')) return
      return { id: join(built, file), external: true }
    },
  }
}

/** Whether all of `src` was built after it was changed last. Files whose output would be the same are not written again. */
export function isBuilt(): boolean {
  const lastBuild = modified(join(built, '.tsbuildinfo'))
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .every((file) => {
      const isThere = modified(join(built, file.replace(/ts$/, 'js'))) > 0
      return isThere && modified(join(sources, file)) < lastBuild
    })
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
