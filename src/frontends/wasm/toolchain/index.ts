import path from 'node:path'
import type { Artifact, BuildInfo } from '../artifact.js'
import { withCommonVariables } from '../rewrite/common-variables.js'
import { decodeModule } from '../rewrite/decode-module.js'
import { hasExceptions } from '../rewrite/object-symbols.js'
import { makeBuilder, readUnit } from './builder.js'
import { type Cache, userCache } from './cache.js'
import { isCxx } from './compile.js'
import { isCompiled, isLinkable, readCompiled } from './compiled-files.js'
import { BuildError } from './errors.js'
import { readExecutable } from './executable.js'
import { finish } from './finish.js'
import type { Linked } from './link.js'
import { withSignals } from './signals.js'
import { type SourceSet, union } from './sources.js'
import { withUnwinding } from './unwinding.js'

export * from './errors.js'

export interface BuildOptions {
  /** C or C++ sources, objects, archives or one linked program, relative to `cwd` or absolute. */
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
  /** Flags of single sources, before those of all. */
  readonly unitFlags?: Readonly<Record<string, readonly string[]>>
  /** A clang of the user's own, by name or path; absent: the bundled one. */
  readonly cc?: string
  /** C++ is compiled with exceptions whether or not its text asks for them. */
  readonly exceptions?: boolean
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
  const flagsOf = (source: string) => [...(options.unitFlags?.[source] ?? []), ...flags]
  const written = options.sources.filter((source) => !isCompiled(source))
  const [read, compiled, builder] = await Promise.all([
    Promise.all(written.map((source) => readUnit(source, flagsOf(source), cwd))),
    readCompiled(options.sources.filter(isCompiled), cwd),
    makeBuilder({ cc: options.cc, cwd, cache }),
  ])
  const units = withUnwinding(
    withSignals(read),
    options.exceptions === true || compiled.some(({ content }) => hasExceptions(content)),
  )
  const set = union(units.map((unit) => unit.set))
  const hasCommon = options.flags?.includes(COMMON) ?? false
  const hash = builder.keyOf(
    set,
    [...flags, ...(hasCommon ? [COMMON] : []), ...units.flatMap((unit) => unit.flags)],
    compiled,
  )
  const known = await cache.read(hash)
  if (known) return fromCache(known.data as StoredArtifact, known.files[0])

  const progress = options.onProgress ?? (() => {})
  const { linked, warnings, compiler } = await linkedProgram()
  progress('instrumenting')
  const info: BuildInfo = {
    sources: options.sources,
    flags,
    compiler,
    warnings: warnings + linked.warnings,
    cached: false,
  }
  const artifact: Artifact = {
    ...(await finish(linked, { names: options.sources, set, cwd, run: builder.run })),
    hash,
    build: info,
  }
  const { wasm, ...stored } = artifact
  await cache.write(hash, { data: stored, files: [wasm] })
  return artifact

  async function linkedProgram() {
    const executable = compiled.find(({ content }) => !isLinkable(content))
    if (executable) {
      refuseOthers(options.sources, executable.name)
      return { warnings: '', ...readExecutable(executable.content, executable.name) }
    }
    progress('compiling')
    if (isSurelyLarge(set)) return compiledAndLinked([LIBRARY_CALLS])
    const first = await compiledAndLinked([])
    if (!isAnyCxx(written) || largestFunction(first.linked) <= LARGEST_INLINED) return first
    progress('compiling again, with library functions kept apart')
    return compiledAndLinked([LIBRARY_CALLS])
  }

  async function compiledAndLinked(more: readonly string[]) {
    const { objects, warnings } = await builder.compile(
      units.map((unit) => ({ ...unit, flags: [...unit.flags, ...more] })),
    )
    progress('linking')
    const contents = hasCommon ? objects.map(withCommonVariables) : objects
    const user = [
      ...set.units.map(({ display }, i) => ({ name: display, content: contents[i] })),
      ...compiled,
    ]
    const linked = await builder.link(user, isAnyCxx(written))
    return { warnings, linked, compiler: builder.compiler }
  }
}

function isAnyCxx(sources: readonly string[]): boolean {
  return sources.some(isCxx)
}

/** A program that was linked brings all it needs. */
function refuseOthers(sources: readonly string[], executable: string): void {
  if (sources.length === 1) return
  const others = sources.filter((source) => source !== executable)
  throw new BuildError(`${executable} is a whole program: leave out ${others.join(', ')}, or name objects`)
}

/** Definitions without a value that several units share. The compiler would crash; the linker is told instead. */
const COMMON = '-fcommon'

/**
 * Bytes of a function of the user's, before instrumentation makes it nine times as large, up to which library code may
 * be inlined into it. The engine's optimising compiler takes half a second for one of 5 000, several for one of 10 000
 * (which `compile-module.ts` therefore keeps from it) and 40 seconds for one of 27 000; its baseline compiler takes
 * gigabytes for one of 46 000, and refuses one of 170 000.
 */
const LARGEST_INLINED = 26_000

/**
 * Headers whose templates, inlined, make functions larger than that in any program: the compiler takes minutes to find out,
 * and seconds otherwise. Programs that bring so much text of their own mostly do the same.
 */
const LARGE_HEADERS = /^[ \t]*#[ \t]*include[ \t]*<(?:format|print|regex)>/m
const LARGE_TEXT = 400_000

function isSurelyLarge({ units, files }: SourceSet): boolean {
  if (!units.some(({ path }) => isCxx(path))) return false
  const size = files.reduce((sum, { content }) => sum + content.length, 0)
  return (
    size > LARGE_TEXT || files.some(({ content }) => LARGE_HEADERS.test(new TextDecoder().decode(content)))
  )
}

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
export function compilerFlags(options: BuildOptions): string[] {
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
