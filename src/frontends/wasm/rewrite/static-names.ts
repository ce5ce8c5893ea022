import type { Variable } from '../artifact.js'
import { Reader } from './bytes.js'
import { readLocals } from './function.js'
import { OP, skipImmediates, TYPE } from './instructions.js'
import type { Module } from './module.js'

/**
 * Names for places in the static memory of a module, as far as it tells: linkers export a variable as a constant that is
 * its address, and name data segments. A variable reaches up to the next one, since nobody says where it ends; so `a+8`
 * is the place 8 bytes after the beginning of `a`, whatever is there. By ascending address. To be called before exports
 * are changed.
 */
export function staticNames(module: Module): Variable[] {
  const segments = segmentsOf(module)
  const places = [...symbolsOf(module), ...segments.map(({ name, address }) => ({ name, address }))]
  const starts = [...new Set(places.map(({ address }) => address))].sort((a, b) => a - b)
  const variables: Variable[] = []
  starts.forEach((address, i) => {
    const segment = segments.find((s) => address >= s.address && address < s.address + s.size)
    if (segment === undefined) return
    const end = Math.min(starts[i + 1] ?? Infinity, segment.address + segment.size)
    // A variable at the beginning of a segment is what people look for.
    const { name } = places.find((place) => place.address === address)!
    variables.push({ name, address, size: end - address })
  })
  return variables
}

/** Exported addresses. Names that begin with two underscores are the linker's. */
function symbolsOf({ exports, globals, imports }: Module): { name: string; address: number }[] {
  const imported = imports.filter((item) => item.kind === 3).length
  return exports.flatMap(({ name, kind, index }) => {
    const global = kind === 3 ? globals[index - imported] : undefined
    if (global === undefined || global.mutable || global.type !== TYPE.i32 || name.startsWith('__')) return []
    if (global.init[0] !== OP.i32Const) return []
    return [{ name, address: new Reader(Uint8Array.from(global.init), 1).s32() >>> 0 }]
  })
}

interface Segment extends Variable {}

/**
 * Where data lies: said by the segment, or, where memory is shared, by the instruction that puts it there. What is
 * filled with zeros at a fixed place is the rest of the variables.
 */
function segmentsOf(module: Module): Segment[] {
  const found: Segment[] = []
  const add = (name: string, address: number, size: number) => {
    if (size > 0) found.push({ name, address, size })
  }
  module.data.forEach(({ isActive, offset, size }, i) => {
    if (isActive && offset >= 0) add(nameOf(module, i), offset, size)
  })
  for (const body of module.bodies) {
    const { code } = readLocals(body, [])
    const r = new Reader(body.bytes, code, body.end)
    const constants: number[] = []
    while (!r.done) {
      const op = r.byte()
      if (op === OP.i32Const) {
        constants.push(new Reader(r.bytes, r.at, r.end).s32() >>> 0)
      } else {
        if (op === OP.bulk && constants.length >= 3) {
          const look = new Reader(r.bytes, r.at, r.end)
          const sub = look.u32()
          const [address, , size] = constants.slice(-3)
          if (sub === MEMORY_INIT) add(nameOf(module, look.u32()), address, size)
          if (sub === MEMORY_FILL && body === startBody(module)) add('.bss', address, size)
        }
        constants.length = 0
      }
      skipImmediates(r, op)
    }
  }
  return found
}

const MEMORY_INIT = 8
const MEMORY_FILL = 11

function startBody({ start, imports, bodies }: Module) {
  return start === undefined ? undefined : bodies[start - imports.filter((item) => item.kind === 0).length]
}

function nameOf({ dataNames }: Module, index: number): string {
  return dataNames[index] ?? `data ${index}`
}
