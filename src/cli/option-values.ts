import { InvalidArgumentError } from 'commander'
import { parseBudget } from '../runs/budget.js'

/** Readers of what options hold, the way the option parser wants them. */

export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const n = Number(text)
    if (!/^\d+$/.test(text) || n < least || n > Number.MAX_SAFE_INTEGER) {
      throw new InvalidArgumentError(`Write a whole number from ${least}.`)
    }
    return n
  }
}

export function positive(text: string): number {
  const n = Number(text)
  if (!(n > 0 && Number.isFinite(n))) throw new InvalidArgumentError('Write a number above 0.')
  return n
}

/** What a reader throws for wrong input, the way the option parser wants it. */
export function reading<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text)
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message)
    }
  }
}

export const budget = reading(parseBudget)
