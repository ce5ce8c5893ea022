import { AT, type Entry, TAG } from './dwarf.js'

/** What an object of a type is made of, as far as people name parts of it. */
export interface DataType {
  readonly size: number
  /** Of a structure: name, offset and type of each member. Bases are members without a name. */
  readonly members?: readonly (readonly [name: string, offset: number, type: number])[]
  /** Of an array. */
  readonly element?: number
  /** A structure of the library's: what it is made of is nobody's business. */
  readonly isOpaque?: true
}

/** A part of an object. */
export interface Part {
  /** As C writes it, behind the object: `.jobs[2].state`; '' for the object itself. */
  readonly name: string
  /** Inside something whose parts have no names. */
  readonly isOpaque: boolean
}

/** Types that only say something about another. */
const TRANSPARENT: ReadonlySet<number> = new Set([
  TAG.typedef,
  TAG.constType,
  TAG.volatileType,
  TAG.atomicType,
])
const STRUCTURES: ReadonlySet<number> = new Set([TAG.structureType, TAG.classType])

/** The types of some variables and all that these are made of, each once. */
export class TypeTable {
  readonly types: DataType[] = []
  private readonly indexes = new Map<number, number>()
  private readonly children = new Map<Entry, Entry[]>()

  constructor(private readonly entries: ReadonlyMap<number, Entry>) {
    for (const entry of entries.values()) {
      if (entry.parent === undefined) continue
      const siblings = this.children.get(entry.parent)
      if (siblings) siblings.push(entry)
      else this.children.set(entry.parent, [entry])
    }
  }

  /** Index of the type that an entry has. */
  of(entry: Entry): number {
    const type = this.resolved(entry)
    if (type === undefined) return this.plain(0)
    let index = this.indexes.get(type.offset)
    if (index === undefined) {
      index = this.types.length
      // A structure that holds a pointer to its own kind does not come back here: pointers are not followed.
      this.indexes.set(type.offset, index)
      this.types.push({ size: 0 })
      this.types[index] = this.describe(type)
    }
    return index
  }

  private plain(size: number): number {
    const key = -1 - size
    let index = this.indexes.get(key)
    if (index === undefined) {
      index = this.types.push({ size }) - 1
      this.indexes.set(key, index)
    }
    return index
  }

  private resolved(entry: Entry): Entry | undefined {
    let type = this.entries.get(Number(entry.values.get(AT.type) ?? -1))
    while (type !== undefined && TRANSPARENT.has(type.tag)) {
      type = this.entries.get(Number(type.values.get(AT.type) ?? -1))
    }
    return type
  }

  private describe(type: Entry): DataType {
    const size = Number(type.values.get(AT.byteSize) ?? 0)
    if (type.tag === TAG.arrayType) return this.describeArray(type)
    if (!STRUCTURES.has(type.tag)) return { size }
    if (isOfLibrary(type)) return { size, isOpaque: true }
    const members = (this.children.get(type) ?? []).flatMap((child) => {
      const offset = child.values.get(AT.memberLocation)
      const isBase = child.tag === TAG.inheritance
      if (!(isBase || child.tag === TAG.member) || typeof offset !== 'number') return []
      const name = isBase ? '' : String(child.values.get(AT.name) ?? '')
      return [[name, offset, this.of(child)] as const]
    })
    // Names with two underscores are those of the library.
    return members.some(([name]) => name.startsWith('__')) ? { size, isOpaque: true } : { size, members }
  }

  /** Arrays of arrays are one array per dimension. */
  private describeArray(type: Entry): DataType {
    const counts = (this.children.get(type) ?? [])
      .filter(({ tag }) => tag === TAG.subrange)
      .map(({ values }) => Number(values.get(AT.count) ?? Number(values.get(AT.upperBound) ?? -1) + 1))
    let element = this.of(type)
    let { size } = this.types[element]
    for (const count of counts.slice(1).reverse()) {
      size *= count
      element = this.types.push({ size, element }) - 1
    }
    return { size: size * (counts[0] ?? 0), element }
  }
}

/** Inside namespace `std`. */
function isOfLibrary(type: Entry): boolean {
  for (let at = type.parent; at !== undefined; at = at.parent) {
    if (at.tag === TAG.namespace && at.values.get(AT.name) === 'std') return true
  }
  return false
}

/** The part of an object that lies at an offset. A structure's first member is meant rather than the structure. */
export function partAt(types: readonly DataType[], type: number, offset: number): Part {
  const { members, element, isOpaque = false } = types[type]
  if (element !== undefined) {
    const { size } = types[element]
    if (size === 0) return { name: '', isOpaque }
    const index = Math.floor(offset / size)
    const inside = partAt(types, element, offset - index * size)
    return { ...inside, name: `[${index}]${inside.name}` }
  }
  const member = members?.find(([, start, of]) => offset >= start && offset < start + types[of].size)
  if (member === undefined) return { name: '', isOpaque }
  const [name, start, of] = member
  const inside = partAt(types, of, offset - start)
  return name === '' ? inside : { ...inside, name: `.${name}${inside.name}` }
}
