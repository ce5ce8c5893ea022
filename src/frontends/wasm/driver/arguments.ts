import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BuildError } from '../toolchain/errors.js'

/** What build systems ask a compiler for. */
export interface CompilerRequest {
  /** Link unless told to stop before. */
  readonly until: 'preprocess' | 'compile' | 'link'
  readonly output: string | undefined
  /** In the order given, which counts for archives: sources, objects, archives and `-l` names. */
  readonly inputs: readonly Input[]
  /** Folders of libraries. */
  readonly libraryFolders: readonly string[]
  /** For the compiler. */
  readonly flags: readonly string[]
  /** Where to write what the object depends on, in the language of make. */
  readonly dependencies: Dependencies | undefined
  readonly ignored: readonly string[]
}

export type Input =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'library'; readonly name: string }

export interface Dependencies {
  readonly file: string | undefined
  readonly target: string | undefined
}

/** Flags of the compiler that are followed by a word of their own. */
const WITH_WORD =
  /^-(?:D|U|I|isystem|iquote|idirafter|include|imacros|Xclang|Xpreprocessor|mllvm|isysroot|iprefix|iwithprefix|arch|x)$/

/** What has no meaning here: the machine, the linker's way, optimisation and debug information are ours to choose. */
const NEEDLESS =
  /^-(?:O.*|g.*|pthreads?|pipe|v|p|pg|static|static-.*|shared-libgcc|rdynamic|pie|no-pie|s|f(?:no-)?(?:pic|PIC|pie|PIE|lto.*|plt|sanitize.*|profile.*|coverage.*|color-diagnostics|diagnostics-color.*)|m(?:arch|tune|cpu|fpu|abi|no-|sse|avx|popcnt|cx16|64|32).*|Werror.*|pedantic-errors|Wl,.*|Wa,.*|Wp,-D_FORTIFY_SOURCE.*|D_FORTIFY_SOURCE.*|U_FORTIFY_SOURCE|-coverage|fstack-protector.*|fcf-protection.*|fno-semantic-interposition)$/

/** With a word of its own, and as needless. */
const NEEDLESS_WITH_WORD = /^-(?:Xlinker|Xassembler|z|T|rpath|soname|install_name|aux-info|u|e)$/

/** Reads what stands on the command line of a compiler. */
export function readRequest(argv: readonly string[], cwd: string): CompilerRequest {
  const args = expandFiles(argv, cwd)
  const inputs: Input[] = []
  const flags: string[] = []
  const libraryFolders: string[] = []
  const ignored: string[] = []
  let until: CompilerRequest['until'] = 'link'
  let output: string | undefined
  let wantsDependencies = false
  let file: string | undefined
  let target: string | undefined
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    const word = () => {
      if (i + 1 >= args.length) throw new BuildError(`${arg}: something is missing after it`)
      return args[++i]
    }
    if (arg === '-c') until = until === 'preprocess' ? until : 'compile'
    else if (arg === '-E') until = 'preprocess'
    else if (arg === '-S' || arg === '-M' || arg === '-MM')
      throw new BuildError(`${arg}: only objects, programs and preprocessed sources are made here`)
    else if (arg === '-shared' || arg === '-r')
      throw new BuildError(
        `${arg}: shared libraries cannot be made here: build static ones (cmake -DBUILD_SHARED_LIBS=OFF, configure --disable-shared)`,
      )
    else if (arg === '-o') output = word()
    else if (arg === '-MD' || arg === '-MMD') wantsDependencies = true
    else if (arg === '-MF') file = word()
    else if (arg === '-MT' || arg === '-MQ') target = word()
    else if (arg === '-MP' || arg === '-MG') continue
    else if (arg === '-L') libraryFolders.push(word())
    else if (arg === '-l') inputs.push({ kind: 'library', name: word() })
    else if (arg === '-x' || arg === '-')
      throw new BuildError(`${arg}: sources are files here, and named for their language`)
    else if (arg.startsWith('-o')) output = arg.slice(2)
    else if (arg.startsWith('-L')) libraryFolders.push(arg.slice(2))
    else if (arg.startsWith('-l')) inputs.push({ kind: 'library', name: arg.slice(2) })
    else if (NEEDLESS_WITH_WORD.test(arg)) ignored.push(arg, word())
    else if (NEEDLESS.test(arg)) ignored.push(arg)
    else if (WITH_WORD.test(arg)) flags.push(arg, word())
    else if (arg.startsWith('-')) flags.push(arg)
    else inputs.push({ kind: 'file', path: arg })
  }
  const dependencies = wantsDependencies ? { file, target } : undefined
  return { until, output, inputs, libraryFolders, flags, dependencies, ignored }
}

/** Replaces `@file` by the words in it. Words are separated by blanks; quotes and backslashes keep them together. */
export function expandFiles(argv: readonly string[], cwd: string, depth = 0): string[] {
  return argv.flatMap((arg) => {
    if (!arg.startsWith('@') || depth > 8) return [arg]
    let text: string
    try {
      text = readFileSync(path.resolve(cwd, arg.slice(1)), 'utf8')
    } catch {
      return [arg]
    }
    return expandFiles(words(text), cwd, depth + 1)
  })
}

/** Words of a line as a shell would see them, without its other powers. */
export function words(text: string): string[] {
  const pieces = /(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/g
  return (text.match(pieces) ?? []).map((word) =>
    word.replace(
      /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g,
      (_, escaped, double: string | undefined, single: string | undefined) =>
        escaped ?? single ?? double!.replace(/\\(["\\$`])/g, '$1'),
    ),
  )
}
