import { indented, wrap } from '../reports/write/wrap.js'
import { compositeStrategies } from '../runs/plan.js'
import { strategies } from '../strategies/index.js'
import type { StrategyEntry } from '../strategies/registry.js'
import type { Io } from './io.js'

const promises: Readonly<Record<StrategyEntry['promise'], string>> = {
  all: 'explores every schedule',
  bounded: 'explores every schedule within a bound (--bound)',
  sample: 'samples schedules until --executions or --budget is used up',
}

/** `faultline strategies`: the registry, for people. */
export function listStrategies(io: Io): void {
  const rows = [
    ...compositeStrategies.map(({ name, summary }) => ({ name, text: summary })),
    ...strategies.map((entry) => ({
      name: entry.name,
      text: `${entry.summary}; ${promises[entry.promise]}${entry.argument ? `. ${entry.name}:… ${entry.argument}` : ''}`,
    })),
  ]
  const column = Math.max(...rows.map((row) => row.name.length)) + 2
  for (const { name, text } of rows) {
    const lines = wrap(text, Math.max(40, io.width - column)).map(indented(column))
    lines[0] = name.padEnd(column) + lines[0].trimStart()
    io.out(`${lines.join('\n')}\n`)
  }
}
