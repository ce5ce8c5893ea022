import { bundledCompiler } from './compile.js'
import { CompileError } from './errors.js'
import type { Unit } from './objects.js'
import { readRuntime } from './runtime.js'

/** What a unit is after its directives were followed. */
export async function preprocess({ set, flags }: Unit, cwd: string): Promise<string> {
  const { headers } = readRuntime()
  const compiler = bundledCompiler({ set, cwd, headers })
  const { object, diagnostics } = await compiler.preprocess(set.units[0], flags)
  if (object === undefined) throw new CompileError(diagnostics)
  return new TextDecoder().decode(object)
}
