import { runTool } from './clang.js'

export interface Frame {
  /** As in the debug information, without scope: the linkage name would come from a symbol table that is off. */
  readonly function: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

interface SymbolizerEntry {
  readonly Address: string
  readonly Symbol?: readonly {
    readonly FunctionName: string
    readonly FileName: string
    readonly Line: number
    readonly Column: number
  }[]
}

/** Frames at each code offset, innermost first: more than one where the compiler inlined. */
export async function symbolise(
  wasm: Uint8Array,
  offsets: readonly number[],
  userPath: (file: string) => string,
): Promise<readonly Frame[][]> {
  if (offsets.length === 0) return []
  const unique = [...new Set(offsets)]
  const args = ['--obj=/linked.wasm', '--inlines', '--output-style=JSON', '--functions=short']
  const input = unique.map((offset) => `0x${offset.toString(16)}\n`).join('')
  const { ok, stdout, stderr } = await runTool('symbolizer', args, { 'linked.wasm': wasm }, input)
  if (!ok) throw new Error(`the symbolizer failed: ${stderr}`)
  const frames = new Map<number, Frame[]>()
  for (const line of stdout.split('\n').filter(Boolean)) {
    const entry = JSON.parse(line) as SymbolizerEntry
    frames.set(
      Number(entry.Address),
      (entry.Symbol ?? []).map((symbol) => toFrame(symbol, userPath)),
    )
  }
  return offsets.map((offset) => frames.get(offset) ?? [])
}

function toFrame(
  symbol: NonNullable<SymbolizerEntry['Symbol']>[number],
  userPath: (file: string) => string,
): Frame {
  const { FunctionName, FileName, Line, Column } = symbol
  return {
    function: FunctionName,
    ...(FileName ? { file: userPath(FileName) } : {}),
    ...(Line > 0 ? { line: Line } : {}),
    ...(Column > 0 ? { column: Column } : {}),
  }
}
