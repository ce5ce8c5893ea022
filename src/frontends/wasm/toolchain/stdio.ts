import { opensFiles } from '../provided-calls.js'
import type { LinkMap } from './linkmap.js'

/**
 * Objects of libc whose indirect calls only reach libc's own readers and writers of files. Asyncify takes every
 * indirect call for one that may suspend; without this list each program that prints would carry `printf` rewritten
 * from end to end.
 */
const OBJECTS = new Set(
  `vfprintf vfwprintf vfscanf vfwscanf printf fprintf vprintf sprintf snprintf vsprintf vsnprintf wprintf fwprintf
  fputs fputc fputwc putc putc_unlocked putchar putchar_unlocked puts fwrite perror fflush
  fgets fgetc fgetwc getc getc_unlocked getchar getchar_unlocked fread ungetc scanf fscanf sscanf vscanf vsscanf
  shgetc intscan floatscan strtol strtod __overflow __towrite __toread __uflow
  __stdio_exit __stdio_write __stdout_write __stdio_read __stdio_seek`
    .split(/\s+/)
    .map((name) => `${name}.c.obj`),
)

/** Objects that make files whose readers and writers are the user's, or allocate: with one of them nothing is sure. */
const CALLBACKS = new Set(['fopencookie.c.obj', 'open_memstream.c.obj', 'open_wmemstream.c.obj'])

/** Names of functions that cannot suspend although they call indirectly. Only names that are unique in the module. */
export function neverSuspending(map: LinkMap, imports: readonly { readonly name: string }[]): string[] {
  if (opensFiles(imports)) return []
  const objects = map.functions.map(({ object }) => /\(([^)]*)\)$/.exec(object)?.[1] ?? '')
  if (objects.some((object) => CALLBACKS.has(object))) return []
  const count = new Map<string, number>()
  for (const { symbol } of map.functions) count.set(symbol, (count.get(symbol) ?? 0) + 1)
  return map.functions
    .filter(({ symbol }, i) => OBJECTS.has(objects[i]) && count.get(symbol) === 1)
    .map(({ symbol }) => symbol)
}
