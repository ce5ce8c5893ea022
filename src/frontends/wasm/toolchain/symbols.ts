import { type RunTool, runTool } from './clang.js'

export interface Frame {
  /** As in the debug information, without scope: the linkage name would come from a symbol table that is off. */
  readonly function: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

export interface Place {
  readonly offset: number
  /** Last byte of the function it lies in. */
  readonly limit: number
  /** False where there is no use in looking further for a line. */
  readonly ahead?: boolean
}

/** How far to look ahead for a line, in bytes. */
const AHEAD = 48

/**
 * Frames at each code offset, innermost first: more than one where the compiler inlined. The compiler gives some
 * instructions no line, the header of an empty loop for one: then the next that has one tells.
 */
export async function locate(
  wasm: Uint8Array,
  places: readonly Place[],
  userPath: (file: string) => string,
  run: RunTool = runTool,
): Promise<readonly Frame[][]> {
  const symbolised = (offsets: readonly number[]) => symbolise(wasm, offsets, userPath, run)
  const frames = [...(await symbolised(places.map((place) => place.offset)))]
  const lost = frames.flatMap((found, i) =>
    found[0]?.line === undefined && places[i].ahead !== false ? [i] : [],
  )
  const ahead = lost.flatMap((i) =>
    Array.from({ length: AHEAD }, (_, k) => Math.min(places[i].offset + k + 1, places[i].limit)),
  )
  const others = await symbolised(ahead)
  lost.forEach((i, k) => {
    const next = others.slice(k * AHEAD, (k + 1) * AHEAD).find((found) => found[0]?.line !== undefined)
    if (next) frames[i] = next
  })
  return frames
}

async function symbolise(
  wasm: Uint8Array,
  offsets: readonly number[],
  userPath: (file: string) => string,
  run: RunTool,
): Promise<readonly Frame[][]> {
  if (offsets.length === 0) return []
  const unique = [...new Set(offsets)]
  // Its JSON is written a character at a time, each through many layers: a hundred times as slow as plain lines.
  const args = ['--obj=linked.wasm', '--inlines', '--output-style=LLVM', '--functions=short']
  const input = unique.map((offset) => `0x${offset.toString(16)}\n`).join('')
  const { ok, stdout, stderr } = await run('symbolizer', args, { 'linked.wasm': wasm }, input)
  if (!ok) throw new Error(`the symbolizer failed: ${stderr}`)
  const paths = new Map<string, string>()
  const known = (file: string): string => {
    if (!paths.has(file)) paths.set(file, userPath(file))
    return paths.get(file)!
  }
  const answers = stdout.split('\n\n')
  // What follows the last answer's empty line.
  if (answers.pop() !== '' || answers.length !== unique.length) {
    throw new Error(
      `the symbolizer answered ${answers.length} of ${unique.length} questions; please report this`,
    )
  }
  const frames = new Map(unique.map((offset, i) => [offset, framesIn(answers[i], known)]))
  return offsets.map((offset) => frames.get(offset) ?? [])
}

/** Each frame takes two lines: the function, and `FILE:LINE:COLUMN`; what is not known is `??` or 0. */
function framesIn(answer: string, userPath: (file: string) => string): Frame[] {
  const lines = answer.split('\n')
  const frames: Frame[] = []
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const [, file = '', line = '0', column = '0'] = /^(.*):(\d+):(\d+)$/.exec(lines[i + 1]) ?? []
    frames.push({
      function: lines[i] === '??' ? '' : lines[i],
      ...(file && file !== '??' ? { file: userPath(file) } : {}),
      ...(Number(line) > 0 ? { line: Number(line) } : {}),
      ...(Number(column) > 0 ? { column: Number(column) } : {}),
    })
  }
  return frames
}
