import { provided } from '../provided-calls.js'
import { adviceOn } from '../refused-calls.js'
import { decodeModule } from '../rewrite/decode-module.js'
import { becomesInline, plainName } from '../rewrite/hooks.js'
import type { Import } from '../rewrite/module.js'

/** Functions that nobody provides, by the name the user wrote, among what the linker left undefined. */
export function unknownImports(imports: readonly Import[]): string[] {
  const open = imports.filter((item) => item.kind === 0 && !isProvided(item))
  return [...new Set(open.map((item) => plainName(item.name)))].sort()
}

function isProvided({ module, name }: Import): boolean {
  if (module === 'fl_inline') return true
  if (provided[module]?.includes(name)) return true
  return module === 'env' && becomesInline(name)
}

/** Says what is missing and where it is called. */
export function unsupportedMessage(
  unknown: readonly string[],
  placeOf: (name: string) => string | undefined,
): string {
  return unknown
    .map((name) => {
      const place = placeOf(name)
      const what = name.startsWith('atomic128_') ? 'uses a 16-byte atomic' : `calls ${name}()`
      const advice = adviceOn(name)
      const instead = advice === undefined ? '' : `; ${advice}`
      return `${place ? `${place}: ` : ''}the program ${what}, which Faultline does not provide${instead}`
    })
    .join('\n')
}

/** What a linked module lacks, in words; empty if nothing. */
export function undefinedIn(wasm: Uint8Array): string {
  return unsupportedMessage(unknownImports(decodeModule(wasm).imports), () => undefined)
}
