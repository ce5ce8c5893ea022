import { hookOf } from '../rewrite/hooks.js'
import type { Import } from '../rewrite/module.js'
import { provided } from '../wraps.js'

/** Functions that nobody provides, by the name the user wrote, among what the linker left undefined. */
export function unknownImports(imports: readonly Import[]): string[] {
  const open = imports.filter((item) => item.kind === 0 && !isProvided(item))
  return [...new Set(open.map((item) => userName(item.name)))].sort()
}

function isProvided({ module, name }: Import): boolean {
  if (module === 'fl_inline') return true
  if (provided[module]?.includes(name)) return true
  const hook = hookOf(name).kind
  return module === 'env' && (hook === 'access' || hook === 'ignore')
}

/** The linker's `__wrap_` is ours; 16-byte atomics have no other name than the one of the hook. */
function userName(symbol: string): string {
  return symbol.replace(/^__wrap_/, '')
}

/** Says what is missing, where it is called, and what that means. */
export function unsupportedMessage(
  unknown: readonly string[],
  placeOf: (name: string) => string | undefined,
): string {
  const lines = unknown.map((name) => {
    const place = placeOf(name)
    const where = place ? `${place}: ` : ''
    return /^__(?:tsan_)?atomic(?:128_|_.*_16$)/.test(name)
      ? `${where}the program uses a 16-byte atomic (${name}), which Faultline does not provide`
      : `${where}the program calls ${name}(), which Faultline does not provide`
  })
  return lines.join('\n')
}
