import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

/**
 * `faultline demo`: finds a bug and verifies the repaired program. 0 when both come out as they should. `main` runs a
 * command as a person would.
 */
export async function runDemo(
  io: Io,
  main: (argv: readonly string[], io: Io) => Promise<number>,
): Promise<number> {
  const out = mkdtempSync(join(tmpdir(), 'faultline-demo-'))
  const step = async (file: string, title: string) => {
    const path = relative(io.directory, join(examples, file)) || file
    io.out(`${title}\n$ ${io.command} check ${path}\n\n`)
    const code = await main(['check', path, '--out', out], io)
    io.out('\n')
    return code
  }
  const racy = await step('01-counter/racy.c', 'Two threads increment a counter without a lock.')
  const fixed = await step('01-counter/fixed.c', 'The same, with a lock.')
  const asExpected = racy === ExitCode.bug && fixed === ExitCode.nothingFound
  if (!asExpected)
    io.err(`faultline: the demo went wrong: expected exit codes 1 and 0, got ${racy} and ${fixed}\n`)
  return asExpected ? ExitCode.nothingFound : ExitCode.internal
}
