import { NEVER, withBaseline } from '../baseline.js'
import type { SuspendingOptions } from '../suspend/suspending.js'
import { withSuspending } from '../suspend/with-suspending.js'
import { decodeModule } from './decode-module.js'

/**
 * What a function of binaryen may execute before it is optimised. For small programs that takes longer than the pass,
 * which then costs half as much the first time and no more later.
 */
const BUDGET = 200_000_000
/** Bytes. */
const SMALL_PROGRAM = 64_000

/** Bytes. */
const LARGE_FUNCTION = 80_000

/**
 * Makes the functions that can reach a suspending import able to unwind and rewind their stacks. Binaryen does it where
 * a module has more than our own code deals with; importing it takes half a second, and its pass another.
 */
export async function asyncify(
  wasm: Uint8Array,
  options: SuspendingOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return withSuspending(wasm, options) ?? asyncifyWithBinaryen(wasm, options)
}

async function asyncifyWithBinaryen(
  wasm: Uint8Array,
  options: SuspendingOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { default: binaryen } = await withBaseline(
    wasm.length < SMALL_PROGRAM ? NEVER : BUDGET,
    () => import('binaryen'),
  )
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
    // At level 1 the pass optimises the functions it changes; higher levels gave no speed, only waiting. What that takes
    // grows far faster than the function: minutes for one of 160 000 bytes, half a second for one of 48 000.
    const largest = decodeModule(wasm).bodies.reduce((most, { start, end }) => Math.max(most, end - start), 0)
    binaryen.setOptimizeLevel(largest > LARGE_FUNCTION ? 0 : 1)
    binaryen.setShrinkLevel(0)
    binaryen.setDebugInfo(true)
    module.runPasses(['asyncify'])
    return Uint8Array.from(module.emitBinary())
  } finally {
    module.dispose()
  }
}
