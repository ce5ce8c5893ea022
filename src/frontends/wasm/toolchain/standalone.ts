import { createHash } from 'node:crypto'
import type { Artifact, BuildInfo, CodeSite, Layout } from '../artifact.js'
import { provided, suspendingIn } from '../provided-calls.js'
import { asyncify } from '../rewrite/asyncify.js'
import { WasmFormatError } from '../rewrite/bytes.js'
import { decodeModule } from '../rewrite/decode-module.js'
import { type Instrumented, instrumentModule, type RawSite } from '../rewrite/instrument.js'
import type { Module } from '../rewrite/module.js'
import { prepareStandalone, type Standalone, StandaloneError } from '../rewrite/standalone.js'
import { staticNames } from '../rewrite/static-names.js'
import { type Cache, userCache } from './cache.js'
import { describeFunctions, describeSites } from './describe.js'
import { BuildError, UnsupportedError } from './errors.js'
import { SUSPENDING_HOOKS } from './finish.js'
import { NULL_END } from './flags.js'
import { type Frame, locate } from './symbols.js'
import { toolVersions } from './versions.js'
import { hasRightType } from './wasi-types.js'

export interface ModuleOptions {
  /** Name of the file, for messages. */
  readonly name: string
  readonly wasm: Uint8Array<ArrayBuffer>
  /** Where results are kept; the user's cache folder unless given. */
  readonly cache?: Cache
  readonly onProgress?: (what: string) => void
}

/** Modules that programs of their own may import from. */
const HOSTS = ['wasi_snapshot_preview1', 'wasi']

/**
 * Instruments and asyncifies a module that was built elsewhere, or finds the result in the cache. Throws a
 * `BuildError` when the module is at fault.
 */
export async function buildModule(options: ModuleOptions): Promise<Artifact> {
  const { wasm, name } = options
  const cache = options.cache ?? userCache()
  const versions = toolVersions()
  const hash = createHash('sha256')
    .update(JSON.stringify(versions))
    .update('module')
    .update(wasm)
    .digest('hex')
  const known = await cache.read(hash)
  if (known) {
    const stored = known.data as Omit<Artifact, 'wasm'>
    return { ...stored, wasm: Uint8Array.from(known.files[0]), build: { ...stored.build, cached: true } }
  }
  refuseInvalid(wasm, name)
  options.onProgress?.('instrumenting')
  const build: BuildInfo = { sources: [name], flags: [], compiler: '', warnings: '', cached: false }
  const artifact: Artifact = { ...(await finishModule(wasm, name)), hash, build }
  const { wasm: finished, ...stored } = artifact
  await cache.write(hash, { data: stored, files: [finished] })
  return artifact
}

/** Throws if the engine does not take the module. */
function refuseInvalid(wasm: Uint8Array<ArrayBuffer>, name: string): void {
  if (WebAssembly.validate(wasm)) return
  const reason = compileError(wasm)
  const proposal = /memory count/.test(reason)
    ? ['', 'multi-memory']
    : /--experimental-wasm-([\w-]+)/.exec(reason)
  if (proposal) {
    throw new UnsupportedError(
      `${name}: the module uses ${proposal[1]}, which Faultline does not support`,
      [],
    )
  }
  throw new BuildError(`${name}: this is not a valid WebAssembly module: ${reason}`)
}

function compileError(wasm: Uint8Array<ArrayBuffer>): string {
  try {
    new WebAssembly.Module(wasm)
    return 'it does not validate'
  } catch (error) {
    return (error as Error).message.replace(/^WebAssembly\.Module\(\): /, '')
  }
}

async function finishModule(
  wasm: Uint8Array<ArrayBuffer>,
  name: string,
): Promise<Omit<Artifact, 'hash' | 'build'>> {
  const { module, variables, standalone, instrumented } = prepare(wasm, name)
  const [asyncified, sites] = await Promise.all([
    asyncify(instrumented.wasm, {
      suspending: [...SUSPENDING_HOOKS, ...suspendingIn(module.imports)],
      never: [],
    }).catch((error) => {
      throw new UnsupportedError(`${name}: threads of this module cannot be suspended: ${error.message}`, [])
    }),
    placed(instrumented.sites, wasm, module),
  ])
  return {
    wasm: asyncified,
    sites,
    layout: layoutOf(module, standalone, instrumented),
    functions: describeFunctions(module, () => true).slice(0, module.bodies.length),
    variables,
  }
}

function prepare(wasm: Uint8Array, name: string) {
  try {
    const module = decodeModule(wasm)
    refuseImports(module, name)
    const variables = staticNames(module)
    const standalone = prepareStandalone(module)
    const instrumented = instrumentModule(module, { isUser: () => true }, standalone)
    return { module, variables, standalone, instrumented }
  } catch (error) {
    if (error instanceof StandaloneError || error instanceof WasmFormatError) {
      throw new UnsupportedError(`${name}: ${error.message}`, [])
    }
    throw error
  }
}

function refuseImports(module: Module, name: string): void {
  const unknown = module.imports.filter(
    (item) => item.kind === 0 && !(HOSTS.includes(item.module) && provided[item.module].includes(item.name)),
  )
  const wrong = module.imports.find(
    (item) =>
      item.kind === 0 &&
      !unknown.includes(item) &&
      !hasRightType(item.module, item.name, module.types[item.type]),
  )
  if (wrong) {
    throw new BuildError(
      `${name}: the module imports ${wrong.module}.${wrong.name} with another type than it has`,
    )
  }
  if (unknown.length === 0) return
  const names = unknown.map((item) => `${item.module}.${item.name}`)
  throw new UnsupportedError(
    `${name}: the module imports ${names.join(', ')}, which Faultline does not provide; ` +
      'it knows the functions of WASI preview 1 that need no files, and wasi.thread-spawn',
    names,
  )
}

function layoutOf(module: Module, standalone: Standalone, { memory, changed }: Instrumented): Layout {
  const { pages, maxPages, globals } = standalone
  return {
    // Compiled programs leave the first addresses unused; others may not.
    nullEnd: module.globalNames.includes('__stack_pointer') ? NULL_END : 0,
    stackStart: 0,
    stackEnd: 0,
    constantStart: 0,
    constantEnd: 0,
    dataStart: 0,
    dataEnd: 0,
    errno: 0,
    tls: { base: 0, size: 0, align: 16 },
    ...memory,
    own: { pages, maxPages, size: maxPages * 65536, globals, ...changed },
  }
}

async function placed(sites: readonly RawSite[], wasm: Uint8Array, module: Module): Promise<CodeSite[]> {
  const hasLines = module.custom.has('.debug_info') && module.custom.has('.debug_line')
  const frames: readonly (readonly Frame[])[] = hasLines
    ? await lines(sites, wasm, module)
    : sites.map(() => [])
  return describeSites(sites, frames, module.functionNames)
}

function lines(sites: readonly RawSite[], wasm: Uint8Array, module: Module): Promise<readonly Frame[][]> {
  const imported = module.imports.filter((item) => item.kind === 0 && item.module !== 'fl').length
  const places = sites.map(({ kind, offset, function: index }) => ({
    offset,
    limit: module.bodies[index - imported].end - 1 - module.codeStart,
    ahead: kind === 'loop',
  }))
  // Lines are a help to the reader, and debug information that is damaged no reason to give up.
  return locate(wasm, places, (file) => file).catch(() => sites.map(() => []))
}
