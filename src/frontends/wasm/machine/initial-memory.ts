import { Reader, Writer } from '../rewrite/bytes.js'
import { SECTION } from '../rewrite/module.js'

/**
 * The module with so many pages of memory to begin with, if it has fewer.
 *
 * When memory grows, the engine detaches its old buffer; and once a buffer was detached, compiled code looks at every
 * access to any typed array of the process whether that one was, too, which makes searches slower by a quarter.
 * Memory is address space until touched, so it costs nothing to have what nearly every program needs from the
 * beginning.
 */
export function withInitialMemory(wasm: Uint8Array<ArrayBuffer>, pages: number): Uint8Array<ArrayBuffer> {
  const reader = new Reader(wasm, 8)
  while (!reader.done) {
    const start = reader.at
    const id = reader.byte()
    const size = reader.u32()
    const content = new Reader(wasm, reader.at, reader.at + size)
    reader.skip(size)
    if (id !== SECTION.memory || content.u32() !== 1) continue
    const flags = content.byte()
    const minimum = content.u32()
    // With a largest size of its own it is for the program to say.
    if (flags !== 0 || minimum >= pages) return wasm
    const section = new Writer()
    section.u32(1)
    section.byte(flags)
    section.u32(pages)
    const writer = new Writer(wasm.length + 16)
    writer.bytes(wasm.subarray(0, start))
    writer.byte(id)
    writer.sized(section.view())
    writer.bytes(wasm.subarray(reader.at))
    return writer.view().slice()
  }
  return wasm
}
