/**
 * Makes the functions that can reach a suspending import able to unwind and rewind their stacks, with binaryen's
 * asyncify pass. Loaded only when something has to be built: importing binaryen takes half a second.
 */
export async function asyncify(
  wasm: Uint8Array,
  suspending: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
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
    binaryen.setPassArgument('asyncify-imports', suspending.join(','))
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
