import type { Command, RunOptions, Tree } from '@yowasp/clang'
import { NEVER, withBaseline } from '../baseline.js'
import { withoutCopies } from './resources.js'

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
    // Without arguments it only loads; the progress function given here is what keeps it silent. Optimising 75 MB never
    // pays: a small program costs 5 seconds of processor time instead of 9 the first time, one in C++ 21 instead of 34.
    await withBaseline(NEVER, () =>
      withoutCopies(async () => tools.runLLVM(undefined, undefined, { fetchProgress() {} })),
    )
    return tools
  })
  return loading
}

export type Tool = keyof Yowasp['commands'] | 'symbolizer'

/** Runs a tool on a tree of files. */
export type RunTool = (
  tool: Tool,
  args: readonly string[],
  files: Tree,
  input?: string,
) => Promise<ToolResult>

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
  const { toStdout, output } = streamed(args)
  try {
    const run = (commands as Record<Tool, Command>)[tool]
    const result = (await run(toStdout, files, options)) ?? {}
    if (output === undefined) return { ok: true, files: result, stdout: stdout.text(), stderr: stderr.text() }
    putFile(result, output, stdout.bytes())
    return { ok: true, files: result, stdout: '', stderr: stderr.text() }
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    return { ok: false, files: error.files, stdout: stdout.text(), stderr: stderr.text() }
  }
}

/**
 * The tools write 4096 bytes at a time, and their file system copies the whole file with each: for a large program in C++
 * that takes a fifth of the time. What goes to standard output is not copied.
 */
function streamed(args: readonly string[]): { toStdout: string[]; output: string | undefined } {
  const at = args.indexOf('-o') + 1
  return {
    toStdout: args.map((arg, i) => (i === at && at > 0 ? '-' : arg)),
    output: at > 0 ? args[at] : undefined,
  }
}

class Collector {
  private readonly chunks: Uint8Array[] = []

  /** The chunk is reused by the tool: copied. */
  readonly write = (bytes: Uint8Array | null): void => {
    if (bytes) this.chunks.push(Uint8Array.from(bytes))
  }

  bytes(): Uint8Array {
    return Uint8Array.from(Buffer.concat(this.chunks))
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
