import type { Kernel } from './kernel.js'

/** What a narrow memory location holds, as a signed whole number. */
export function valueAt({ locations, addresses, memory }: Kernel, location: number): string | undefined {
  if (locations.kinds[location] !== 'memory') return undefined
  const view = new DataView(memory.bytes.buffer, memory.bytes.byteOffset, memory.bytes.byteLength)
  const start = addresses.start[location]
  const size = addresses.size[location]
  if (start + size > view.byteLength) return undefined
  switch (size) {
    case 1:
      return String(view.getInt8(start))
    case 2:
      return String(view.getInt16(start, true))
    case 4:
      return String(view.getInt32(start, true))
    case 8:
      return String(view.getBigInt64(start, true))
    default:
      return undefined
  }
}
