import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { readRequest, words } from '../driver/arguments.js'
import { BuildError } from '../toolchain/errors.js'
import { mapPaths } from '../toolchain/path-flags.js'

/** How a build compiles a source. */
export interface CompileCommand {
  /** Absolute. */
  readonly file: string
  /** What its paths are relative to. */
  readonly directory: string
  readonly args: readonly string[]
}

/** What a compilation database says: https://clang.llvm.org/docs/JSONCompilationDatabase.html */
export function readCompileCommands(file: string, cwd: string): CompileCommand[] {
  const place = databaseAt(path.resolve(cwd, file))
  const fault = (what: string) =>
    new BuildError(`${file}: ${what}; cmake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`)
  let entries: unknown
  try {
    entries = JSON.parse(readFileSync(place, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw fault(
      code === 'ENOENT' ? 'there is no such file' : `this is no list of compile commands: ${message}`,
    )
  }
  if (!Array.isArray(entries)) throw fault('this is no list of compile commands')
  return entries.map((entry) => {
    const { directory = '.', file: source, command, arguments: list } = entry ?? {}
    if (typeof source !== 'string') throw fault('a command names no file')
    const all = Array.isArray(list) ? list.map(String) : words(String(command ?? ''))
    const home = path.resolve(path.dirname(place), directory)
    return { file: path.resolve(home, source), directory: home, args: all.slice(1) }
  })
}

/** The folder of a build will do. */
function databaseAt(place: string): string {
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false
  return isFolder ? path.join(place, 'compile_commands.json') : place
}

/** What a source is compiled with, with paths as they are from `cwd`. */
export function flagsOf({ args, directory }: CompileCommand, cwd: string): string[] {
  const { flags } = readRequest(args, directory)
  const place = (name: string) => path.resolve(directory, name)
  return mapPaths(
    flags,
    (name) => from(cwd, place(name)),
    (name) => existsSync(place(name)),
  )
}

/** The path as one would write it in a folder. */
export function from(cwd: string, place: string): string {
  const relative = path.relative(cwd, place) || '.'
  return relative.startsWith('../../..') ? place : relative
}

/** Flags of each source that the project compiles, by the name it was given here. */
export function flagsIn(project: string, cwd: string, sources: readonly string[]): Record<string, string[]> {
  const commands = readCompileCommands(project, cwd)
  return Object.fromEntries(
    sources.flatMap((source) => {
      const command = commands.find(({ file }) => file === path.resolve(cwd, source))
      return command ? [[source, flagsOf(command, cwd)]] : []
    }),
  )
}
