import { replaceable, wrapped } from '../provided-calls.js'
import { ASSUMPTIONS } from '../rewrite/assumptions.js'
import { namesAtomicFunctions, SECTION_MARKS } from '../rewrite/atomic-functions.js'
import { decodeModule } from '../rewrite/decode-module.js'
import { REPLACEMENT_PREFIX } from '../rewrite/instrument.js'
import { definedFunctions, hasExceptions } from '../rewrite/object-symbols.js'
import { isNeedless, ofExceptions } from '../runtime-calls.js'
import { archiveMembers, isArchive } from './archive.js'
import { fileAt, putFile, type RunTool, runTool, type ToolResult, type Tree } from './clang.js'
import { CompileError } from './errors.js'
import { BUILTINS, EMULATION_LIBRARIES, LIBRARY_PATHS, STACK_SIZE } from './flags.js'
import { type LinkMap, parseLinkMap } from './linkmap.js'
import type { RuntimePart } from './runtime.js'

export interface Linked {
  readonly wasm: Uint8Array
  /** What the linker warned of, with the user's names of objects. */
  readonly warnings: string
  readonly map: LinkMap
  /** As the linker wrote it. */
  readonly mapText: string
  /** Whether an object of the map is one of the user's. */
  readonly isUserObject: (object: string) => boolean
}

/** An object file or an archive of them. */
export interface LinkedFile {
  /** What the user calls it. */
  readonly name: string
  readonly content: Uint8Array
}

export interface LinkInput {
  readonly user: readonly LinkedFile[]
  /** The object of a part of the runtime. */
  readonly runtime: (part: RuntimePart) => Promise<Uint8Array>
  /** Some of it was written in C++; of objects compiled elsewhere that shows by itself. */
  readonly cxx?: boolean
  /** The bundled tools unless given. */
  readonly run?: RunTool
}

const USER_PREFIX = 'user-'

export function linkedFrom(wasm: Uint8Array, mapText: string, warnings: string): Linked {
  return {
    wasm,
    warnings,
    mapText,
    map: parseLinkMap(mapText),
    isUserObject: (object) => object.startsWith(USER_PREFIX),
  }
}

/** Links user objects, the runtime and the libraries; what stays undefined becomes an import. */
export async function link({ user, runtime, cxx = false, run = runTool }: LinkInput): Promise<Linked> {
  const tree: Tree = {}
  const put = (name: string, object: Uint8Array) => {
    putFile(tree, name, object)
    return name
  }
  const files = user.map(({ content }, i) =>
    put(`${USER_PREFIX}${i}.${isArchive(content) ? 'a' : 'o'}`, content),
  )
  const objects = user.flatMap(objectsIn)
  const called = undefinedFunctions(objects)
  const own = new Set(objects.flatMap(definedFunctions))
  const needsCxx =
    cxx || called.some(isOfCxx) || objects.some((object) => Buffer.from(object).includes('_ZTV'))
  const throws = needsCxx && objects.some(hasExceptions)
  const parts: RuntimePart[] = [
    'base',
    ...(throws ? (['exceptions'] as const) : []),
    ...(called.some(isOfJumps) ? (['jumps'] as const) : []),
    ...(called.some(isSending) ? (['waits'] as const) : []),
  ]
  const runtimeFiles = await Promise.all(
    parts.map(async (part) => put(`runtime-${part}.o`, await runtime(part))),
  )
  const args = [
    '-m',
    'wasm32',
    ...LIBRARY_PATHS,
    '--no-entry',
    '--import-undefined',
    '--export-table',
    // Exported, or the linker would call the constructors before every exported function.
    '--export=__wasm_call_ctors',
    '--stack-first',
    '-z',
    `stack-size=${STACK_SIZE}`,
    ...wrapped
      .filter((name) => !(replaceable.has(name) && own.has(name)) && !isNeedless(name, called))
      .map((name) => `--wrap=${name}`),
    ...(throws ? ofExceptions.map((name) => `--wrap=${name}`) : []),
    // Kept for the rewriter, which puts them in the place of the library's functions.
    // libc may know a function by another name of its own.
    ...[...called, ...ASSUMPTIONS.filter((name) => own.has(name))]
      .flatMap((name) => [name, `__${name}`])
      .map((name) => `--export-if-defined=${REPLACEMENT_PREFIX}${name}`),
    ...(objects.some(namesAtomicFunctions) ? SECTION_MARKS.map((name) => `--export-if-defined=${name}`) : []),
    '-Map=link.map',
    ...files,
    ...runtimeFiles,
    ...(needsCxx ? ['-lc++', '-lc++abi'] : []),
    ...EMULATION_LIBRARIES,
    '-lc',
    BUILTINS,
    '-o',
    'linked.wasm',
  ]
  const { ok, files: made, stderr } = await linkPreferringUser(args, tree, run)
  const wasm = ok ? fileAt(made, 'linked.wasm') : undefined
  const map = fileAt(made, 'link.map')
  const diagnostics = withoutNamesakes(stderr, own).replace(
    /\buser-(\d+)\.[oa]\b/g,
    (text, index) => user[Number(index)]?.name ?? text,
  )
  if (!wasm || !map) throw new CompileError(diagnostics, 'link')
  const linked = linkedFrom(wasm, new TextDecoder().decode(map), diagnostics)
  requireOwnCopies(linked, user)
  return linked
}

/**
 * A function of the user's may be called like one of the library, as on other machines: lists have a `remove`. The linker
 * takes that for a mistake once the library's file with the other one is needed for something else; then the user's, which
 * comes first, is to be kept. What is defined twice among the user's own files stays an error.
 */
async function linkPreferringUser(args: readonly string[], tree: Tree, run: RunTool): Promise<ToolResult> {
  const first = await linkOnce(args, tree, run)
  if (first.ok || !areOnlyTakenFromLibrary(first.stderr)) return first
  return linkOnce(['--allow-multiple-definition', ...args], tree, run)
}

async function linkOnce(args: readonly string[], tree: Tree, run: RunTool): Promise<ToolResult> {
  const first = await run('wasm-ld', args, tree)
  // Linkers of other versions crash on some of what the bundled one takes, and older ones know fewer options.
  const cannot = !first.ok && run !== runTool && /Stack dump:|error: unknown argument: /.test(first.stderr)
  return cannot ? runTool('wasm-ld', args, tree) : first
}

/** Whether the linker complains of nothing but names that both the user and libc define. */
function areOnlyTakenFromLibrary(stderr: string): boolean {
  const errors = stderr.match(/^.*\berror: /gm) ?? []
  const duplicates =
    /\berror: duplicate symbol: \S+\n>>> defined in user-\d+\.\S+\n>>> defined in \S*\blibc\.a\(/g
  return errors.length > 0 && errors.length === (stderr.match(duplicates) ?? []).length
}

/** Without the warnings that a function of the user's has another type than the one of libc whose name it has: nobody calls that. */
function withoutNamesakes(stderr: string, own: ReadonlySet<string>): string {
  const mismatch = /^.*warning: function signature mismatch: (\S+)\n(?:>>> .*\n?)*\n*/gm
  const ofOurs = /^>>> defined as .* in (?:runtime-\w+\.o|\S*\blibc\.a\(.*)$/m
  return stderr.replace(mismatch, (text, name) => (own.has(name) && ofOurs.test(text) ? '' : text))
}

/**
 * What the library's headers have compiled into the program is instrumented. A function that the library has compiled
 * under the same name would take its place unless that is prevented (`runtime/include/__config`), and what it accesses
 * would not be seen.
 */
function requireOwnCopies({ map, isUserObject }: Linked, user: readonly LinkedFile[]): void {
  const kept = new Set(map.functions.flatMap(({ object, symbol }) => (isUserObject(object) ? [symbol] : [])))
  const own = user.flatMap(({ content }) => (isArchive(content) ? [] : definedFunctions(content)))
  const lost = new Set(own.filter((name) => /^_ZN?K?St/.test(name) && !kept.has(name)))
  const taken = map.functions.find(({ object, symbol }) => !isUserObject(object) && lost.has(symbol))
  if (taken) throw new Error(`${taken.symbol} was replaced by ${taken.object} at linking; please report this`)
}

function objectsIn({ name, content }: LinkedFile): Uint8Array[] {
  return isArchive(content) ? archiveMembers(content, name).map((member) => member.content) : [content]
}

/** Whether only a library of C++ can have the function. */
function isOfCxx(name: string): boolean {
  return /^(?:_Z|__cxa_|__gxx_)/.test(name)
}

/** Whether the compiler calls it for `setjmp` or `longjmp`. */
function isOfJumps(name: string): boolean {
  return /^__wasm_(?:setjmp|longjmp)/.test(name)
}

/** Whether it sends signals. */
function isSending(name: string): boolean {
  return name === 'pthread_kill' || name === 'kill' || name === 'raise'
}

/** Functions that the objects call and do not define: object files hold them as imports. */
function undefinedFunctions(objects: readonly Uint8Array[]): string[] {
  const names = objects.flatMap((object) =>
    decodeModule(object).imports.flatMap((item) => (item.kind === 0 ? [item.name] : [])),
  )
  return [...new Set(names)]
}
