import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ToolVersions {
  readonly clang: string
  readonly binaryen: string
  /** Hash of our own compiler-side code: a change in the rewriter must not meet old results. */
  readonly own: string
}

let versions: Promise<ToolVersions> | undefined

/** Read from package files: the tools themselves are slow to load. */
export function toolVersions(): Promise<ToolVersions> {
  versions ??= Promise.all([
    packageVersion('@yowasp/clang'),
    packageVersion('binaryen'),
    hashOfOwnCode(),
  ]).then(([clang, binaryen, own]) => ({ clang, binaryen, own }))
  return versions
}

async function packageVersion(name: string): Promise<string> {
  let folder = path.dirname(createRequire(import.meta.url).resolve(name))
  for (;;) {
    try {
      const info = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
      if (info.name === name) return info.version
    } catch {
      // Not here: further up.
    }
    const parent = path.dirname(folder)
    if (parent === folder) throw new Error(`the version of ${name} cannot be found`)
    folder = parent
  }
}

async function hashOfOwnCode(): Promise<string> {
  const hash = createHash('sha256')
  const root = fileURLToPath(new URL('../', import.meta.url))
  for (const folder of ['', 'debug', 'rewrite', 'suspend', 'toolchain']) {
    const names = (await readdir(path.join(root, folder)))
      .filter((n) => /(?<!\.test|\.d)\.[jt]s$/.test(n))
      .sort()
    for (const name of names) hash.update(name).update(await readFile(path.join(root, folder, name)))
  }
  return hash.digest('hex')
}
