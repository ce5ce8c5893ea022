import { CommanderError } from 'commander'
import { NondeterminismError } from '../execution/determinism.js'
import { DivergenceError } from '../execution/runner.js'
import { ScheduleError } from '../execution/schedule.js'
import { UserError } from '../files/user-error.js'
import { LoadError } from '../frontends/front-end.js'
import { StrategyError } from '../strategies/registry.js'

export const ExitCode = {
  nothingFound: 0,
  bug: 1,
  /** Wrong use, or a program that does not build. */
  wrongUse: 2,
  /** Our own fault. */
  internal: 3,
} as const

const userErrors = [
  UserError,
  LoadError,
  StrategyError,
  ScheduleError,
  NondeterminismError,
  DivergenceError,
  CommanderError,
]

export const faultOfOurs = 'this is a fault in faultline, not in your program'

/** Errors of the operating system that a person can put right: paths and rights. */
const fileErrors = new Set(['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'EROFS', 'ENOSPC', 'EEXIST'])

export interface Failure {
  readonly code: number
  readonly message: string
}

/** What to say about an error, and whose it is. */
export function failureOf(error: unknown): Failure {
  if (userErrors.some((kind) => error instanceof kind) || fileErrors.has((error as { code: string })?.code)) {
    return { code: ExitCode.wrongUse, message: printable((error as Error).message) }
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    code: ExitCode.internal,
    message: `${faultOfOurs}; please report it with the text below\n${text}`,
  }
}

/** What is quoted from a file, or from the command line, must not steer the terminal: control characters are spelt out. */
function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
