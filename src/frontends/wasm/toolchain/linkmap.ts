/** What the linker's map file tells about a module. */
export interface LinkMap {
  /** One per defined function, in order of the code section. */
  readonly functions: readonly { readonly object: string; readonly symbol: string }[]
  /** Output segments of static data: `.tdata`, `.rodata`, `.data`, `.bss`. */
  readonly segments: readonly { readonly name: string; readonly address: number; readonly size: number }[]
  readonly variables: readonly MapVariable[]
}

export interface MapVariable {
  readonly name: string
  /** For thread-local variables the offset in the thread's block. */
  readonly address: number
  readonly size: number
  readonly object: string
  readonly segment: string
}

/**
 * Reads the map that `wasm-ld -Map` writes. Columns: address, file offset, size, then, by indentation, an output
 * section or segment, an input chunk `object:(section)`, or a symbol in it.
 */
export function parseLinkMap(text: string): LinkMap {
  const functions: { object: string; symbol: string }[] = []
  const segments: { name: string; address: number; size: number }[] = []
  const variables: MapVariable[] = []
  let section = ''
  let object = ''
  for (const line of text.split('\n')) {
    const match = /^\s*(-|[0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+) (\s*)(.+)$/.exec(line)
    if (!match) continue
    const [, address, size, indent, rest] = match
    if (indent.length === 0) {
      if (address === '-') section = rest
      else if (section === 'DATA') segments.push({ name: rest, address: hex(address), size: hex(size) })
    } else if (indent.length <= 8) {
      const chunk = /^(.*):\((.*)\)$/.exec(rest)
      object = chunk?.[1] ?? ''
      if (section === 'CODE') functions.push({ object, symbol: chunk?.[2] ?? rest })
    } else if (section === 'DATA') {
      const segment = segments[segments.length - 1].name
      variables.push({ name: rest, address: hex(address), size: hex(size), object, segment })
    }
  }
  return { functions, segments, variables }
}

function hex(text: string): number {
  return Number.parseInt(text, 16)
}
