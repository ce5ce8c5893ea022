import { Reader } from './bytes.js'
import { decodeModule } from './decode-module.js'

/** In the section `linking` of an object file: https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md */
const SEGMENTS = 5
const SYMBOL_TABLE = 8
const DATA = 1
const WEAK = 0x01
const LOCAL = 0x02
const UNDEFINED = 0x10
const EXPLICIT_NAME = 0x40
const SECTION = 3

/**
 * What `-fcommon` means, for which object files of WebAssembly have no word: variables that several files define without
 * a value are one, and a file that gives it a value decides. So those without one are weak.
 */
export function withCommonVariables(object: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(object)
  const section = decodeModule(copy).custom.get('linking')
  if (section === undefined) return copy
  const reader = new Reader(section)
  reader.u32()
  let segments: string[] = []
  let table: Reader | undefined
  while (!reader.done) {
    const kind = reader.byte()
    const size = reader.u32()
    const part = new Reader(section, reader.at, reader.at + size)
    if (kind === SEGMENTS) segments = segmentNames(part)
    if (kind === SYMBOL_TABLE) table = part
    reader.skip(size)
  }
  if (table !== undefined) weaken(table, segments)
  return copy
}

function segmentNames(reader: Reader): string[] {
  return Array.from({ length: reader.u32() }, () => {
    const name = reader.name()
    reader.skipLeb()
    reader.skipLeb()
    return name
  })
}

function weaken(reader: Reader, segments: readonly string[]): void {
  for (let left = reader.u32(); left > 0; left--) {
    const kind = reader.byte()
    const at = reader.at
    const flags = reader.u32()
    const isDefined = (flags & UNDEFINED) === 0
    if (kind !== DATA) {
      reader.skipLeb()
      if (kind !== SECTION && (isDefined || (flags & EXPLICIT_NAME) !== 0)) reader.name()
      continue
    }
    reader.name()
    if (!isDefined) continue
    const hasNoValue = segments[reader.u32()]?.startsWith('.bss') ?? false
    reader.skipLeb()
    reader.skipLeb()
    // The lowest bit of what is written in as many bytes as before.
    if (hasNoValue && (flags & LOCAL) === 0) reader.bytes[at] |= WEAK
  }
}
