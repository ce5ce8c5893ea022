import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fileAt, putFile, runTool, type Tree } from './clang.js'
import { RUNTIME } from './flags.js'

/** A file of the package's `runtime` folder. */
export interface RuntimeFile {
  readonly name: string
  readonly content: Uint8Array
}

export interface RuntimeFiles {
  /** `runtime/*.c` and `runtime/*.h`. */
  readonly sources: readonly RuntimeFile[]
  /** `runtime/include`: headers that come before those of the system. */
  readonly headers: readonly RuntimeFile[]
}

const PACKAGE = fileURLToPath(new URL('../../../../', import.meta.url))
const FOLDER = `${PACKAGE}runtime/`

export async function readRuntime(): Promise<RuntimeFiles> {
  const [sources, headers] = await Promise.all([
    readFolder(FOLDER, (name) => name.endsWith('.c') || name.endsWith('.h')),
    readFolder(`${FOLDER}include/`, () => true),
  ])
  return { sources, headers }
}

async function readFolder(folder: string, wanted: (name: string) => boolean): Promise<RuntimeFile[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: folder.endsWith('include/') })
  const names = entries
    .filter((entry) => entry.isFile() && wanted(entry.name))
    .map((entry) =>
      `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').slice(folder.length).replace(/^\/+/, ''),
    )
    .sort()
  return Promise.all(names.map(async (name) => ({ name, content: await readFile(folder + name) })))
}

/**
 * Compiles `runtime/*.c`, uninstrumented, to one object. They are compiled as one unit, which is several times faster
 * than each alone: their static names must differ.
 */
export async function compileRuntime({ sources, headers }: RuntimeFiles): Promise<Uint8Array> {
  const tree: Tree = {}
  for (const file of sources) putFile(tree, `/runtime/${file.name}`, file.content)
  for (const file of headers) putFile(tree, `/runtime/include/${file.name}`, file.content)
  const names = sources.map((file) => file.name).filter((name) => name.endsWith('.c'))
  putFile(tree, '/runtime.c', names.map((name) => `#include "/runtime/${name}"\n`).join(''))
  const args = [...RUNTIME, '-isystem', '/runtime/include', '-c', '/runtime.c', '-o', '/runtime.o']
  const { ok, files, stderr } = await runTool('clang', args, tree)
  const object = ok ? fileAt(files, 'runtime.o') : undefined
  if (!object) throw new Error(`Faultline's own runtime does not compile; please report this\n${stderr}`)
  return object
}

/** Where `npm run build` puts the compiled runtime: a package brings it along, so that nobody waits for it. */
export function preparedRuntime(key: string): string {
  return `${PACKAGE}dist/runtime/${key}.o`
}
