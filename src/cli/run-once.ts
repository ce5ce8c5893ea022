import { explore } from '../execution/explore.js'
import { UserError } from '../files/user-error.js'
import { c } from '../frontends/c.js'
import { createStrategy } from '../strategies/index.js'
import type { Io } from './io.js'

/** As shells tell of a program that was ended by `abort`. */
const ABORTED = 134

/**
 * `faultline run`: one execution, as if the program ran by itself: what it prints is printed, and its exit code is ours.
 * So programs that `faultline cc` linked can be run by build systems.
 */
export async function runOnce(file: string | undefined, args: readonly string[], io: Io): Promise<number> {
  if (file === undefined) throw new UserError('run: name a program that faultline cc has linked')
  const { machine } = await c.load({ files: [file], args }, io.directory)
  const strategy = createStrategy('random', { machine, seed: 1 })
  const { firstBug } = explore({ machine, strategy, maxExecutions: 1 })
  for (const { stream, text } of machine.outputs ?? []) (stream === 'stderr' ? io.err : io.out)(text)
  if (firstBug === null) return 0
  const { bug } = firstBug
  const code = /exit code (\d+)/.exec(bug.message)?.[1]
  if (bug.kind === 'exit-code' && code !== undefined) return Number(code) & 0xff
  io.err(`${file}: ${bug.message}\n`)
  return ABORTED
}
