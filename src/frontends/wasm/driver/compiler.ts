import { chmod, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeBuilder, readUnit } from '../toolchain/builder.js'
import { userCache } from '../toolchain/cache.js'
import { isCxx } from '../toolchain/compile.js'
import { isCompiled, isLinkable, readCompiled } from '../toolchain/compiled-files.js'
import { BuildError, CompileError } from '../toolchain/errors.js'
import { launcherFor, writeExecutable } from '../toolchain/executable.js'
import { undefinedIn } from '../toolchain/imports.js'
import type { LinkedFile } from '../toolchain/link.js'
import type { Unit } from '../toolchain/objects.js'
import { preprocess } from '../toolchain/preprocess.js'
import { withUnwinding } from '../toolchain/unwinding.js'
import { type CompilerRequest, readRequest } from './arguments.js'

export interface DriverOptions {
  readonly cwd: string
  /** C++ also for files that are named as C, and for linking. */
  readonly cxx: boolean
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** A clang of the user's own; absent: the bundled one. */
  readonly cc: string | undefined
  /** Of the command, for programs that run themselves. */
  readonly script: string
}

const HELP = `Takes the place of the compiler in a build: makes objects, archives and programs for faultline check.
Options are those of clang; docs/projects.md shows builds by CMake, make and autoconf.
  faultline cc -c queue.c -o queue.o
  faultline cc queue.o test.c -o test && faultline check test
`

/** Compiles and links as build systems ask a compiler to. Throws a `BuildError` if that cannot be done. */
export async function driveCompiler(argv: readonly string[], options: DriverOptions): Promise<void> {
  const { cwd, out, err } = options
  const builder = await makeBuilder({ cc: options.cc, cwd, cache: userCache() })
  if (argv.some((arg) => /^(?:--version|-dumpversion|-dumpmachine|-print-.*|--print-.*)$/.test(arg))) {
    out(about(argv, builder.compiler))
    return
  }
  if (argv.includes('--help')) return out(HELP)
  const request = readRequest(argv, cwd)
  if (request.inputs.length === 0) {
    if (argv.includes('-v')) return err(`${about(['--version'], builder.compiler)}`)
    throw new BuildError('no input files: name sources, objects or archives, as for any compiler')
  }
  const files = request.inputs.flatMap((input) => (input.kind === 'file' ? [input.path] : []))
  const sources = files.filter((file) => !isCompiled(file))
  const flags = ['-O0', ...request.flags]
  // What else the program will be made of is not known yet.
  const units = withUnwinding(await Promise.all(sources.map((source) => readUnit(source, flags, cwd))), true)
  if (request.until === 'preprocess') {
    for (const unit of units) {
      const text = await preprocess(unit, cwd)
      if (request.output === undefined || request.output === '-') out(text)
      else await writeFile(path.resolve(cwd, request.output), text)
    }
    return
  }
  const { objects, warnings } = await builder.compile(units)
  if (warnings) err(warnings)
  await writeDependencies(request, units, cwd)
  if (request.until === 'compile') {
    if (request.output !== undefined && sources.length > 1) throw new BuildError('-o with several sources')
    for (const [i, source] of sources.entries()) {
      const target = request.output ?? path.basename(source).replace(/\.[^.]*$/, '.o')
      await writeFile(path.resolve(cwd, target), objects[i])
    }
    return
  }
  const made = new Map(sources.map((source, i) => [source, { name: source, content: objects[i] }]))
  const user = await linkInputs(request, made, cwd)
  const linked = await builder.link(user, options.cxx || sources.some(isCxx))
  if (linked.warnings) err(linked.warnings)
  const missing = undefinedIn(linked.wasm)
  if (missing !== '') throw new CompileError(missing, 'link')
  const target = path.resolve(cwd, request.output ?? 'a.out')
  const launcher = launcherFor(process.execPath, options.script)
  const inputs = user.map(({ name }) => name)
  await writeFile(target, writeExecutable({ linked, inputs, compiler: builder.compiler }, launcher))
  await chmod(target, 0o755)
}

/** Build systems look for the name and version of the compiler that they know. */
function about(argv: readonly string[], compiler: string): string {
  const version = /\d+(?:\.\d+)*/.exec(compiler)?.[0] ?? '0'
  if (argv.includes('-dumpversion')) return `${version}\n`
  if (argv.includes('-dumpmachine')) return 'wasm32-unknown-wasip1\n'
  if (!argv.includes('--version')) return '\n'
  return `clang version ${version} (Faultline)\nTarget: wasm32-unknown-wasip1\nThread model: posix\n`
}

/** What the linker is given, in the order asked for. */
async function linkInputs(
  { inputs, libraryFolders }: CompilerRequest,
  made: ReadonlyMap<string, LinkedFile>,
  cwd: string,
): Promise<LinkedFile[]> {
  const files: LinkedFile[] = []
  for (const input of inputs) {
    const name = input.kind === 'file' ? input.path : await findLibrary(input.name, libraryFolders, cwd)
    if (name === undefined) continue
    const [file] = made.has(name) ? [made.get(name)!] : await readCompiled([name], cwd)
    if (!isLinkable(file.content)) {
      throw new BuildError(
        `${name}: this is no object of faultline cc and no archive of them; build it with faultline cc, c++ and ar`,
      )
    }
    files.push(file)
  }
  return files
}

/** Libraries that are there anyway. */
const PROVIDED = /^(?:pthread|m|rt|c|stdc\+\+|c\+\+|c\+\+abi|dl|atomic|gcc|gcc_s|util)$/

async function findLibrary(
  name: string,
  folders: readonly string[],
  cwd: string,
): Promise<string | undefined> {
  for (const folder of folders) {
    const file = path.join(folder, `lib${name}.a`)
    const found = await stat(path.resolve(cwd, file)).catch(() => undefined)
    if (found?.isFile()) return file
  }
  if (PROVIDED.test(name)) return undefined
  throw new BuildError(
    `cannot find -l${name}: libraries have to be built with faultline cc too; -L says where lib${name}.a is`,
  )
}

/** A rule for make: all that the sources may include. */
async function writeDependencies(
  { dependencies, output }: CompilerRequest,
  units: readonly Unit[],
  cwd: string,
): Promise<void> {
  if (dependencies === undefined) return
  for (const { set } of units) {
    const [{ display }] = set.units
    const object = output ?? path.basename(display).replace(/\.[^.]*$/, '.o')
    const file = dependencies.file ?? object.replace(/\.[^./]*$/, '.d')
    const names = [display, ...set.files.map((f) => f.display).filter((name) => name !== display)]
    const escaped = names.map((name) => name.replaceAll(/[ #]/g, '\\$&').replaceAll('$', '$$$$'))
    const text = `${dependencies.target ?? object}: ${escaped.join(' \\\n  ')}\n`
    await writeFile(path.resolve(cwd, file), text)
  }
}
