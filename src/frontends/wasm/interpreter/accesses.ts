import { indexedLoad } from './indexed-loads.js'
import type { Instance } from './instance.js'
import type { Store } from './store.js'

/** Address of an access; traps if it is outside of memory. */
export function effective(
  store: Store,
  instance: Instance,
  at: number,
  offset: number,
  size: number,
  place: number,
): number {
  const { words, expressions } = store
  if (expressions[at] !== 0) {
    store.path.makeAddress(expressions[at], words[2 * at], offset >>> 0, size, place)
    expressions[at] = 0
  }
  const address = (words[2 * at] >>> 0) + (offset >>> 0)
  if (address + size > instance.bytes.length)
    throw new WebAssembly.RuntimeError('memory access out of bounds')
  return address
}

/** What a load finds at an address that depends on the input, as an expression of 8 bits a byte; 0 if that is to be a number. */
export function found(
  store: Store,
  instance: Instance,
  at: number,
  offset: number,
  size: number,
  place: number,
): number {
  const { words, expressions, path } = store
  if (expressions[at] === 0) return 0
  const value = indexedLoad(
    path,
    instance.bytes,
    expressions[at],
    words[2 * at] >>> 0,
    offset >>> 0,
    size,
    place,
  )
  // The access itself is as it would be for the input that is run.
  if (value !== 0) expressions[at] = 0
  return value
}

/** Loads of parts of a number, from `i32.load8_s` on: bytes, whether signed, whether to 64 bits. */
const parts: readonly (readonly [number, boolean, boolean])[] = [
  [1, true, false],
  [1, false, false],
  [2, true, false],
  [2, false, false],
  [1, true, true],
  [1, false, true],
  [2, true, true],
  [2, false, true],
  [4, true, true],
  [4, false, true],
]

/** Loads that extend what they load. */
export function loadPart(
  store: Store,
  instance: Instance,
  op: number,
  at: number,
  offset: number,
  place: number,
): void {
  const { words, expressions, path } = store
  const { bytes, view } = instance
  const [size, isSigned, is64] = parts[op - 0x2c]
  const indexed = found(store, instance, at, offset, size, place)
  const address = effective(store, instance, at, offset, size, place)
  let low = 0
  if (size === 1) low = isSigned ? view.getInt8(address) : bytes[address]
  else if (size === 2) low = isSigned ? view.getInt16(address, true) : view.getUint16(address, true)
  else low = view.getInt32(address, true)
  words[2 * at] = low
  if (is64) words[2 * at + 1] = isSigned && low < 0 ? -1 : 0
  expressions[at] = 0
  if (path.shadow.isEmpty) return
  const loaded = indexed || path.shadow.load(bytes, address, size)
  if (loaded === 0) return
  expressions[at] = path.expressions[isSigned ? 'extendSigned' : 'extendUnsigned'](loaded, is64 ? 64 : 32)
}
