import { build, type WasmMachine, type WasmMachineOptions, wasmMachine } from '../../src/frontends/wasm/index.js'
import type { BuildOptions } from '../../src/frontends/wasm/index.js'

/** A program of tests/c, compiled (or found in the cache) and ready to run. */
export async function load(
  name: string,
  { define = [], optimize, ...options }: { define?: string[]; optimize?: string } & WasmMachineOptions = {},
): Promise<WasmMachine> {
  const recipe: BuildOptions = { sources: [`tests/c/${name}.c`], define, ...(optimize ? { optimize } : {}) }
  return wasmMachine(await build(recipe), options)
}
