import { kindOf } from './examine.js'
import type { Finding } from './finding.js'
import { nameOf } from './question.js'
import type { Subject } from './subject.js'

/** What is wrong, by kind, and with whom: `lost by optimal, source, best-first (12)`; with an example of each. */
export function summary(findings: readonly Finding[]): Map<string, Finding> {
  const result = new Map<string, Finding>()
  for (const [kind, list] of grouped(findings, kindOf)) {
    const names = [...new Set(list.map((finding) => nameOf(finding.question)))]
    const families = grouped(names, (name) => name.replace(/[:, ].*/, ''))
    const texts = [...families].map(([name, all]) => (all.length > 1 ? `${name} (${all.length})` : all[0]))
    result.set(`${kind} by ${texts.join(', ')}`, list[0])
  }
  return result
}

export function describe(subject: Subject, findings: readonly Finding[]): string {
  const lines = [...summary(findings)].map(
    ([who, { fault, text }]) => `  ${who}: ${fault}: ${text.replaceAll('\n', ' ')}`,
  )
  return [...lines, `  ${JSON.stringify(subject)}`].join('\n')
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
