import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { type Cache, cacheFolder } from './cache.js'
import type { RunTool } from './clang.js'
import { bundledCompiler, type Compiler } from './compile.js'
import { programKey, runtimeKey, runtimeObjectKey } from './key.js'
import { type Linked, type LinkedFile, link } from './link.js'
import { nativeTools, nativeVersion } from './native.js'
import { type Compiled, compileUnits, type Unit } from './objects.js'
import { forcedIncludes, headerFolders, headersInMacros } from './path-flags.js'
import {
  compileRuntime,
  preparedRuntime,
  type RuntimeFiles,
  type RuntimePart,
  readRuntime,
} from './runtime.js'
import { readSources, type SourceSet } from './sources.js'
import { type ToolVersions, toolVersions } from './versions.js'

/** The steps of a build, with the compiler that was chosen. */
export interface Builder {
  /** What the compiler is called. */
  readonly compiler: string
  /** Hash of everything that decides what a program does. */
  keyOf(set: SourceSet, flags: readonly string[], compiled: readonly LinkedFile[]): string
  compile(units: readonly Unit[]): Promise<Compiled>
  link(user: readonly LinkedFile[], cxx: boolean): Promise<Linked>
  /** Linker and symbolizer that belong to a compiler of the user's, if it has both. */
  readonly run: RunTool | undefined
}

export interface BuilderOptions {
  /** A clang of the user's own; absent: the bundled one. */
  readonly cc: string | undefined
  readonly cwd: string
  readonly cache: Cache
}

export async function makeBuilder({ cc, cwd, cache }: BuilderOptions): Promise<Builder> {
  const runtime = readRuntime()
  const versions = toolVersions()
  const compilerVersion = cc === undefined ? '' : await nativeVersion(cc)
  const { headers } = runtime
  const native =
    cc === undefined
      ? undefined
      : nativeTools({
          command: cc,
          cwd,
          headers,
          folder: cacheFolder(),
          key: runtimeKey(runtime, versions).slice(0, 16),
        })
  const run = await native?.run()
  const compilerOf = ({ set }: Unit): Compiler => {
    if (native === undefined) return bundledCompiler({ set, cwd, headers })
    return {
      readsFiles: true,
      compile: async (unit, flags) =>
        (await native.compile(unit, flags)) ?? bundledCompiler({ set, cwd, headers }).compile(unit, flags),
    }
  }
  return {
    compiler: compilerVersion.split('\n')[0] || `clang ${versions.clang}`,
    run,
    keyOf: (set, flags, compiled) =>
      programKey({ set, flags, compiled, runtime, versions, compiler: compilerVersion }),
    compile: (units) =>
      compileUnits(units, {
        compilerOf,
        cache,
        runtime,
        versions,
        compilerVersion,
        atOnce: native ? availableParallelism() : 1,
      }),
    link: (user, cxx) =>
      link({
        user,
        cxx,
        runtime: (part) => runtimeObject(runtime, part, versions, cache),
        ...(run ? { run } : {}),
      }),
  }
}

/** The runtime is the same for all programs: compiled when the package was built, or else once. */
async function runtimeObject(
  runtime: RuntimeFiles,
  part: RuntimePart,
  versions: ToolVersions,
  cache: Cache,
): Promise<Uint8Array> {
  const key = runtimeObjectKey(runtime, part, versions)
  const prepared = await readFile(preparedRuntime(key)).catch(() => undefined)
  if (prepared) return prepared
  const known = await cache.read(`runtime-${key}`)
  if (known) return known.files[0]
  const object = await compileRuntime(runtime, part)
  await cache.write(`runtime-${key}`, { data: null, files: [object] })
  return object
}

/** A source with all that it may include. */
export async function readUnit(source: string, flags: readonly string[], cwd: string): Promise<Unit> {
  const set = await readSources({
    sources: [source],
    include: headerFolders(flags),
    forced: forcedIncludes(flags),
    inMacros: headersInMacros(flags),
    cwd,
  })
  return { set, flags }
}
