import { fileURLToPath } from 'node:url'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'

const SCRIPT = fileURLToPath(new URL('../../bin/faultline.js', import.meta.url))

export interface Tool {
  /** One line of help. */
  readonly summary: string
  /** Returns the exit code. */
  run(argv: readonly string[], io: Io): Promise<number>
}

/** What build systems call instead of a compiler, linker or archiver. Their arguments are not ours to parse. */
export const tools: Readonly<Record<string, Tool>> = {
  cc: {
    summary: 'compile and link C, called by a build system instead of its compiler',
    run: (argv, io) => compiler(argv, false, io),
  },
  'c++': { summary: 'the same for C++', run: (argv, io) => compiler(argv, true, io) },
  ar: {
    summary: 'make archives of what cc and c++ compiled',
    async run(argv, io) {
      const { driveArchiver } = await import('../frontends/wasm/driver/archiver.js')
      return reporting(io, () => driveArchiver(argv, { cwd: io.directory, out: io.out }))
    },
  },
  ranlib: {
    summary: 'do nothing: archives have an index from the beginning',
    run: async () => ExitCode.nothingFound,
  },
  run: {
    summary: 'run a program once, under one schedule',
    async run([file, ...args], io) {
      const { runOnce } = await import('./run-once.js')
      return runOnce(file, args, io)
    },
  },
}

async function compiler(argv: readonly string[], cxx: boolean, io: Io): Promise<number> {
  const { driveCompiler } = await import('../frontends/wasm/driver/compiler.js')
  const { directory: cwd, out, err } = io
  const cc = io.environment?.FAULTLINE_CC || undefined
  return reporting(io, () => driveCompiler(argv, { cwd, cxx, out, err, cc, script: SCRIPT }))
}

/** Compilers say what is wrong and end with 1. */
async function reporting(io: Io, work: () => Promise<void>): Promise<number> {
  const { BuildError } = await import('../frontends/wasm/toolchain/errors.js')
  try {
    await work()
    return ExitCode.nothingFound
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    io.err(`faultline: error: ${error.message}\n`)
    return 1
  }
}
