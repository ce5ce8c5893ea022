import { Reader } from '../rewrite/bytes.js'

/**
 * A reader of `.debug_info`, versions 4 and 5, 32-bit, as far as names of variables need it: every entry with the few
 * attributes below, the others passed over.
 */
export const TAG = {
  arrayType: 0x01,
  classType: 0x02,
  enumerationType: 0x04,
  formalParameter: 0x05,
  member: 0x0d,
  structureType: 0x13,
  typedef: 0x16,
  unionType: 0x17,
  inheritance: 0x1c,
  subrange: 0x21,
  constType: 0x26,
  subprogram: 0x2e,
  variable: 0x34,
  volatileType: 0x35,
  namespace: 0x39,
  atomicType: 0x47,
} as const

export const AT = {
  location: 0x02,
  name: 0x03,
  byteSize: 0x0b,
  lowPc: 0x11,
  upperBound: 0x2f,
  count: 0x37,
  memberLocation: 0x38,
  declaration: 0x3c,
  frameBase: 0x40,
  specification: 0x47,
  type: 0x49,
  abstractOrigin: 0x31,
  bitSize: 0x0d,
} as const

const WANTED: ReadonlySet<number> = new Set(Object.values(AT))

/** Of a version 5 unit: where its strings and addresses begin in their tables. */
const AT_STR_OFFSETS_BASE = 0x72
const AT_ADDR_BASE = 0x73

export type Value = number | string | Uint8Array

/** An entry; children come right after their parent. */
export interface Entry {
  readonly offset: number
  readonly tag: number
  /** The entry it lies in, or undefined for a unit. */
  readonly parent: Entry | undefined
  readonly values: ReadonlyMap<number, Value>
}

interface Abbreviation {
  readonly tag: number
  readonly hasChildren: boolean
  /** Attribute, form and, where the form is a constant of the abbreviation, its value. */
  readonly attributes: readonly (readonly [number, number, number])[]
}

const decoder = new TextDecoder()

/** The sections of a module that hold debug information. */
export type DebugSections = ReadonlyMap<string, Uint8Array>

/** All entries of all units, in order. Damaged or unknown debug information throws. */
export function readEntries(sections: DebugSections): Entry[] {
  const info = sections.get('.debug_info')
  if (info === undefined) return []
  const entries: Entry[] = []
  const reader = new Reader(info)
  while (!reader.done) {
    const start = reader.at
    const length = u32(reader)
    if (length >= 0xfffffff0) throw new Error('64-bit debug information')
    const end = reader.at + length
    const version = u16(reader)
    if (version !== 4 && version !== 5) throw new Error(`debug information of version ${version}`)
    let abbreviations: number
    if (version === 5) {
      const type = reader.byte()
      if (type !== 1) throw new Error(`a debug unit of type ${type}`)
      reader.byte()
      abbreviations = u32(reader)
    } else {
      abbreviations = u32(reader)
      reader.byte()
    }
    const unit = new Unit(sections, start, new Reader(info, reader.at, end), abbreviations)
    unit.read(entries)
    reader.at = end
  }
  return entries
}

class Unit {
  private readonly table: Map<number, Abbreviation>
  private stringOffsets = 8
  private addresses = 8

  constructor(
    private readonly sections: DebugSections,
    private readonly start: number,
    private readonly reader: Reader,
    abbreviations: number,
  ) {
    this.table = readAbbreviations(sections.get('.debug_abbrev') ?? new Uint8Array(), abbreviations)
  }

  read(entries: Entry[]): void {
    const { reader, table } = this
    let parent: Entry | undefined
    while (!reader.done) {
      const offset = reader.at
      const code = reader.u32()
      if (code === 0) {
        parent = parent?.parent
        continue
      }
      const abbreviation = table.get(code)
      if (abbreviation === undefined) throw new Error(`no abbreviation ${code} in the debug information`)
      const values = new Map<number, Value>()
      const later: (() => void)[] = []
      for (const [attribute, form, constant] of abbreviation.attributes) {
        if (attribute === AT_STR_OFFSETS_BASE) this.stringOffsets = u32(reader)
        else if (attribute === AT_ADDR_BASE) this.addresses = u32(reader)
        else {
          const read = this.value(form, constant)
          // Bases of a unit may stand behind what needs them.
          if (WANTED.has(attribute)) later.push(() => values.set(attribute, read()))
        }
      }
      for (const set of later) set()
      const entry = { offset, tag: abbreviation.tag, parent, values }
      entries.push(entry)
      if (abbreviation.hasChildren) parent = entry
    }
  }

  /** Passes over a value; what is returned makes something of it. References become offsets in the section. */
  private value(form: number, constant: number): () => Value {
    const { reader: r } = this
    const now = (value: Value) => () => value
    switch (form) {
      case 0x01: // addr
      case 0x06: // data4
      case 0x17: // sec_offset
        return now(u32(r))
      case 0x03: // block2
        return now(r.take(u16(r)))
      case 0x04: // block4
        return now(r.take(u32(r)))
      case 0x05: // data2
        return now(u16(r))
      case 0x07: // data8
      case 0x20: // ref_sig8
        return now(u32(new Reader(r.take(8))))
      case 0x08: // string
        return now(this.textAt(r.bytes, r.at, (end) => (r.at = end + 1)))
      case 0x09: // block
      case 0x18: // exprloc
        return now(r.take(r.u32()))
      case 0x0a: // block1
        return now(r.take(r.byte()))
      case 0x0b: // data1
      case 0x0c: // flag
        return now(r.byte())
      case 0x0d: // sdata
        return now(r.s32())
      case 0x0e: // strp
        return this.string('.debug_str', u32(r))
      case 0x1f: // line_strp
        return this.string('.debug_line_str', u32(r))
      case 0x0f: // udata
      case 0x22: // loclistx
      case 0x23: // rnglistx
        return now(r.u32())
      case 0x10: // ref_addr
        return now(u32(r))
      case 0x11: // ref1
        return now(this.start + r.byte())
      case 0x12: // ref2
        return now(this.start + u16(r))
      case 0x13: // ref4
        return now(this.start + u32(r))
      case 0x15: // ref_udata
        return now(this.start + r.u32())
      case 0x19: // flag_present
        return now(1)
      case 0x1a: // strx
        return this.indexedString(r.u32())
      case 0x25: // strx1
        return this.indexedString(r.byte())
      case 0x26: // strx2
        return this.indexedString(u16(r))
      case 0x27: // strx3
        return this.indexedString(u16(r) | (r.byte() << 16))
      case 0x28: // strx4
        return this.indexedString(u32(r))
      case 0x1b: // addrx
        return this.indexedAddress(r.u32())
      case 0x29: // addrx1
        return this.indexedAddress(r.byte())
      case 0x2a: // addrx2
        return this.indexedAddress(u16(r))
      case 0x2c: // addrx4
        return this.indexedAddress(u32(r))
      case 0x1e: // data16
        return now(r.take(16))
      case 0x21: // implicit_const
        return now(constant)
      case 0x16: // indirect
        return this.value(r.u32(), constant)
      default:
        throw new Error(`debug information in form ${form}`)
    }
  }

  private string(section: string, offset: number): () => string {
    return () => this.textAt(this.sections.get(section) ?? new Uint8Array(), offset)
  }

  private indexedString(index: number): () => string {
    return () => {
      const offsets = this.sections.get('.debug_str_offsets') ?? new Uint8Array()
      return this.string('.debug_str', u32(new Reader(offsets, this.stringOffsets + 4 * index)))()
    }
  }

  private indexedAddress(index: number): () => number {
    return () => {
      const addresses = this.sections.get('.debug_addr') ?? new Uint8Array()
      return u32(new Reader(addresses, this.addresses + 4 * index))
    }
  }

  private textAt(bytes: Uint8Array, start: number, ends: (end: number) => void = () => {}): string {
    const end = bytes.indexOf(0, start)
    if (end < 0) throw new Error('a name in the debug information has no end')
    ends(end)
    return decoder.decode(bytes.subarray(start, end))
  }
}

function readAbbreviations(bytes: Uint8Array, offset: number): Map<number, Abbreviation> {
  const r = new Reader(bytes, offset)
  const table = new Map<number, Abbreviation>()
  for (let code = r.u32(); code !== 0; code = r.u32()) {
    const tag = r.u32()
    const hasChildren = r.byte() === 1
    const attributes: [number, number, number][] = []
    for (;;) {
      const attribute = r.u32()
      const form = r.u32()
      const constant = form === 0x21 ? r.s32() : 0
      if (attribute === 0 && form === 0) break
      attributes.push([attribute, form, constant])
    }
    table.set(code, { tag, hasChildren, attributes })
  }
  return table
}

function u16(r: Reader): number {
  return r.byte() | (r.byte() << 8)
}

function u32(r: Reader): number {
  return (u16(r) | (u16(r) << 16)) >>> 0
}
