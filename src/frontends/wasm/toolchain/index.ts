import path from 'node:path'
import type { Artifact, BuildInfo } from '../artifact.js'
import { type Cache, cacheFolder, folderCache } from './cache.js'
import { bundledCompiler, compile, isCxx } from './compile.js'
import { finish } from './finish.js'
import { programKey, runtimeKey } from './key.js'
import { link } from './link.js'
import { nativeCompiler, nativeVersion } from './native.js'
import { forcedIncludes, headerFolders } from './path-flags.js'
import { compileRuntime, type RuntimeFiles, readRuntime } from './runtime.js'
import { readSources } from './sources.js'
import { type ToolVersions, toolVersions } from './versions.js'

export * from './errors.js'

export interface BuildOptions {
  /** C or C++ sources, relative to `cwd` or absolute. */
  readonly sources: readonly string[]
  /** Directories to look for headers in, `-I`. */
  readonly include?: readonly string[]
  /** `NAME` or `NAME=VALUE`, `-D`. */
  readonly define?: readonly string[]
  /** `0` unless asked: at higher levels repeated accesses merge and loops lose theirs. */
  readonly optimize?: string
  /** For example `c11`, `-std`. */
  readonly standard?: string
  /** Further compiler flags, passed on as they are. */
  readonly flags?: readonly string[]
  /** A clang of the user's own, by name or path; absent: the bundled one. */
  readonly cc?: string
  readonly cwd?: string
  /** Where results are kept; the user's cache folder unless given. */
  readonly cache?: Cache
  /** Told what is going on when something has to be built, for a person who waits. */
  readonly onProgress?: (what: string) => void
}

/**
 * Compiles, links, instruments and asyncifies a program, or finds the result in the cache. Throws a `BuildError` when
 * the program is at fault.
 */
export async function build(options: BuildOptions): Promise<Artifact> {
  const cwd = path.resolve(options.cwd ?? process.cwd())
  const cache = options.cache ?? folderCache(cacheFolder())
  const flags = compilerFlags(options)
  const [set, runtime, versions, compilerVersion] = await Promise.all([
    readSources({
      sources: options.sources,
      include: headerFolders(flags),
      forced: forcedIncludes(flags),
      cwd,
    }),
    readRuntime(),
    toolVersions(),
    options.cc === undefined ? '' : nativeVersion(options.cc),
  ])
  const hash = programKey({ set, flags, runtime, versions, compiler: compilerVersion })
  const known = await cache.read(hash)
  if (known) return fromCache(known.data as StoredArtifact, known.files[0])

  const progress = options.onProgress ?? (() => {})
  progress('compiling')
  const { headers } = runtime
  const compiler =
    options.cc === undefined
      ? bundledCompiler({ set, cwd, headers })
      : nativeCompiler({
          command: options.cc,
          cwd,
          headers,
          folder: cacheFolder(),
          key: runtimeKey(runtime, versions).slice(0, 16),
        })
  const { objects, warnings } = await compile(set, compiler, flags)
  const runtimeObject = await cachedRuntime(runtime, versions, cache)
  progress('linking')
  const linked = await link({
    user: objects,
    names: set.units.map((unit) => unit.display),
    runtime: runtimeObject,
    cxx: options.sources.some(isCxx),
  })
  progress('instrumenting')
  const info: BuildInfo = {
    sources: options.sources,
    flags,
    compiler: compilerVersion.split('\n')[0] || `clang ${versions.clang}`,
    warnings: warnings + linked.warnings,
    cached: false,
  }
  const artifact: Artifact = { ...(await finish(linked, set)), hash, build: info }
  const { wasm, ...stored } = artifact
  await cache.write(hash, { data: stored, files: [wasm] })
  return artifact
}

/** Definitions without a value that several units share. WebAssembly has none: the compiler would crash. */
const COMMON = '-fcommon'

/** Options as flags of the compiler. */
function compilerFlags(options: BuildOptions): string[] {
  return [
    `-O${options.optimize ?? '0'}`,
    ...(options.standard === undefined ? [] : [`-std=${options.standard}`]),
    ...(options.define ?? []).map((name) => `-D${name}`),
    ...(options.include ?? []).map((folder) => `-I${folder}`),
    ...(options.flags ?? []).filter((flag) => flag !== COMMON),
  ]
}

type StoredArtifact = Omit<Artifact, 'wasm'>

function fromCache(stored: StoredArtifact, wasm: Uint8Array): Artifact {
  return { ...stored, wasm: Uint8Array.from(wasm), build: { ...stored.build, cached: true } }
}

/** The runtime is the same for all programs: compiled once. */
async function cachedRuntime(
  runtime: RuntimeFiles,
  versions: ToolVersions,
  cache: Cache,
): Promise<Uint8Array> {
  const key = `runtime-${runtimeKey(runtime, versions)}`
  const known = await cache.read(key)
  if (known) return known.files[0]
  const object = await compileRuntime(runtime)
  await cache.write(key, { data: null, files: [object] })
  return object
}
