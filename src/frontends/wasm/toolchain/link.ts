import { replaceable, wrapped } from '../provided-calls.js'
import { namesAtomicFunctions, SECTION_MARKS } from '../rewrite/atomic-functions.js'
import { decodeModule } from '../rewrite/decode-module.js'
import { REPLACEMENT_PREFIX } from '../rewrite/instrument.js'
import { definedFunctions } from '../rewrite/object-symbols.js'
import { fileAt, putFile, runTool, type Tree } from './clang.js'
import { CompileError } from './errors.js'
import { BUILTINS, EMULATION_LIBRARIES, LIBRARY_PATHS, STACK_SIZE } from './flags.js'
import { type LinkMap, parseLinkMap } from './linkmap.js'

export interface Linked {
  readonly wasm: Uint8Array
  /** What the linker warned of, with the user's names of objects. */
  readonly warnings: string
  readonly map: LinkMap
  /** Whether an object of the map is one of the user's. */
  readonly isUserObject: (object: string) => boolean
}

export interface LinkInput {
  readonly user: readonly Uint8Array[]
  /** What the user calls each of these. */
  readonly names: readonly string[]
  readonly runtime: Uint8Array
  readonly cxx: boolean
}

const USER_PREFIX = 'user-'

/** Links user objects, the runtime and the libraries; what stays undefined becomes an import. */
export async function link({ user, names, runtime, cxx }: LinkInput): Promise<Linked> {
  const tree: Tree = {}
  const put = (name: string, object: Uint8Array) => {
    putFile(tree, name, object)
    return name
  }
  const objects = [...user.map((object, i) => put(`${USER_PREFIX}${i}.o`, object)), put('runtime.o', runtime)]
  const called = undefinedFunctions(user)
  const own = new Set(user.flatMap(definedFunctions))
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
    ...wrapped.filter((name) => !(replaceable.has(name) && own.has(name))).map((name) => `--wrap=${name}`),
    // Kept for the rewriter, which puts them in the place of the library's functions.
    // libc may know a function by another name of its own.
    ...called
      .flatMap((name) => [name, `__${name}`])
      .map((name) => `--export-if-defined=${REPLACEMENT_PREFIX}${name}`),
    ...(user.some(namesAtomicFunctions) ? SECTION_MARKS.map((name) => `--export-if-defined=${name}`) : []),
    '-Map=link.map',
    ...objects,
    ...(cxx ? ['-lc++', '-lc++abi'] : []),
    ...EMULATION_LIBRARIES,
    '-lc',
    BUILTINS,
    '-o',
    'linked.wasm',
  ]
  const { ok, files, stderr } = await runTool('wasm-ld', args, tree)
  const wasm = ok ? fileAt(files, 'linked.wasm') : undefined
  const map = fileAt(files, 'link.map')
  const diagnostics = stderr.replace(/\buser-(\d+)\.o\b/g, (text, index) => names[Number(index)] ?? text)
  if (!wasm || !map) throw new CompileError(diagnostics, 'link')
  return {
    wasm,
    warnings: diagnostics,
    map: parseLinkMap(new TextDecoder().decode(map)),
    isUserObject: (object) => object.startsWith(USER_PREFIX),
  }
}

/** Functions that the objects call and do not define: object files hold them as imports. */
function undefinedFunctions(objects: readonly Uint8Array[]): string[] {
  const names = objects.flatMap((object) =>
    decodeModule(object).imports.flatMap((item) => (item.kind === 0 ? [item.name] : [])),
  )
  return [...new Set(names)]
}
