import { createHash, type Hash } from 'node:crypto'
import { EXCEPTIONS, RUNTIME } from './flags.js'
import type { LinkedFile } from './link.js'
import type { RuntimeFiles, RuntimePart } from './runtime.js'
import type { SourceFile, SourceSet } from './sources.js'
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
export function programKey(parts: KeyParts & { readonly compiled: readonly LinkedFile[] }): string {
  const hash = start('program', parts)
  for (const { name, content } of parts.compiled) {
    add(hash, `${name} ${content.length}`)
    hash.update(content)
  }
  addFiles(hash, parts.set, (file) => file.display)
  return hash.digest('hex')
}

/** Hash of everything that decides what a unit is compiled to: its debug information says where files lie. */
export function objectKey(parts: KeyParts): string {
  const hash = start('object', parts)
  addFiles(hash, parts.set, (file) => `${file.path} ${file.display}`)
  return hash.digest('hex')
}

function start(what: string, { flags, runtime, versions, compiler }: KeyParts): Hash {
  const hash = createHash('sha256')
  add(hash, what)
  add(hash, runtimeKey(runtime, versions))
  add(hash, compiler)
  for (const flag of flags) add(hash, flag)
  return hash
}

function addFiles(hash: Hash, { units, files }: SourceSet, nameOf: (file: SourceFile) => string): void {
  for (const unit of units) add(hash, nameOf(unit))
  for (const file of files) {
    add(hash, nameOf(file))
    add(hash, String(file.content.length))
    hash.update(file.content)
  }
}

function add(hash: Hash, text: string): void {
  hash.update(`${text.length}:${text}\n`)
}

/** Hash of what decides the runtime, and of what it is made with. */
export function runtimeKey(runtime: RuntimeFiles, madeWith: unknown): string {
  const { sources, exceptions, jumps, waits, headers } = runtime
  const hash = createHash('sha256').update(JSON.stringify(madeWith))
  for (const file of [...sources, ...exceptions, ...jumps, ...waits, ...headers]) {
    hash.update(`${file.name} ${file.content.length}\n`).update(file.content)
  }
  return hash.digest('hex')
}

/** Hash of all that decides the object that a part of the runtime is compiled to. */
export function runtimeObjectKey(runtime: RuntimeFiles, part: RuntimePart, { clang }: ToolVersions): string {
  return `${part}-${runtimeKey(runtime, [clang, RUNTIME, EXCEPTIONS])}`
}
