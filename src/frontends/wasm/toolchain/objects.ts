import { readFile } from 'node:fs/promises'
import { namesAssumptions } from '../rewrite/assumptions.js'
import { namesAtomicFunctions } from '../rewrite/atomic-functions.js'
import type { Cache } from './cache.js'
import { type Compiler, compile } from './compile.js'
import { BuildError, CompileError } from './errors.js'
import { objectKey } from './key.js'
import type { RuntimeFiles } from './runtime.js'
import type { SourceSet } from './sources.js'
import type { ToolVersions } from './versions.js'

export interface Compiled {
  /** In the order of the units. */
  readonly objects: readonly Uint8Array[]
  /** Warnings, as the compiler wrote them, with the user's paths. */
  readonly warnings: string
}

/** A file to be compiled, with its flags and all that it may include. */
export interface Unit {
  readonly set: SourceSet
  readonly flags: readonly string[]
}

export interface ObjectOptions {
  readonly compilerOf: (unit: Unit) => Compiler
  readonly cache: Cache
  readonly runtime: RuntimeFiles
  readonly versions: ToolVersions
  /** What a compiler of the user's says of itself; empty for the bundled one. */
  readonly compilerVersion: string
  /** How many to compile at once. */
  readonly atOnce: number
}

/** Compiles every unit that has changed since it was last compiled, so that all diagnostics show at once. */
export async function compileUnits(units: readonly Unit[], options: ObjectOptions): Promise<Compiled> {
  const all = units.flatMap(({ set }) => set.files)
  const isCalledByName = ({ content }: { readonly content: Uint8Array }) =>
    namesAtomicFunctions(content) || namesAssumptions(content)
  const kept = all.some(isCalledByName) ? ['-fno-inline'] : []
  const results = new Array<Awaited<ReturnType<typeof compileCached>>>(units.length)
  let next = 0
  const compileNext = async (): Promise<void> => {
    for (let i = next++; i < units.length; i = next++) {
      results[i] = await compileCached({ ...units[i], flags: [...units[i].flags, ...kept] }, options)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, compileNext))
  const warnings = results.map(({ diagnostics }) => diagnostics).join('')
  const objects = results.flatMap(({ object }) => (object ? [object] : []))
  if (objects.length < units.length) throw new CompileError(warnings)
  return { objects, warnings }
}

async function compileCached(unit: Unit, options: ObjectOptions) {
  const { cache, runtime, versions, compilerVersion: compiler } = options
  const key = `object-${objectKey({ ...unit, runtime, versions, compiler })}`
  const known = await cache.read(key)
  if (known) return { object: known.files[0], diagnostics: known.data as string }
  const compilerOfUnit = options.compilerOf(unit)
  const { object, diagnostics } = await compile(unit.set, compilerOfUnit, unit.flags)
  if (compilerOfUnit.readsFiles) await refuseChanged(unit.set)
  if (object) await cache.write(key, { data: diagnostics, files: [object] })
  return { object, diagnostics }
}

/** What was compiled must be what was read: that is what results are kept and reported for. */
async function refuseChanged({ files }: SourceSet): Promise<void> {
  for (const { path, display, content, readFrom } of files) {
    const now = await readFile(readFrom ?? path).catch(() => undefined)
    if (!now?.equals(content)) throw new BuildError(`${display} changed while it was compiled; try again`)
  }
}
