import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../../make-folder.js'
import { type Compiler, DEBUG_PATHS, INSTRUMENTED } from './compile.js'
import { BuildError } from './errors.js'
import type { RuntimeFile } from './runtime.js'

const run = promisify(execFile)

/**
 * A clang of the user's own, which is many times faster than the bundled one. It uses the headers that come with the
 * bundled compiler, unpacked once, and its output is linked as usual.
 */
export function nativeCompiler(options: NativeOptions): Compiler {
  const prepared = prepare(options)
  return {
    async compile(unit, flags) {
      const { sysroot, overlay } = await prepared
      const folder = await mkdtemp(path.join(tmpdir(), 'faultline-'))
      const object = path.join(folder, 'unit.o')
      const args = [
        ...INSTRUMENTED,
        `--sysroot=${sysroot}`,
        '-isystem',
        overlay,
        DEBUG_PATHS,
        ...flags,
        '-c',
        unit.display,
        '-o',
        object,
      ]
      try {
        const { stderr } = await run(options.command, args, { cwd: options.cwd, maxBuffer: 1 << 26 })
        return { object: await readFile(object), diagnostics: stderr }
      } catch (error) {
        const { stderr, code } = error as { stderr?: string; code?: unknown }
        if (typeof code !== 'number') throw cannotRun(options.command, error)
        return { object: undefined, diagnostics: stderr ?? '' }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

export interface NativeOptions {
  /** Name or path of the compiler. */
  readonly command: string
  readonly cwd: string
  readonly headers: readonly RuntimeFile[]
  /** Where to unpack headers; kept. */
  readonly folder: string
  /** Changes when the headers do. */
  readonly key: string
}

/** What the compiler says of itself: part of the cache key. */
export async function nativeVersion(command: string): Promise<string> {
  try {
    return (await run(command, ['--version'])).stdout
  } catch (error) {
    throw cannotRun(command, error)
  }
}

function cannotRun(command: string, error: unknown): BuildError {
  return new BuildError(`the compiler ${command} cannot be run: ${(error as Error).message.split('\n')[0]}`)
}

/** Unpacks the headers under another name and renames, so that two builds at once do not meet half of them. */
async function prepare({
  folder,
  key,
  headers,
}: NativeOptions): Promise<{ sysroot: string; overlay: string }> {
  const home = path.join(folder, `headers-${key}`)
  const result = { sysroot: path.join(home, 'sysroot'), overlay: path.join(home, 'overlay') }
  if (await exists(home)) return result
  makeFolder(folder)
  const temporary = await mkdtemp(path.join(folder, 'headers-'))
  for (const { name, content } of headers) await put(path.join(temporary, 'overlay', name), content)
  const archive = path.join(
    path.dirname(createRequire(import.meta.url).resolve('@yowasp/clang')),
    'llvm-resources.tar',
  )
  for (const { name, content } of untar(await readFile(archive))) {
    // Only libc and libc++: the compiler brings its own headers of the other kind.
    if (/^include\/(?:wasm32-wasip1|c\+\+)\//.test(name))
      await put(path.join(temporary, 'sysroot', name), content)
  }
  await rename(temporary, home).catch(async (error) => {
    await rm(temporary, { recursive: true, force: true })
    if (!(await exists(home))) throw error
  })
  return result
}

async function put(file: string, content: Uint8Array): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, content)
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

const BLOCK = 512

/** The plain files of a tar archive. */
export function* untar(bytes: Uint8Array): Generator<{ name: string; content: Uint8Array }> {
  const text = (at: number, length: number) =>
    Buffer.from(bytes.subarray(at, at + length))
      .toString('utf8')
      .replace(/\0.*$/s, '')
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const prefix = text(at + 257, 5) === 'ustar' ? text(at + 345, 155) : ''
    const name = `${prefix ? `${prefix}/` : ''}${text(at, 100)}`.replace(/^\.\//, '')
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8)
    const type = bytes[at + 156]
    if (type === 0 || type === 0x30) yield { name, content: bytes.subarray(at + BLOCK, at + BLOCK + size) }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}
