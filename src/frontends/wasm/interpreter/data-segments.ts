import { Reader } from '../rewrite/bytes.js'
import { type Module, SECTION } from '../rewrite/module.js'

export interface Segment {
  readonly bytes: Uint8Array
  /** Where it goes at the beginning; -1 for one that the program itself puts somewhere. */
  readonly offset: number
}

/** The data segments of a module with their contents. */
export function readSegments(module: Module): (Segment | null)[] {
  const content = module.raw.get(SECTION.data)
  if (content === undefined) return []
  const r = new Reader(content)
  return Array.from({ length: r.u32() }, (_, i) => {
    const { isActive, offset, size } = module.data[i]
    const flags = r.u32()
    if (flags & 2) r.u32()
    if (isActive) {
      if (r.byte() !== 0x41) throw new Error('a data segment whose place is no constant')
      r.s32()
      r.byte()
    }
    r.u32()
    return { bytes: r.take(size), offset: isActive ? offset : -1 }
  })
}
