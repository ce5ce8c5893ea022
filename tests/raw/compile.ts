import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  type Artifact,
  buildModule,
  type WasmMachine,
  type WasmMachineOptions,
  wasmMachine,
} from '../../src/frontends/wasm/index.js'
import { cacheFolder, folderCache } from '../../src/frontends/wasm/toolchain/cache.js'
import { fileAt, putFile, runTool, type Tree } from '../../src/frontends/wasm/toolchain/clang.js'
import { BUILTINS, LIBRARY_PATHS } from '../../src/frontends/wasm/toolchain/flags.js'

export interface CompileOptions {
  readonly define?: readonly string[]
  readonly optimize?: string
  /** Lines and names, names of functions only, or nothing. */
  readonly debug?: 'lines' | 'names' | 'none'
  /** Further flags of the linker. */
  readonly link?: readonly string[]
}

const LIBRARY = 'tests/raw/pthread.c'

/**
 * A C program with the small pthread library of this folder, as an ordinary wasi-threads module: shared memory that is
 * imported, nothing of Faultline in it. Kept in the cache, since compiling takes seconds.
 */
export async function compile(file: string, options: CompileOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { define = [], optimize = '0', debug = 'lines', link = [] } = options
  const sources = [file, LIBRARY].map((name) => ({ name, text: readFileSync(name, 'utf8') }))
  const own = readFileSync(new URL(import.meta.url), 'utf8')
  const key = createHash('sha256')
    .update(JSON.stringify([options, sources, own]))
    .digest('hex')
  const cache = folderCache(cacheFolder())
  const known = await cache.read(`raw-${key}`)
  if (known) return Uint8Array.from(known.files[0])

  const tree: Tree = {}
  for (const { name, text } of sources) putFile(tree, `/src/${name}`, text)
  const objects: string[] = []
  for (const { name } of sources) {
    const object = `/unit-${objects.length}.o`
    const flags = [
      '--target=wasm32-wasip1',
      '-matomics',
      '-mbulk-memory',
      '-pthread',
      `-O${optimize}`,
      ...(debug === 'lines' ? ['-g'] : []),
      '-fmacro-prefix-map=/src/=',
      ...define.map((text) => `-D${text}`),
    ]
    await run('clang', [...flags, '-c', `/src/${name}`, '-o', object], tree)
    objects.push(object)
  }
  await run(
    'wasm-ld',
    [
      '-m',
      'wasm32',
      ...LIBRARY_PATHS,
      '--shared-memory',
      '--import-memory',
      '--max-memory=1048576',
      '--no-check-features',
      '-z',
      'stack-size=16384',
      ...(debug === 'none' ? ['--strip-all'] : []),
      ...link,
      '/usr/lib/wasm32-wasip1/crt1-command.o',
      ...objects,
      '-lc',
      BUILTINS,
      '-o',
      '/program.wasm',
    ],
    tree,
  )
  const wasm = Uint8Array.from(fileAt(tree, '/program.wasm')!)
  await cache.write(`raw-${key}`, { data: null, files: [wasm] })
  return wasm
}

async function run(tool: 'clang' | 'wasm-ld', args: readonly string[], tree: Tree): Promise<void> {
  const { ok, files, stderr } = await runTool(tool, args, tree)
  if (!ok) throw new Error(`${tool} failed:\n${stderr}`)
  Object.assign(tree, files)
}

/** The program as a machine of raw mode. */
export async function loadRaw(
  file: string,
  { machine = {}, ...options }: CompileOptions & { readonly machine?: WasmMachineOptions } = {},
): Promise<WasmMachine> {
  return wasmMachine(await buildRaw(file, options), machine)
}

/** The program, instrumented; that takes longer than compiling it. */
export async function buildRaw(file: string, options: CompileOptions = {}): Promise<Artifact> {
  return buildModule({ name: file.replace(/\.c$/, '.wasm'), wasm: await compile(file, options) })
}
