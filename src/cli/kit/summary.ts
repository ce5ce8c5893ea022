import { count, formatSeconds, grouped } from '../../words/words.js'
import type { KitTest } from './kit.js'
import type { TestResult } from './results.js'

/** Results as people read them. */

const words: Readonly<Record<TestResult['outcome'], string>> = {
  verified: 'verified',
  bug: 'BUG',
  partial: 'no bug found',
  failed: 'not run',
  begun: 'ended',
}

/** One line per test. */
export function resultLine({ test, outcome, text, executions, seconds }: TestResult, width: number): string {
  const schedules = executions === 1 ? '1 schedule' : `${grouped(executions)} schedules`
  const cost = executions > 0 ? ` (${schedules}, ${formatSeconds(seconds)})` : ''
  return `  ${test.padEnd(width)}  ${words[outcome].padEnd(12)}  ${text}${cost}\n`
}

/** A bug that several tests show is one bug. */
export function bugTexts(results: readonly TestResult[], tests: readonly KitTest[]): string[] {
  const groups = new Map<string, TestResult[]>()
  for (const result of results) {
    if (result.bug === undefined) continue
    const key = `${result.bug.kind}@${result.bug.location}`
    groups.set(key, [...(groups.get(key) ?? []), result])
  }
  return [...groups.values()].map(([first, ...others]) => {
    const { bug, test, text } = first
    const about = tests.find(({ file }) => nameOf(file) === test)?.shows
    const also =
      others.length > 0 ? `  also shown by ${others.map((result) => result.test).join(', ')}\n` : ''
    return `${text}\n  shown by ${test}: ${about}\n${also}  report: ${bug!.report}\n  see it again: ${bug!.replay}\n`
  })
}

export function nameOf(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.\w+$/, '')
}

/** `15 tests: 12 verified, 2 bugs, 1 not run`. */
export function countText(results: readonly TestResult[]): string {
  const of = (...outcomes: TestResult['outcome'][]) =>
    results.filter((result) => outcomes.includes(result.outcome)).length
  const parts = [
    [of('verified'), 'verified'],
    [of('bug'), 'with a bug'],
    [of('partial'), 'without a bug so far'],
    [of('failed', 'begun'), 'not run'],
  ] as const
  const told = parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`)
  return `${count(results.length, 'test')}: ${told.join(', ')}`
}
