import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { Artifact, BuildInfo } from '../artifact.js'
import { decodeModule } from '../rewrite/decode-module.js'
import { type Cache, cacheFolder, userCache } from './cache.js'
import { bundledCompiler, isCxx } from './compile.js'
import { finish } from './finish.js'
import { programKey, runtimeKey, runtimeObjectKey } from './key.js'
import { type Linked, link } from './link.js'
import { nativeCompiler, nativeVersion } from './native.js'
import { compileUnits, type Unit } from './objects.js'
import { forcedIncludes, headerFolders } from './path-flags.js'
import { compileRuntime, preparedRuntime, type RuntimeFiles, readRuntime } from './runtime.js'
import { readSources, union } from './sources.js'
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
  const cache = options.cache ?? userCache()
  const flags = compilerFlags(options)
  const [units, runtime, versions, compilerVersion] = await Promise.all([
    Promise.all(options.sources.map((source) => readUnit(source, flags, cwd))),
    readRuntime(),
    toolVersions(),
    options.cc === undefined ? '' : nativeVersion(options.cc),
  ])
  const set = union(units.map((unit) => unit.set))
  const hash = programKey({ set, flags, runtime, versions, compiler: compilerVersion })
  const known = await cache.read(hash)
  if (known) return fromCache(known.data as StoredArtifact, known.files[0])

  const progress = options.onProgress ?? (() => {})
  progress('compiling')
  const { headers } = runtime
  const native =
    options.cc === undefined
      ? undefined
      : nativeCompiler({
          command: options.cc,
          cwd,
          headers,
          folder: cacheFolder(),
          key: runtimeKey(runtime, versions).slice(0, 16),
        })
  const cxx = options.sources.some(isCxx)
  const compiledAndLinked = async (more: readonly string[]) => {
    const { objects, warnings } = await compileUnits(
      units.map((unit) => ({ ...unit, flags: [...unit.flags, ...more] })),
      {
        compilerOf: (unit) => native ?? bundledCompiler({ set: unit.set, cwd, headers }),
        cache,
        runtime,
        versions,
        compilerVersion,
        atOnce: native ? availableParallelism() : 1,
      },
    )
    const object = await runtimeObject(runtime, versions, cache)
    progress('linking')
    const names = set.units.map((unit) => unit.display)
    return { warnings, linked: await link({ user: objects, names, runtime: object, cxx }) }
  }
  let { linked, warnings } = await compiledAndLinked([])
  if (cxx && largestFunction(linked) > LARGEST_INLINED) {
    progress('compiling again, with library functions kept apart')
    ;({ linked, warnings } = await compiledAndLinked([LIBRARY_CALLS]))
  }
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

async function readUnit(source: string, flags: readonly string[], cwd: string): Promise<Unit> {
  const set = await readSources({
    sources: [source],
    include: headerFolders(flags),
    forced: forcedIncludes(flags),
    cwd,
  })
  return { set, flags }
}

/** Definitions without a value that several units share. WebAssembly has none: the compiler would crash. */
const COMMON = '-fcommon'

/**
 * Bytes of a function of the user's, before instrumentation makes it nine times as large, up to which library code may
 * be inlined into it. The engine's optimising compiler takes half a second for one of 5 000, several for one of 10 000
 * (which `compile-module.ts` therefore keeps from it) and 40 seconds for one of 27 000; its baseline compiler takes
 * gigabytes for one of 46 000, and refuses one of 170 000.
 */
const LARGEST_INLINED = 26_000

/** See `runtime/include/__config`. */
const LIBRARY_CALLS = '-DFAULTLINE_LIBRARY_CALLS'

function largestFunction({ wasm, map, isUserObject }: Linked): number {
  const { bodies } = decodeModule(wasm)
  return bodies.reduce(
    (most, { start, end }, i) => (isUserObject(map.functions[i].object) ? Math.max(most, end - start) : most),
    0,
  )
}

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

/** The runtime is the same for all programs: compiled when the package was built, or else once. */
async function runtimeObject(
  runtime: RuntimeFiles,
  versions: ToolVersions,
  cache: Cache,
): Promise<Uint8Array> {
  const key = runtimeObjectKey(runtime, versions)
  const prepared = await readFile(preparedRuntime(key)).catch(() => undefined)
  if (prepared) return prepared
  const known = await cache.read(`runtime-${key}`)
  if (known) return known.files[0]
  const object = await compileRuntime(runtime)
  await cache.write(`runtime-${key}`, { data: null, files: [object] })
  return object
}
