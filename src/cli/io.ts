import { basename, join, relative } from 'node:path'
import { createInterface } from 'node:readline'

/** What the command touches of the outside world; tests bring their own. */
export interface Io {
  out(text: string): void
  err(text: string): void
  /** Columns of standard output. */
  readonly width: number
  /** Standard output takes colours. */
  readonly colour: boolean
  /** Standard error is a terminal: a live line may be shown. */
  readonly isLive: boolean
  /** What relative paths are relative to. */
  readonly directory: string
  /** How the command was called, so that lines to paste work here. */
  readonly command: string
  /** Variables of the environment that the command looks at. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Lines of standard input, without their ends. */
  readLines(): AsyncIterable<string>
  /** Calls back at Ctrl-C; returns how to stop listening. */
  onInterrupt(listener: () => void): () => void
}

const pipedWidth = 100

export function processIo(): Io {
  const { stdout, stderr, env } = process
  // Whoever reads our output may have had enough (`| head`): that is no fault of ours.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    width: stdout.isTTY ? stdout.columns : pipedWidth,
    colour: Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb',
    isLive: Boolean(stderr.isTTY) && env.TERM !== 'dumb',
    directory: process.cwd(),
    command: commandFor(process.argv[1], process.cwd()),
    environment: env,
    readLines: () => createInterface({ input: process.stdin, terminal: false }),
    onInterrupt(listener) {
      process.on('SIGINT', listener)
      return () => process.off('SIGINT', listener)
    },
  }
}

/** What to type to run this again: by name if it was found by name, else through node. */
export function commandFor(script: string, directory: string): string {
  if (basename(script) !== 'faultline') return `node ${relative(directory, script)}`
  return script.includes(join('node_modules', '.bin')) ? 'npx faultline' : 'faultline'
}
