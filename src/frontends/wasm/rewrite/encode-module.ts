import { Writer } from './bytes.js'
import { KIND, type Module, SECTION } from './module.js'

export interface Encoding {
  /** New index of each function, by old index; imports that were dropped map to -1. */
  readonly remap: (index: number) => number
  /** New bodies, in the order of `functions`. */
  readonly bodies: readonly Uint8Array[]
}

export function encodeModule(module: Module, { remap, bodies }: Encoding): Uint8Array<ArrayBuffer> {
  const out = new Writer(1 << 16)
  out.bytes([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
  const content = new Writer(1 << 16)
  const section = (id: number, fill: () => void) => {
    content.clear()
    fill()
    out.byte(id)
    out.sized(content.view())
  }
  const vector = <T>(id: number, items: readonly T[], one: (item: T) => void) => {
    if (items.length === 0) return
    section(id, () => {
      content.u32(items.length)
      for (const item of items) one(item)
    })
  }
  const copy = (id: number) => {
    const bytes = module.raw.get(id)
    if (bytes) section(id, () => content.bytes(bytes))
  }

  vector(SECTION.type, module.types, (type) => {
    content.byte(0x60)
    content.sized(Uint8Array.from(type.parameters))
    content.sized(Uint8Array.from(type.results))
  })
  vector(SECTION.import, module.imports, (item) => {
    content.name(item.module)
    content.name(item.name)
    content.byte(item.kind)
    if (item.kind === KIND.function) content.u32(item.type)
    else content.bytes(item.bytes)
  })
  vector(SECTION.function, module.functions, (type) => content.u32(type))
  copy(SECTION.table)
  if (module.memory.defined) {
    section(SECTION.memory, () => {
      const { minimum, maximum } = module.memory
      content.bytes([1, maximum === undefined ? 0 : 1])
      content.u32(minimum)
      if (maximum !== undefined) content.u32(maximum)
    })
  }
  if (module.hasTags) copy(SECTION.tag)
  vector(SECTION.global, module.globals, (item) => {
    content.byte(item.type)
    content.byte(item.mutable ? 1 : 0)
    content.bytes(item.init)
  })
  vector(SECTION.export, module.exports, (item) => {
    content.name(item.name)
    content.byte(item.kind)
    content.u32(item.kind === KIND.function ? remap(item.index) : item.index)
  })
  if (module.start !== undefined) section(SECTION.start, () => content.u32(remap(module.start!)))
  vector(SECTION.element, module.elements, (item) => {
    content.u32(item.flags)
    content.bytes(item.head)
    content.bytes(item.kind)
    content.u32(item.functions.length)
    for (const f of item.functions) content.u32(remap(f))
  })
  copy(SECTION.dataCount)
  vector(SECTION.code, bodies, (body) => content.sized(body))
  copy(SECTION.data)
  section(SECTION.custom, () => {
    content.name('name')
    writeNames(content, module.functionNames, remap)
  })
  return out.view()
}

function writeNames(out: Writer, names: readonly string[], remap: (index: number) => number): void {
  const entries: [number, string][] = []
  names.forEach((name, index) => {
    const fresh = remap(index)
    if (fresh >= 0) entries.push([fresh, name])
  })
  entries.sort((a, b) => a[0] - b[0])
  const content = new Writer(1 << 14)
  content.u32(entries.length)
  for (const [index, name] of entries) {
    content.u32(index)
    content.name(name)
  }
  out.byte(1)
  out.sized(content.view())
}
