import { setFlagsFromString } from 'node:v8'
import { decodeModule } from '../rewrite/decode-module.js'
import { BuildError } from '../toolchain/errors.js'

/**
 * Bytes of a function from which on the engine's optimising compiler needs seconds, and soon minutes and gigabytes; it
 * works in the background, but cannot be stopped and holds up the end of the process.
 */
const LARGE_FUNCTION = 64_000

/** Compiles a module. One with large functions stays with the baseline compiler. */
export async function compileModule(wasm: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  const large = decodeModule(wasm).bodies.some(({ start, end }) => end - start > LARGE_FUNCTION)
  if (large) keepToBaseline()
  try {
    return await WebAssembly.compile(wasm)
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError) || !large) throw error
    throw new BuildError(
      `a function of the program is too large once it is instrumented (${error.message}); ` +
        'compile with -O1, or split it into several',
    )
  }
}

/**
 * For all modules compiled from now on, in all threads: the engine compiles functions when they are first called, so
 * that this cannot be taken back once the module is there.
 */
function keepToBaseline(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering')
  setFlagsFromString('--no-wasm-tier-up')
}
