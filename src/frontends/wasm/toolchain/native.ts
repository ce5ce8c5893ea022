import { type ExecFileOptions, execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { makeFolder } from '../../make-folder.js'
import type { RunTool, ToolResult, Tree } from './clang.js'
import { type CompiledUnit, DEBUG_PATHS, INSTRUMENTED, isCxx } from './compile.js'
import { BuildError } from './errors.js'
import { isOptimised, WITH_REFERENCES } from './flags.js'
import { seeingAll } from './hidden-accesses.js'
import { type Run, seeingArguments } from './passed-structures.js'
import type { RuntimeFile } from './runtime.js'
import type { SourceFile } from './sources.js'

/** Asked for its module where it is used, which few do. */
const run = (program: string, args: readonly string[], options: ExecFileOptions = {}) =>
  promisify(execFile)(program, args, { ...options, encoding: 'utf8' })

export interface NativeTools {
  /** Undefined if the compiler is too old for exceptions: before clang 20. */
  compile(unit: SourceFile, flags: readonly string[]): Promise<CompiledUnit | undefined>
  /** Runs the linker and symbolizer installed beside the compiler; undefined unless there are both. */
  run(): Promise<RunTool | undefined>
}

/**
 * A clang of the user's own, which is faster than the bundled one. It uses the headers and libraries that come
 * with the bundled compiler, unpacked once. Its output is linked by its own linker if it has one, else as usual.
 */
export function nativeTools(options: NativeOptions): NativeTools {
  const prepared = prepare(options)
  return {
    async run() {
      const [linker, symbolizer] = await Promise.all(
        ['wasm-ld', 'llvm-symbolizer'].map((name) => programOf(options.command, name)),
      )
      if (linker === undefined || symbolizer === undefined) return undefined
      const { sysroot } = await prepared
      return (tool, args, files, input) =>
        runNative(tool === 'symbolizer' ? symbolizer : linker, args, files, input, sysroot)
    },
    async compile(unit, flags) {
      const run: Run<CompiledUnit> = (input, llvm) => compileWith(input, flags, llvm)
      const isPlain = isCxx(unit.path) && !isOptimised(flags)
      const compiled = await seeingAll([unit], async (hides) =>
        isPlain && !hides ? run(['-c', unit.display]) : seeingArguments(unit.display, run, hides),
      )
      return isUnknown(compiled, WITH_REFERENCES) ? undefined : compiled
    },
  }

  /** What comes of it is the object, or whatever else was asked for. Reads that code, if it is given. */
  async function compileWith(
    input: readonly string[],
    flags: readonly string[],
    llvm?: Uint8Array,
  ): Promise<CompiledUnit> {
    const { sysroot, overlay } = await prepared
    const folder = await mkdtemp(path.join(tmpdir(), 'faultline-'))
    const object = path.join(folder, 'unit.o')
    const written = path.join(folder, 'unit.llvm')
    if (llvm) await writeFile(written, llvm)
    const args = [
      ...INSTRUMENTED,
      `--sysroot=${sysroot}`,
      '-isystem',
      overlay,
      DEBUG_PATHS,
      ...flags,
      ...input,
      ...(llvm ? [written] : []),
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
  }
}

function isUnknown({ object, diagnostics }: CompiledUnit, flag: string): boolean {
  return object === undefined && diagnostics.includes(`Unknown command line argument '${flag}'`)
}

/** The program of that name which a compiler would use itself. */
async function programOf(command: string, name: string): Promise<string | undefined> {
  const found = await run(command, [`--print-prog-name=${name}`]).catch(() => ({ stdout: '' }))
  const file = found.stdout.trim()
  return path.isAbsolute(file) ? file : undefined
}

/** The tool in a folder of its own that holds the files; libraries are where they were unpacked. */
async function runNative(
  program: string,
  args: readonly string[],
  files: Tree,
  input: string | undefined,
  sysroot: string,
): Promise<ToolResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'faultline-'))
  try {
    for (const [name, content] of Object.entries(files)) {
      await writeFile(path.join(folder, name), content as Uint8Array)
    }
    const here = args.map((arg) => arg.replace(/^(-L)?\/usr\/lib\//, `$1${sysroot}/lib/`))
    const child = execFile(program, here, { cwd: folder, maxBuffer: 1 << 28 })
    const stdout = text(child.stdout!)
    const stderr = text(child.stderr!)
    child.stdin?.end(input ?? '')
    const code = await new Promise<number>((done, fail) => {
      child.on('error', fail)
      child.on('close', (status) => done(status ?? 1))
    })
    const after: Tree = { ...files }
    for (const name of await readdir(folder)) {
      if (!(name in files)) after[name] = Uint8Array.from(await readFile(path.join(folder, name)))
    }
    return { ok: code === 0, files: after, stdout: await stdout, stderr: await stderr }
  } finally {
    await rm(folder, { recursive: true, force: true })
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
    // Of headers only libc and libc++: the compiler brings its own of the other kind.
    if (/^include\/(?:wasm32-wasip1|c\+\+)\/|^lib\/.*\.a$/.test(name))
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
  const field = (at: number, length: number) =>
    Buffer.from(bytes.subarray(at, at + length))
      .toString('utf8')
      .replace(/\0.*$/s, '')
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const prefix = field(at + 257, 5) === 'ustar' ? field(at + 345, 155) : ''
    const name = `${prefix ? `${prefix}/` : ''}${field(at, 100)}`.replace(/^\.\//, '')
    const size = Number.parseInt(field(at + 124, 12).trim() || '0', 8)
    const type = bytes[at + 156]
    if (type === 0 || type === 0x30) yield { name, content: bytes.subarray(at + BLOCK, at + BLOCK + size) }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

/** Names under which a clang may be on the path, newest first. */
const NAMES = ['clang', ...[22, 21, 20, 19, 18, 17].map((version) => `clang-${version}`)]

/** A clang on the path that compiles what programs are compiled to here. */
export async function findNative(): Promise<
  { command: string; version: string; isWhole: boolean } | undefined
> {
  for (const command of NAMES) {
    const version = await nativeVersion(command).catch(() => undefined)
    if (version === undefined) continue
    const folder = await mkdtemp(path.join(tmpdir(), 'faultline-'))
    try {
      const source = path.join(folder, 'try.c')
      await writeFile(source, 'int x;\nint f(void) { return __atomic_fetch_add(&x, 1, 5); }\n')
      await run(command, [...INSTRUMENTED, '-c', source, '-o', path.join(folder, 'try.o')])
      const programs = await Promise.all(
        ['wasm-ld', 'llvm-symbolizer'].map((name) => programOf(command, name)),
      )
      return {
        command,
        version: version.split('\n')[0],
        isWhole: programs.every((program) => program !== undefined),
      }
    } catch {
      // It does not know the target or a flag.
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return undefined
}
