import { Reader } from '../rewrite/bytes.js'
import type { Module } from '../rewrite/module.js'
import { AT, type Entry, readEntries, TAG } from './dwarf.js'
import { type Prologue, prologueOf } from './prologue.js'
import { type DataType, TypeTable } from './types.js'

/** What functions keep on the stack: what a report needs to name a local variable by its address. */
export interface FrameTable {
  /** By ascending address. */
  readonly functions: readonly FunctionFrame[]
  readonly types: readonly DataType[]
}

export interface FunctionFrame {
  /** As in the name section. */
  readonly symbol: string
  /** In the code section. */
  readonly start: number
  readonly end: number
  /** Bytes of stack it takes; -1 where that is not a constant. */
  readonly size: number
  /** Name, address relative to the stack pointer on entry, type. */
  readonly variables: readonly (readonly [name: string, address: number, type: number])[]
}

const OP_FBREG = 0x91
const OP_WASM_LOCATION = 0xed
const STACK_VALUE = 0x9f

/** Debug information that cannot be read is none: names are a help, and nothing else depends on them. */
export function frameTable(module: Module, stackPointer: number): FrameTable {
  const functions = new Map<number, FunctionFrame & { readonly prologue: Prologue }>()
  const imported = module.imports.filter((item) => item.kind === 0).length
  module.bodies.forEach(({ bytes, start, end }, i) => {
    const prologue = prologueOf(bytes, firstInstruction(bytes, start, end), end, stackPointer)
    const offset = start - module.codeStart
    const symbol = module.functionNames[imported + i] ?? ''
    functions.set(offset, {
      symbol,
      start: offset,
      end: end - module.codeStart,
      size: prologue.size,
      variables: [],
      prologue,
    })
  })
  const types: DataType[] = []
  const variables = new Map<number, (readonly [string, number, number])[]>()
  try {
    const entries = new Map(readEntries(module.custom).map((entry) => [entry.offset, entry]))
    const table = new TypeTable(entries)
    for (const entry of entries.values()) {
      const local = localOf(entry, entries, (pc) => functions.get(pc)?.prologue)
      if (local === undefined) continue
      const { pc, name, address } = local
      if (!variables.has(pc)) variables.set(pc, [])
      variables.get(pc)!.push([name, address, table.of(entry)])
    }
    types.push(...table.types)
  } catch {
    variables.clear()
  }
  return {
    functions: [...functions.values()].map(({ prologue: _, ...frame }) => ({
      ...frame,
      variables: variables.get(frame.start) ?? [],
    })),
    types,
  }
}

function firstInstruction(bytes: Uint8Array, start: number, end: number): number {
  const reader = new Reader(bytes, start, end)
  for (let groups = reader.u32(); groups > 0; groups--) {
    reader.skipLeb()
    reader.skipLeb()
  }
  return reader.at
}

/** A variable or parameter that lies in the frame of its function at a place that does not change. */
function localOf(
  entry: Entry,
  entries: ReadonlyMap<number, Entry>,
  prologueAt: (pc: number) => Prologue | undefined,
): { readonly pc: number; readonly name: string; readonly address: number } | undefined {
  if (entry.tag !== TAG.variable && entry.tag !== TAG.formalParameter) return undefined
  const where = entry.values.get(AT.location)
  const name = nameOf(entry, entries)
  if (name === undefined || !(where instanceof Uint8Array) || where[0] !== OP_FBREG) return undefined
  let owner = entry.parent
  while (owner !== undefined && owner.tag !== TAG.subprogram) owner = owner.parent
  const pc = owner?.values.get(AT.lowPc)
  const base = owner?.values.get(AT.frameBase)
  if (typeof pc !== 'number' || !(base instanceof Uint8Array)) return undefined
  const prologue = prologueAt(pc)
  const local = localIn(base)
  const at = local === undefined ? undefined : prologue?.locals.get(local)
  const reader = new Reader(where, 1)
  const offset = reader.s32()
  if (at === undefined || !reader.done) return undefined
  return { pc, name, address: at + offset }
}

function nameOf(entry: Entry, entries: ReadonlyMap<number, Entry>): string | undefined {
  const name = entry.values.get(AT.name)
  if (typeof name === 'string') return name
  const origin = entries.get(Number(entry.values.get(AT.abstractOrigin) ?? -1))
  return origin === undefined ? undefined : nameOf(origin, entries)
}

/** The wasm local that a frame's address is in. */
function localIn(base: Uint8Array): number | undefined {
  const reader = new Reader(base)
  if (reader.byte() !== OP_WASM_LOCATION || reader.byte() !== 0) return undefined
  const local = reader.u32()
  return reader.done || reader.byte() === STACK_VALUE ? local : undefined
}
