import { Reader } from './bytes.js'
import { decodeModule } from './decode-module.js'
import type { FunctionType, Module } from './module.js'

/** In the section `linking` of an object file: https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md */
const SYMBOL_TABLE = 8
const FUNCTION = 0
const DATA = 1
const SECTION = 3
/** Flags. */
const UNDEFINED = 0x10
const EXPLICIT_NAME = 0x40
const VERSION = 2

/** A function that an object file defines. */
interface DefinedFunction {
  readonly name: string
  readonly type: FunctionType
}

/** Names of the functions that an object file defines, as the linker knows them. */
export function definedFunctions(object: Uint8Array): string[] {
  return functionsOf(decodeModule(object)).map(({ name }) => name)
}

/** The type of a function that an object file defines, or undefined if it does not. */
export function typeOfFunction(object: Uint8Array, name: string): FunctionType | undefined {
  return functionsOf(decodeModule(object)).find((f) => f.name === name)?.type
}

function functionsOf(module: Module): DefinedFunction[] {
  const section = module.custom.get('linking')
  if (section === undefined) return []
  const reader = new Reader(section)
  if (reader.u32() !== VERSION) return []
  const found: DefinedFunction[] = []
  while (!reader.done) {
    const kind = reader.byte()
    const size = reader.u32()
    if (kind === SYMBOL_TABLE) readSymbols(new Reader(section, reader.at, reader.at + size), module, found)
    reader.skip(size)
  }
  return found
}

function readSymbols(reader: Reader, module: Module, found: DefinedFunction[]): void {
  const imported = module.imports.filter((item) => item.kind === 0).length
  for (let left = reader.u32(); left > 0; left--) {
    const kind = reader.byte()
    const flags = reader.u32()
    const isDefined = (flags & UNDEFINED) === 0
    if (kind === DATA) {
      reader.name()
      if (isDefined) for (let i = 0; i < 3; i++) reader.skipLeb()
      continue
    }
    const index = reader.u32()
    if (kind === SECTION || !(isDefined || (flags & EXPLICIT_NAME) !== 0)) continue
    const name = reader.name()
    if (kind === FUNCTION && isDefined) {
      found.push({ name, type: module.types[module.functions[index - imported]] })
    }
  }
}
