import { readFileSync } from 'node:fs'
import path from 'node:path'
import { decodeModule } from '../rewrite/decode-module.js'
import { type ObjectSymbols, objectSymbols } from '../rewrite/object-symbols.js'
import { type Builder, makeBuilder, readUnit } from '../toolchain/builder.js'
import { userCache } from '../toolchain/cache.js'
import { isCxx } from '../toolchain/compile.js'
import { isCompiled, readCompiled } from '../toolchain/compiled-files.js'
import { CompileError } from '../toolchain/errors.js'
import { unknownImports } from '../toolchain/imports.js'
import { type BuildOptions, compilerFlags } from '../toolchain/index.js'
import { withUnwinding } from '../toolchain/unwinding.js'
import { flagsOf, from, readCompileCommands } from './compile-commands.js'

/** What a compiler calls main. */
const MAINS = ['main', '__main_void', '__main_argc_argv', '__original_main']

/**
 * The sources of a project that those named need, by what they leave undefined: names of the user's program, not of its
 * libraries. A source is compiled to see whether it defines a name only if its text looks like it; what is left in the
 * end, and nobody provides, is looked for in every source that has the word.
 */
export async function neededSources(options: BuildOptions, project: string): Promise<string[]> {
  const cwd = path.resolve(options.cwd ?? process.cwd())
  const commands = readCompileCommands(project, cwd)
  const flags = compilerFlags(options)
  const builder = await makeBuilder({ cc: options.cc, cwd, cache: options.cache ?? userCache() })
  const candidates = commands
    .map((command) => ({ source: from(cwd, command.file), flags: [...flagsOf(command, cwd), ...flags] }))
    .filter(({ source }, i, all) => all.findIndex((other) => other.source === source) === i)
  const flagsFor = (source: string) =>
    candidates.find((c) => path.resolve(cwd, c.source) === path.resolve(cwd, source))?.flags ?? flags
  const named = options.sources.filter((source) => !isCompiled(source))
  const compiled = await readCompiled(options.sources.filter(isCompiled), cwd)
  const isNamed = (source: string) =>
    named.some((name) => path.resolve(cwd, name) === path.resolve(cwd, source))
  const search = new Search(
    builder,
    cwd,
    candidates.filter(({ source }) => !isNamed(source)).map(({ source }) => source),
    flagsFor,
  )
  options.onProgress?.('compiling')
  for (const source of named) await search.add(source, await search.compile(source))
  options.onProgress?.('looking for the sources it needs')
  await search.follow(looksDefined)
  for (;;) {
    const user = [...search.taken].map(([name, { object }]) => ({ name, content: object }))
    const open = await missingFrom(builder, [...user, ...compiled], named.some(isCxx))
    if (!(await search.find(open, mentions))) break
    await search.follow(looksDefined)
  }
  return [...search.taken.keys()].filter((source) => !named.includes(source))
}

/** What no object and no library defines. */
async function missingFrom(
  builder: Builder,
  user: readonly { name: string; content: Uint8Array }[],
  cxx: boolean,
): Promise<string[]> {
  try {
    const { wasm } = await builder.link(user, cxx)
    return unknownImports(decodeModule(wasm).imports)
  } catch (error) {
    if (!(error instanceof CompileError)) throw error
    return [...error.diagnostics.matchAll(/undefined symbol: (\S+)/g)].map(([, name]) => name)
  }
}

interface Taken {
  readonly object: Uint8Array
  readonly symbols: ObjectSymbols
}

class Search {
  readonly taken = new Map<string, Taken>()
  private readonly texts = new Map<string, string>()
  private readonly looked = new Map<string, Taken | undefined>()
  private readonly seen = new Set<string>()

  constructor(
    private readonly builder: Builder,
    private readonly cwd: string,
    private readonly candidates: readonly string[],
    private readonly flagsFor: (source: string) => readonly string[],
  ) {}

  async compile(source: string): Promise<Taken> {
    const unit = await readUnit(source, this.flagsFor(source), this.cwd)
    // As `exceptions` has it for the whole program, or all would be compiled twice.
    const { objects } = await this.builder.compile(withUnwinding([unit], true))
    return { object: objects[0], symbols: objectSymbols(objects[0]) }
  }

  add(source: string, taken: Taken): void {
    this.taken.set(source, taken)
  }

  /** Takes sources until nothing is missing that a text seems to define. */
  async follow(matches: Matches): Promise<void> {
    while (
      await this.find(
        [...this.open()].filter((name) => !this.seen.has(name)),
        matches,
      )
    );
  }

  /** Takes sources that define some of these names; whether there were any. */
  async find(names: readonly string[], matches: Matches): Promise<boolean> {
    let isAny = false
    for (const name of names) {
      this.seen.add(name)
      const source = await this.definer(name, matches)
      if (source === undefined) continue
      this.add(source, this.looked.get(source)!)
      isAny = true
    }
    return isAny
  }

  private open(): Set<string> {
    const all = [...this.taken.values()].map(({ symbols }) => symbols)
    const defined = new Set(all.flatMap((symbols) => symbols.defined))
    return new Set(all.flatMap((symbols) => symbols.missing).filter((name) => !defined.has(name)))
  }

  private async definer(name: string, matches: Matches): Promise<string | undefined> {
    for (const source of this.candidates) {
      if (this.taken.has(source) || !matches(this.textOf(source), name)) continue
      if (!this.looked.has(source)) {
        // What does not compile here may not be meant for it, and is missed by name if it is.
        this.looked.set(source, await this.compile(source).catch(() => undefined))
      }
      const { defined = [] } = this.looked.get(source)?.symbols ?? {}
      if (defined.includes(name) && !defined.some((other) => MAINS.includes(other))) return source
    }
    return undefined
  }

  private textOf(source: string): string {
    if (!this.texts.has(source)) {
      let text = ''
      try {
        text = readFileSync(path.resolve(this.cwd, source), 'utf8')
      } catch {
        // Generated later, or gone.
      }
      this.texts.set(source, text)
    }
    return this.texts.get(source)!
  }
}

type Matches = (text: string, name: string) => boolean

/** Whether a text seems to define a function: a name at the beginning of a line, its parameters, and a brace. */
function looksDefined(text: string, name: string): boolean {
  const word = sourceWord(name)
  return new RegExp(
    `^[A-Za-z_~][^;{}=]*\\b${word}\\s*\\([^;{}]*\\)[^;{}]*\\{|^[A-Za-z_][^;{}()]*\\b${word}\\b\\s*[=;[]`,
    'm',
  ).test(text)
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`\\b${sourceWord(name)}\\b`).test(text)
}

/** What the source calls a symbol: of a C++ name the last part that is written. */
function sourceWord(symbol: string): string {
  if (!symbol.startsWith('_Z')) return symbol.replaceAll(/\W/g, '.')
  const parts: string[] = []
  const nested = /^_Z(?:N[KVR]*)?/.exec(symbol)![0].length
  for (let at = nested; at < symbol.length; ) {
    const length = /^\d+/.exec(symbol.slice(at))?.[0]
    if (length === undefined) break
    parts.push(symbol.slice(at + length.length, at + length.length + Number(length)))
    at += length.length + Number(length)
  }
  return parts.at(-1) ?? symbol
}
