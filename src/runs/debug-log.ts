import { appendFileSync } from 'node:fs'
import type { Runner } from '../execution/runner.js'
import type { Strategy } from '../execution/strategy.js'
import type { Machine } from '../machine/machine.js'
import { operations } from '../machine/operation.js'
import { type WrittenSearch, writtenSearch } from './search-invariants.js'

/**
 * `--debug`: every execution of a search as text, with its events, and what a reduction keeps at each step: who sleeps, and
 * what is still to be explored from there. For those who look for a fault in a search; large.
 */
export class DebugLog {
  private executions = 0

  constructor(
    private readonly machine: Machine,
    private readonly name: string,
    private readonly strategy: Strategy,
    private readonly file: string,
  ) {}

  /** Called when an execution has ended. Written at once, so that nothing is lost where the process ends. */
  note(runner: Runner): void {
    appendFileSync(this.file, `${this.textOf(runner).join('\n')}\n\n`)
  }

  private textOf({ trace, status, bug }: Runner): string[] {
    const { machine } = this
    const search = writtenSearch(this.strategy.save())
    const lines = [
      `execution ${++this.executions} of ${this.name}: ${status}${bug ? `, ${bug.message}` : ''}`,
    ]
    for (let d = 0; d < trace.length; d++) {
      const thread = trace.thread[d]
      const value = trace.value[d] > 0 ? `, alternative ${trace.value[d]}` : ''
      lines.push(...this.kept(search, d).map((text) => `      ${text}`))
      lines.push(`${String(d + 1).padStart(4)}  ${machine.threads.labelOf(thread)}${value}`)
      for (let i = trace.eventStart(d); i < trace.eventEnd[d]; i++) lines.push(`        ${this.eventText(i)}`)
    }
    return lines
  }

  private eventText(i: number): string {
    const { machine } = this
    const { kind, location, site } = machine.events
    const object = location[i] < 0 ? '' : ` ${machine.describeLocation(location[i])}`
    const place = site[i] < 0 ? '' : ` at ${machine.sites[site[i]].name}`
    return `${operations[kind[i]].name}${object}${place}`
  }

  /** What the search keeps before a step. */
  private kept(search: WrittenSearch | null, depth: number): string[] {
    const { threads } = this.machine
    const step = (thread: number, value: number) =>
      `${threads.labelOf(thread)}${value > 0 ? `=${value}` : value < 0 ? '=any' : ''}`
    const asleep = (search?.sleep[depth] ?? []).map(([thread, value]) => step(thread, value))
    const branches = (search?.trees?.[depth] ?? []).map(
      ([level, thread, value]) => `${'  '.repeat(level + 1)}${step(thread, value)}`,
    )
    return [
      ...(asleep.length > 0 ? [`asleep: ${asleep.join(', ')}`] : []),
      ...(branches.length > 0 ? ['still to be explored:', ...branches] : []),
    ]
  }
}
