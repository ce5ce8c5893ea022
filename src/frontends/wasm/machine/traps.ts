import type { BugKind } from '../../../machine/bug.js'
import { UnsupportedError } from '../toolchain/errors.js'

/** Where the program was, as far as is known. */
export interface TrapPlace {
  /** Last instruction that can trap by itself. */
  readonly site: number
  /** Innermost call. */
  readonly call: number
  /** Last access logged and not taken in yet. */
  readonly access: number
  /** It happened while a thread was being switched. */
  readonly switching: boolean
}

/** What V8 says, and what it means; `at` picks the place. */
const meanings: readonly { pattern: RegExp; message: string; at: 'site' | 'call' | 'access' }[] = [
  { pattern: /memory access out of bounds/, message: 'access outside memory', at: 'access' },
  { pattern: /unaligned/, message: 'atomic access at an address that is not aligned', at: 'site' },
  { pattern: /divide by zero|remainder by zero/, message: 'division by zero', at: 'site' },
  {
    pattern: /divide result unrepresentable|integer overflow/,
    message: 'overflow in a division',
    at: 'site',
  },
  { pattern: /float unrepresentable/, message: 'float out of the range of the integer type', at: 'site' },
  { pattern: /unreachable/, message: 'code that must not be reached', at: 'site' },
  {
    pattern: /null function|signature mismatch|table index|indirect call/,
    message: 'call through a pointer that is not a function of that type',
    at: 'call',
  },
]

/** The bug a WebAssembly trap stands for, or null when the error is none. */
export function trapBug(
  error: unknown,
  place: TrapPlace,
): { kind: BugKind; message: string; site: number } | null {
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    return { kind: 'trap', message: 'stack overflow: calls nest too deeply', site: place.call }
  }
  if (!(error instanceof WebAssembly.RuntimeError)) return null
  if (place.switching) {
    throw new UnsupportedError('calls nest too deeply for a thread to be suspended there', [])
  }
  for (const { pattern, message, at } of meanings) {
    if (!pattern.test(error.message)) continue
    const site = at === 'access' && place.access < 0 ? place.call : place[at]
    return { kind: 'trap', message, site }
  }
  return { kind: 'trap', message: error.message, site: place.call }
}

/**
 * What an assertion of the program's own library said before it gave up, in the words used for all programs. It prints
 * that last of all, then executes `unreachable`.
 */
export function failedAssertion(output: string): string | undefined {
  const [, expression, file, line] = /Assertion failed: (.*) \((.*): .*: (\d+)\)\s*$/.exec(output) ?? []
  return line === undefined ? undefined : `assertion ${expression} failed at ${file}:${line}`
}
