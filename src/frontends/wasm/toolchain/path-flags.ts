/** Compiler flags that name a file or a folder of the user's, which the compiler sees elsewhere. */

const FOLDERS = ['-isystem', '-iquote', '-idirafter', '-I'] as const
const FILES = ['-include', '-imacros'] as const

type Token =
  | { readonly kind: 'folder' | 'file'; readonly option: string; readonly path: string }
  | { readonly kind: 'other'; readonly text: string }

/** Folders that are searched for headers, in the order given. */
export function headerFolders(flags: readonly string[]): string[] {
  return tokens(flags).flatMap((token) => (token.kind === 'folder' ? [token.path] : []))
}

/** Files that are included before everything else. */
export function forcedIncludes(flags: readonly string[]): string[] {
  return tokens(flags).flatMap((token) => (token.kind === 'file' ? [token.path] : []))
}

/** Headers that macros stand for: `-DCONFIG="mine.h"`, for `#include CONFIG`. */
export function headersInMacros(flags: readonly string[]): string[] {
  return flags.flatMap((flag) => {
    const [, quoted, bracketed] = /^(?:-D)?\w+=(?:"([^"]+)"|<([^>]+)>)$/.exec(flag) ?? []
    const name = quoted ?? bracketed
    return name === undefined ? [] : [name]
  })
}

/**
 * The flags with every path changed. A file to include that is not found as a file (`exists`) is a name to search for, as in
 * `-include stdint.h`, and stays as it is.
 */
export function mapPaths(
  flags: readonly string[],
  map: (path: string) => string,
  exists: (path: string) => boolean = () => true,
): string[] {
  return tokens(flags).flatMap((token) => {
    if (token.kind === 'other') return [token.text]
    const isName = token.kind === 'file' && !exists(token.path)
    return [token.option, isName ? token.path : map(token.path)]
  })
}

/** The path may be part of the flag or the next one: `-Iinclude`, `-I include`. */
function tokens(flags: readonly string[]): Token[] {
  const result: Token[] = []
  for (let i = 0; i < flags.length; i++) {
    const text = flags[i]
    const kind = FOLDERS.some((option) => text.startsWith(option))
      ? 'folder'
      : FILES.some((option) => text.startsWith(option))
        ? 'file'
        : 'other'
    if (kind === 'other') {
      result.push({ kind, text })
      continue
    }
    const option = [...FOLDERS, ...FILES].find((name) => text.startsWith(name))!
    const path = text.slice(option.length) || flags[++i]
    if (path !== undefined) result.push({ kind, option, path })
  }
  return result
}
