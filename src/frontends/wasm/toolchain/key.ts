import { createHash } from 'node:crypto'
import type { RuntimeFiles } from './runtime.js'
import type { SourceSet } from './sources.js'
import type { ToolVersions } from './versions.js'

export interface KeyParts {
  readonly set: SourceSet
  readonly flags: readonly string[]
  readonly runtime: RuntimeFiles
  readonly versions: ToolVersions
  /** What a compiler of the user's says of itself; empty for the bundled one. */
  readonly compiler: string
}

/** Hash of everything that decides what a program does. Where its files lie is not part of it. */
export function programKey({ set, flags, runtime, versions, compiler }: KeyParts): string {
  const hash = createHash('sha256')
  const add = (text: string) => hash.update(`${text.length}:${text}\n`)
  add(runtimeKey(runtime, versions))
  add(compiler)
  for (const flag of flags) add(flag)
  for (const unit of set.units) add(unit.display)
  for (const file of set.files) {
    add(file.display)
    add(String(file.content.length))
    hash.update(file.content)
  }
  return hash.digest('hex')
}

/** Hash of what decides the runtime. */
export function runtimeKey({ sources, headers }: RuntimeFiles, versions: ToolVersions): string {
  const hash = createHash('sha256').update(JSON.stringify(versions))
  for (const file of [...sources, ...headers]) {
    hash.update(`${file.name} ${file.content.length}\n`).update(file.content)
  }
  return hash.digest('hex')
}
