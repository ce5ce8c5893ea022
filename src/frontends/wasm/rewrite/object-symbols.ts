import { Reader } from './bytes.js'
import { decodeModule } from './decode-module.js'
import type { FunctionType, Module } from './module.js'

/** In the section `linking` of an object file: https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md */
const SYMBOL_TABLE = 8
const FUNCTION = 0
const DATA = 1
const SECTION = 3
/** Flags. */
const LOCAL = 0x02
const UNDEFINED = 0x10
const EXPLICIT_NAME = 0x40
const VERSION = 2

/** A function that an object file defines. */
interface DefinedFunction {
  readonly name: string
  readonly type: FunctionType
}

/** Names as the linker knows them, of functions and variables. */
export interface ObjectSymbols {
  readonly defined: readonly string[]
  /** Used, but not defined. */
  readonly missing: readonly string[]
}

interface Symbols {
  readonly functions: DefinedFunction[]
  readonly defined: string[]
  readonly missing: string[]
}

/** Names of the functions that an object file defines, as the linker knows them. */
export function definedFunctions(object: Uint8Array): string[] {
  return symbolsIn(decodeModule(object)).functions.map(({ name }) => name)
}

/** The type of a function that an object file defines, or undefined if it does not. */
export function typeOfFunction(object: Uint8Array, name: string): FunctionType | undefined {
  return symbolsIn(decodeModule(object)).functions.find((f) => f.name === name)?.type
}

/** What other files may use of an object file, and what it needs of others. */
export function objectSymbols(object: Uint8Array): ObjectSymbols {
  return symbolsIn(decodeModule(object))
}

function symbolsIn(module: Module): Symbols {
  const found: Symbols = { functions: [], defined: [], missing: [] }
  const section = module.custom.get('linking')
  if (section === undefined) return found
  const reader = new Reader(section)
  if (reader.u32() !== VERSION) return found
  while (!reader.done) {
    const kind = reader.byte()
    const size = reader.u32()
    if (kind === SYMBOL_TABLE) readSymbols(new Reader(section, reader.at, reader.at + size), module, found)
    reader.skip(size)
  }
  return found
}

function readSymbols(reader: Reader, module: Module, { functions, defined, missing }: Symbols): void {
  const imports = module.imports.filter((item) => item.kind === 0)
  for (let left = reader.u32(); left > 0; left--) {
    const kind = reader.byte()
    const flags = reader.u32()
    const isDefined = (flags & UNDEFINED) === 0
    const isShared = (flags & LOCAL) === 0
    if (kind === DATA) {
      const name = reader.name()
      if (isDefined) for (let i = 0; i < 3; i++) reader.skipLeb()
      if (isShared) (isDefined ? defined : missing).push(name)
      continue
    }
    const index = reader.u32()
    if (kind === SECTION) continue
    const hasName = isDefined || (flags & EXPLICIT_NAME) !== 0
    const name = hasName ? reader.name() : kind === FUNCTION ? imports[index].name : ''
    if (kind !== FUNCTION) continue
    if (isDefined) functions.push({ name, type: module.types[module.functions[index - imports.length]] })
    if (isShared) (isDefined ? defined : missing).push(name)
  }
}

/** Whether an object was compiled with exceptions: the compiler notes what a machine must be able to do. */
export function hasExceptions(object: Uint8Array): boolean {
  return Buffer.from(object).includes('+\x12exception-handling')
}
