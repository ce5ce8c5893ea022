import { BuildError } from './toolchain/errors.js'

/** Runs modules. What it makes of one exports what the module says, for the host to call. */
export interface ProgramEngine {
  readonly name: string
  /** `wasm` is what `module` was compiled from. */
  instantiate(
    module: WebAssembly.Module,
    wasm: Uint8Array<ArrayBuffer>,
    imports: WebAssembly.Imports,
  ): Promise<WebAssembly.Exports>
  /** A small module that works on memory and globals of one that was instantiated before. */
  link(wasm: Uint8Array<ArrayBuffer>, program: WebAssembly.Exports): WebAssembly.Exports
}

/** JavaScript's own. */
export const nativeEngine: ProgramEngine = {
  name: 'native',

  async instantiate(module, _wasm, imports) {
    try {
      return (await WebAssembly.instantiate(module, imports)).exports
    } catch (error) {
      // Segments that do not fit are the fault of whoever made the module.
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof WebAssembly.LinkError)) throw error
      throw new BuildError(`the module cannot be instantiated: ${error.message}`)
    }
  },

  link(wasm, program) {
    const imports = { program: program as WebAssembly.ModuleImports }
    return new WebAssembly.Instance(new WebAssembly.Module(wasm), imports).exports
  },
}
