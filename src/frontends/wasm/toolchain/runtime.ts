import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fileAt, putFile, runTool, type Tree } from './clang.js'
import { EXCEPTIONS, RUNTIME } from './flags.js'

/** A file of the package's `runtime` folder. */
export interface RuntimeFile {
  readonly name: string
  readonly content: Uint8Array
}

export interface RuntimeFiles {
  /** `runtime/*.c` and `runtime/*.h`. */
  readonly sources: readonly RuntimeFile[]
  /** `runtime/exceptions`, `runtime/jumps` and `runtime/waits`: linked into programs that need them. */
  readonly exceptions: readonly RuntimeFile[]
  readonly jumps: readonly RuntimeFile[]
  readonly waits: readonly RuntimeFile[]
  /** `runtime/include`: headers that come before those of the system. */
  readonly headers: readonly RuntimeFile[]
}

const PACKAGE = fileURLToPath(new URL('../../../../', import.meta.url))
const FOLDER = `${PACKAGE}runtime/`

let runtime: RuntimeFiles | undefined

/** Reads them once: a process may build many programs, mostly from its cache. */
export function readRuntime(): RuntimeFiles {
  runtime ??= readAll()
  return runtime
}

function readAll(): RuntimeFiles {
  const isSource = (name: string) => name.endsWith('.c') || name.endsWith('.h')
  return {
    sources: readFolder(FOLDER, isSource),
    exceptions: readFolder(`${FOLDER}exceptions/`, isSource),
    jumps: readFolder(`${FOLDER}jumps/`, isSource),
    waits: readFolder(`${FOLDER}waits/`, isSource),
    headers: readFolder(`${FOLDER}include/`, () => true),
  }
}

function readFolder(folder: string, wanted: (name: string) => boolean): RuntimeFile[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: folder.endsWith('include/') })
  const names = entries
    .filter((entry) => entry.isFile() && wanted(entry.name))
    .map((entry) =>
      `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').slice(folder.length).replace(/^\/+/, ''),
    )
    .sort()
  return names.map((name) => ({ name, content: readFileSync(folder + name) }))
}

export const RUNTIME_PARTS = ['base', 'exceptions', 'jumps', 'waits'] as const
export type RuntimePart = (typeof RUNTIME_PARTS)[number]

/**
 * Compiles `runtime/*.c`, or those of the folder of a part, uninstrumented, to one object. They are compiled as one unit,
 * which is several times faster than each alone: their static names must differ.
 */
export async function compileRuntime(runtime: RuntimeFiles, part: RuntimePart): Promise<Uint8Array> {
  const { sources, headers } = runtime
  const tree: Tree = {}
  for (const file of sources) putFile(tree, `/runtime/${file.name}`, file.content)
  const own = part === 'base' ? [] : runtime[part].map((file) => ({ ...file, name: `${part}/${file.name}` }))
  for (const file of own) putFile(tree, `/runtime/${file.name}`, file.content)
  for (const file of headers) putFile(tree, `/runtime/include/${file.name}`, file.content)
  const names = (part === 'base' ? sources : own)
    .map((file) => file.name)
    .filter((name) => name.endsWith('.c'))
  putFile(tree, '/runtime.c', names.map((name) => `#include "/runtime/${name}"\n`).join(''))
  const flags = part === 'base' ? RUNTIME : [...RUNTIME, ...EXCEPTIONS, '-I/runtime']
  const args = [...flags, '-isystem', '/runtime/include', '-c', '/runtime.c', '-o', '/runtime.o']
  const { ok, files, stderr } = await runTool('clang', args, tree)
  const object = ok ? fileAt(files, 'runtime.o') : undefined
  if (!object) throw new Error(`Faultline's own runtime does not compile; please report this\n${stderr}`)
  return object
}

/** Where `npm run build` puts the compiled runtime: a package brings it along, so that nobody waits for it. */
export function preparedRuntime(key: string): string {
  return `${PACKAGE}dist/runtime/${key}.o`
}
