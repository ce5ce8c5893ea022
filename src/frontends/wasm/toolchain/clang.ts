import { setFlagsFromString } from 'node:v8'
import type { Command, RunOptions, Tree } from '@yowasp/clang'

/**
 * The compiler, linker and symbolizer of `@yowasp/clang`, as functions from files to files. The first call in a
 * process loads them, which takes about two seconds; later calls are fast.
 */

export type { Tree } from '@yowasp/clang'

export interface ToolResult {
  readonly ok: boolean
  /** The tree given, with what the tool wrote. */
  readonly files: Tree
  readonly stdout: string
  readonly stderr: string
}

type Yowasp = typeof import('@yowasp/clang')

let loading: Promise<Yowasp> | undefined

/** Starts loading, so that other work can go on meanwhile; called by `run` when it was not before. */
export function loadTools(): Promise<Yowasp> {
  loading ??= import('@yowasp/clang').then(async (tools) => {
    // Without arguments it only loads; the progress function given here is what keeps it silent.
    await withoutOptimising(() => tools.runLLVM(undefined, undefined, { fetchProgress() {} }))
    return tools
  })
  return loading
}

/**
 * Modules that are compiled meanwhile stay with the engine's baseline compiler, and their functions are checked when they
 * are first called. Optimising a compiler of 75 MB takes more than it ever gives back: a small program costs 5 seconds of
 * processor time instead of 9 the first time, and one in C++ 21 instead of 34. The budget is what a function may execute
 * before it is optimised; a module keeps the one that it was compiled with.
 */
async function withoutOptimising(load: () => unknown): Promise<void> {
  setFlagsFromString('--wasm-tiering-budget=2000000000')
  setFlagsFromString('--wasm-lazy-validation')
  try {
    await load()
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${USUAL_BUDGET}`)
    setFlagsFromString('--no-wasm-lazy-validation')
  }
}

/** The engine's own, which nothing tells; it was raised in version 12. */
const USUAL_BUDGET = Number.parseInt(process.versions.v8, 10) < 12 ? 1_800_000 : 13_000_000

export type Tool = keyof Yowasp['commands'] | 'symbolizer'

export async function runTool(
  tool: Tool,
  args: readonly string[],
  files: Tree,
  input?: string,
): Promise<ToolResult> {
  const { commands, Exit } = await loadTools()
  const stdout = new Collector()
  const stderr = new Collector()
  const options: RunOptions = { stdout: stdout.write, stderr: stderr.write, decodeASCII: false }
  if (input !== undefined) options.stdin = source(input)
  try {
    const run = (commands as Record<Tool, Command>)[tool]
    const result = await run([...args], files, options)
    return { ok: true, files: result ?? {}, stdout: stdout.text(), stderr: stderr.text() }
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    return { ok: false, files: error.files, stdout: stdout.text(), stderr: stderr.text() }
  }
}

class Collector {
  private readonly chunks: Uint8Array[] = []

  /** The chunk is reused by the tool: copied. */
  readonly write = (bytes: Uint8Array | null): void => {
    if (bytes) this.chunks.push(Uint8Array.from(bytes))
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8')
  }
}

function source(text: string): (length: number) => Uint8Array | null {
  let rest: Uint8Array = new TextEncoder().encode(text)
  return (length) => {
    if (rest.length === 0) return null
    const chunk = rest.subarray(0, length)
    rest = rest.subarray(length)
    return chunk
  }
}

/** The file at a path of the tree, if it is there. */
export function fileAt(tree: Tree, path: string): Uint8Array | undefined {
  let node: Tree | string | Uint8Array | undefined = tree
  for (const part of path.split('/').filter(Boolean)) {
    if (node === undefined || typeof node === 'string' || node instanceof Uint8Array) return undefined
    node = node[part]
  }
  if (typeof node === 'string') return new TextEncoder().encode(node)
  return node instanceof Uint8Array ? node : undefined
}

/** Puts a file into the tree, making folders as needed. */
export function putFile(tree: Tree, path: string, content: Uint8Array | string): void {
  const parts = path.split('/').filter(Boolean)
  const name = parts.pop()!
  let node = tree
  for (const part of parts) node = (node[part] ??= {}) as Tree
  node[name] = content
}
