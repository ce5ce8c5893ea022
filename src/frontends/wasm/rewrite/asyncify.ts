export interface AsyncifyOptions {
  /** Imports that may suspend, as `module.name`. */
  readonly suspending: readonly string[]
  /** Functions that never suspend, whatever their indirect calls seem to reach. */
  readonly never: readonly string[]
}

/**
 * Makes the functions that can reach a suspending import able to unwind and rewind their stacks, with binaryen's
 * asyncify pass. Loaded only when something has to be built: importing binaryen takes half a second.
 */
export async function asyncify(wasm: Uint8Array, options: AsyncifyOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { default: binaryen } = await import('binaryen')
  const module = binaryen.readBinary(wasm)
  try {
    module.setFeatures(
      binaryen.Features.Atomics |
        binaryen.Features.MutableGlobals |
        binaryen.Features.NontrappingFPToInt |
        binaryen.Features.BulkMemory |
        binaryen.Features.BulkMemoryOpt |
        binaryen.Features.SignExt |
        binaryen.Features.ReferenceTypes |
        binaryen.Features.CallIndirectOverlong |
        binaryen.Features.Multivalue |
        binaryen.Features.SIMD128,
    )
    binaryen.setPassArgument('asyncify-imports', options.suspending.join(','))
    binaryen.setPassArgument('asyncify-removelist', options.never.join(','))
    // At level 1 the pass optimises the functions it changes; higher levels gave no speed, only waiting.
    binaryen.setOptimizeLevel(1)
    binaryen.setShrinkLevel(0)
    binaryen.setDebugInfo(true)
    module.runPasses(['asyncify'])
    return Uint8Array.from(module.emitBinary())
  } finally {
    module.dispose()
  }
}
