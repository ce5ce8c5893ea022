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
  /** Is told of threads and executions, if it has to know. */
  readonly follower?: Follower
}

/** Who follows what a program does. */
export interface Follower {
  /** Comes first. */
  attach(program: FollowedProgram): void
  /** An execution begins. */
  begin(): void
  /** The running thread has created one, or waited for the end of one. */
  created(child: number): void
  joined(target: number): void
  /** The running thread waits in a loop, by what it found in its memory. */
  spun(): void
  /** Bytes at an address have been printed. */
  printed(address: number, size: number): void
}

export interface FollowedProgram {
  running(): number
  /** Start and end of the object that holds an address, if it is known. */
  objectAt(address: number): readonly [number, number] | undefined
  /** The machine goes by what is written there. */
  isLog(address: number): boolean
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
