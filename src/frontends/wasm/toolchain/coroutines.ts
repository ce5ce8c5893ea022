import { EXCEPTIONS, isOptimised } from './flags.js'
import { FROM_LLVM, type Run } from './passed-structures.js'
import type { SourceFile } from './sources.js'

const BEFORE_GENERATOR = ['-emit-llvm', '-Xclang', '-disable-O0-optnone', '-c'] as const
const BETTER_GENERATOR = ['-O1', '-Xclang', '-disable-llvm-passes', '-c'] as const

/**
 * Coroutines that exceptions may pass through crash the bundled compiler's code generator at -O0, whose simplest passes
 * do not clear away what splitting a coroutine leaves behind. Such units are compiled in two steps: as ever until the
 * generator's turn, with all hooks in, and then by a generator that does a little more.
 */
export async function withBetterGenerator<
  Compiled extends { readonly object: Uint8Array | undefined; readonly diagnostics: string },
>(source: string, run: Run<Compiled>): Promise<Compiled> {
  const unit = await run([...BEFORE_GENERATOR, source])
  if (unit.object === undefined) return unit
  const compiled = await run([...FROM_LLVM, ...BETTER_GENERATOR], unit.object)
  return { ...compiled, diagnostics: unit.diagnostics + compiled.diagnostics }
}

/** Whether a unit with these files has to be compiled so. */
export function needsBetterGenerator(files: readonly SourceFile[], flags: readonly string[]): boolean {
  if (!flags.includes(EXCEPTIONS[0]) || isOptimised(flags)) return false
  const decoder = new TextDecoder()
  return files.some(({ content }) => /\bco_(?:await|yield|return)\b/.test(decoder.decode(content)))
}
