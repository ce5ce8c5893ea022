export type { Artifact } from './artifact.js'
export { type WasmMachine, type WasmMachineOptions, wasmMachine } from './machine/wasm-machine.js'
export { BuildError, UnsupportedError } from './toolchain/errors.js'
export { type BuildOptions, build } from './toolchain/index.js'
