import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Artifact, BuildInfo } from '../artifact.js'
import { asyncify } from '../rewrite/asyncify.js'
import { type Instrumented, instrument } from '../rewrite/instrument.js'
import { decodeModule, type Module } from '../rewrite/module.js'
import { suspending } from '../wraps.js'
import { type Cache, cacheFolder, folderCache } from './cache.js'
import { type CompileOptions, compile, isCxx, userFlags, userPaths } from './compile.js'
import { describeFunctions, describeSites, describeVariables } from './describe.js'
import { NoMainError, UnsupportedError } from './errors.js'
import { unknownImports, unsupportedMessage } from './imports.js'
import { layoutOf } from './layout.js'
import { type Linked, link } from './link.js'
import { compileRuntime, type RuntimeFiles, readRuntime } from './runtime.js'
import { readSources, type SourceSet } from './sources.js'
import { neverSuspending } from './stdio.js'
import { locate } from './symbols.js'
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
  readonly cwd?: string
  /** Where results are kept; the user's cache folder unless given. */
  readonly cache?: Cache
  /** Told what is going on when something has to be built, for a person who waits. */
  readonly onProgress?: (what: string) => void
}

/** The imports of the hooks that may suspend. */
const SUSPENDING_HOOKS = ['fl.point', 'fl.loop']

/**
 * Compiles, links, instruments and asyncifies a program, or finds the result in the cache. Throws a `BuildError` when
 * the program is at fault.
 */
export async function build(options: BuildOptions): Promise<Artifact> {
  const cwd = path.resolve(options.cwd ?? process.cwd())
  const include = options.include ?? []
  const cache = options.cache ?? folderCache(cacheFolder())
  const compileOptions: CompileOptions = {
    include,
    define: options.define ?? [],
    optimize: options.optimize ?? '0',
    flags: options.flags ?? [],
    ...(options.standard === undefined ? {} : { standard: options.standard }),
  }
  const [set, runtime, versions] = await Promise.all([
    readSources({ sources: options.sources, include, cwd }),
    readRuntime(),
    toolVersions(),
  ])
  const hash = programKey(set, compileOptions, runtime, versions)
  const known = await cache.read(hash)
  if (known) return fromCache(known.data as StoredArtifact, known.files[0], hash)

  const progress = options.onProgress ?? (() => {})
  progress('compiling')
  const { objects, warnings } = await compile(set, compileOptions, cwd, runtime.headers)
  const runtimeObject = await cachedRuntime(runtime, versions, cache)
  progress('linking')
  const linked = await link({
    user: objects,
    names: set.units.map((unit) => unit.display),
    runtime: runtimeObject,
    cxx: options.sources.some(isCxx),
  })
  progress('instrumenting')
  const build: BuildInfo = {
    sources: options.sources,
    flags: userFlags(compileOptions),
    compiler: `clang ${versions.clang}`,
    warnings,
    cached: false,
  }
  const artifact: Artifact = { ...(await finish(linked, set)), hash, build }
  const { wasm, ...stored } = artifact
  await cache.write(hash, { data: stored, files: [wasm] })
  return artifact
}

type StoredArtifact = Omit<Artifact, 'wasm'>

function fromCache(stored: StoredArtifact, wasm: Uint8Array, hash: string): Artifact {
  return { ...stored, hash, wasm: Uint8Array.from(wasm), build: { ...stored.build, cached: true } }
}

/** Everything that decides what the program does. */
function programKey(
  set: SourceSet,
  options: CompileOptions,
  runtime: RuntimeFiles,
  versions: ToolVersions,
): string {
  const hash = createHash('sha256')
  const add = (text: string) => hash.update(`${text.length}:${text}\n`)
  add(JSON.stringify(versions))
  for (const flag of userFlags(options)) add(flag)
  for (const unit of set.units) add(unit.display)
  for (const file of set.files) {
    add(file.display)
    add(String(file.content.length))
    hash.update(file.content)
  }
  add(runtimeKey(runtime, versions))
  return hash.digest('hex')
}

function runtimeKey({ sources, headers }: RuntimeFiles, versions: ToolVersions): string {
  const hash = createHash('sha256').update(JSON.stringify(versions))
  for (const file of [...sources, ...headers]) {
    hash.update(`${file.name} ${file.content.length}\n`).update(file.content)
  }
  return hash.digest('hex')
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

/** From the linked module to the artifact. */
async function finish(linked: Linked, set: SourceSet): Promise<Omit<Artifact, 'hash' | 'build'>> {
  const module = decodeModule(linked.wasm)
  const imported = module.imports.filter((item) => item.kind === 0).length
  const isUser = (index: number) => linked.isUserObject(linked.map.functions[index - imported].object)
  const instrumented = instrument(linked.wasm, { isUser })
  const functions = describeFunctions(module, isUser)
  if (!functions.some((f) => f.user && f.name === 'main'))
    throw new NoMainError(set.units.map((unit) => unit.display))
  await refuseUnknown(linked, module, instrumented, set)

  const [wasm, sites] = await Promise.all([
    asyncify(instrumented.wasm, {
      suspending: [...SUSPENDING_HOOKS, ...suspending],
      never: neverSuspending(linked.map),
    }),
    sitesOf(linked, module, instrumented.sites, set),
  ])
  return {
    wasm,
    sites,
    layout: layoutOf(linked.map, instrumented.memory),
    functions,
    variables: describeVariables(linked.map, linked.isUserObject),
  }
}

async function sitesOf(linked: Linked, module: Module, sites: Instrumented['sites'], set: SourceSet) {
  const imported = module.imports.filter((item) => item.kind === 0).length
  const places = sites.map(({ offset, function: index }) => ({
    offset,
    limit: module.bodies[index - imported].end - 1 - module.codeStart,
  }))
  const frames = await locate(linked.wasm, places, (file) => userPaths(file, set.files))
  return describeSites(sites, frames, module.functionNames)
}

async function refuseUnknown(
  linked: Linked,
  module: Module,
  { sites }: Instrumented,
  set: SourceSet,
): Promise<void> {
  const unknown = unknownImports(module.imports)
  if (unknown.length === 0) return
  const calls = sites.filter((site) => site.callee !== undefined && unknown.includes(site.callee))
  const places = await sitesOf(linked, module, calls, set)
  const message = unsupportedMessage(unknown, (name) => {
    const place = places.find((site) => site.callee === name)
    return place?.file === undefined ? undefined : `${place.file}:${place.line}`
  })
  throw new UnsupportedError(message, unknown)
}
