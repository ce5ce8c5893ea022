import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ToolVersions {
  readonly clang: string
  readonly binaryen: string
  /** Hash of our own compiler-side code: a change in the rewriter must not meet old results. */
  readonly own: string
}

let versions: ToolVersions | undefined

/** Read from package files: the tools themselves are slow to load. */
export function toolVersions(): ToolVersions {
  versions ??= {
    clang: packageVersion('@yowasp/clang'),
    binaryen: packageVersion('binaryen'),
    own: hashOfOwnCode(),
  }
  return versions
}

function packageVersion(name: string): string {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    try {
      return JSON.parse(readFileSync(path.join(folder, name, 'package.json'), 'utf8')).version
    } catch {
      // Not here: further up.
    }
  }
  throw new Error(`the version of ${name} cannot be found`)
}

/** One after the other without waiting: a hundred small files are read in less time than it takes to ask others to do it. */
function hashOfOwnCode(): string {
  const hash = createHash('sha256')
  const root = fileURLToPath(new URL('../', import.meta.url))
  for (const folder of ['', 'debug', 'rewrite', 'suspend', 'toolchain']) {
    const names = readdirSync(path.join(root, folder))
      .filter((n) => /(?<!\.test|\.d)\.[jt]s$/.test(n))
      .sort()
    for (const name of names) hash.update(name).update(readFileSync(path.join(root, folder, name)))
  }
  return hash.digest('hex')
}
