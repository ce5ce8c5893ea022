import type { ProgramEngine } from '../program-engine.js'
import { Interpreter } from './interpreter.js'
import type { Path } from './path.js'
import { Store } from './store.js'

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Interprets programs, and notes on a path what depends on the input. For one program. */
export function concolicEngine(path: Path): ProgramEngine {
  const store = new Store(path)
  return {
    name: 'concolic',
    instantiate: async (_module, wasm, imports) =>
      new Interpreter(wasm, imports as unknown as Imports, store).exports as WebAssembly.Exports,
    link: (wasm, program) =>
      new Interpreter(wasm, { program } as unknown as Imports, store).exports as WebAssembly.Exports,
  }
}
