import { setFlagsFromString } from 'node:v8'

/** The engine's own, which nothing tells; it was raised in version 12. */
const USUAL_BUDGET = Number.parseInt(process.versions.v8, 10) < 12 ? 1_800_000 : 13_000_000

/** More than any program executes. */
export const NEVER = 2_000_000_000

/**
 * Loads tools that are WebAssembly modules themselves, and large. Their functions are checked when they are first called,
 * and stay with the engine's baseline compiler until one has executed as much as `budget`: optimising a tool mostly takes
 * more than it ever gives back. A module keeps the budget that it was compiled with.
 */
export async function withBaseline<T>(budget: number, load: () => T | Promise<T>): Promise<T> {
  setFlagsFromString(`--wasm-tiering-budget=${budget}`)
  setFlagsFromString('--wasm-lazy-validation')
  try {
    return await load()
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${USUAL_BUDGET}`)
    setFlagsFromString('--no-wasm-lazy-validation')
  }
}
