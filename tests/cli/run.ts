import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { main } from '../../src/cli/main.js'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly width?: number
  readonly colour?: boolean
  readonly environment?: Readonly<Record<string, string>>
  /** Lines of standard input. */
  readonly input?: readonly string[]
  /** Another copy of the command. */
  readonly command?: typeof main
  /** Called with what ends the run, as Ctrl-C would. */
  readonly onStart?: (interrupt: () => void) => void
}

/** Runs the command in this process, in a folder of its own. */
export async function faultline(
  directory: string,
  argv: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  let out = ''
  let err = ''
  const code = await (options.command ?? main)(argv, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    width: options.width ?? 100,
    colour: options.colour ?? false,
    isLive: false,
    directory,
    command: 'faultline',
    ...(options.environment ? { environment: options.environment } : {}),
    async *readLines() {
      yield* options.input ?? []
    },
    onInterrupt(listener) {
      options.onStart?.(listener)
      return () => {}
    },
  })
  return { code, out, err }
}

/** An empty folder that is gone after the test, holding the given files; values other than strings become JSON. */
export function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}
