import { THREAD_ABSENT, THREAD_DONE } from '../../machine/machine.js'
import { operations } from '../../machine/operation.js'
import type { DeclaredObject } from './layout.js'
import type { ModelState } from './state.js'

/**
 * Canonical text of the whole state. Executions that differ only in the order of independent operations give the
 * same text; so outputs are shown per thread unless their order counts.
 */
export function describeState(s: ModelState): string {
  const lines = s.layout.objects.map((object) => `${object.name} = ${describeObject(s, object)}`)
  const threads = s.threads.names
    .map((_, t) => t)
    .filter((t) => t < s.pending.status.length && s.pending.status[t] !== THREAD_ABSENT)
    .sort((x, y) => (s.threads.names[x] < s.threads.names[y] ? -1 : 1))
  for (const t of threads) {
    const where =
      s.pending.status[t] === THREAD_DONE
        ? 'done'
        : `before ${operations[s.pending.kind[t]].name} at ${s.stops.sites[s.pending.site[t]]?.name}`
    lines.push([`thread ${s.threads.names[t]}: ${where}`, s.control.describe(t)].filter(Boolean).join('; '))
    if (!s.options.compareOutputs)
      lines.push(...outputsOf(s, t).map((line) => `thread ${s.threads.names[t]} printed ${line}`))
  }
  if (s.options.compareOutputs) {
    for (let i = 0; i < s.outputs; i++) lines.push(`printed ${s.outputText[i]}`)
  }
  return lines.join('\n')
}

function outputsOf(s: ModelState, t: number): string[] {
  return s.outputText.filter((_, i) => i < s.outputs && s.outputThread[i] === t)
}

function describeObject(s: ModelState, { type, cell, length }: DeclaredObject): string {
  const { cells } = s
  const thread = (index: number) => s.threads.names[index]
  switch (type) {
    case 'array':
      return `[${Array.from(cells.subarray(cell, cell + length)).join(', ')}]`
    case 'mutex':
      return cells[cell] === 0 ? 'free' : `held by ${thread(cells[cell] - 1)}, depth ${cells[cell + 1]}`
    case 'rwlock':
      return describeRwlock(cells[cell], thread(cells[cell + 1] - 1)) + waitingWriters(cells[cell + 2])
    case 'condition': {
      const waiters: string[] = []
      for (let w = cells[cell]; w !== 0; w = s.nextWaiter[w - 1]) waiters.push(thread(w - 1))
      return `waiting [${waiters.join(', ')}]`
    }
    case 'barrier':
      return `${cells[cell]} arrived, generation ${cells[cell + 1]}`
    default:
      return String(cells[cell])
  }
}

function describeRwlock(readers: number, writer: string | undefined): string {
  if (readers < 0) return `written by ${writer}`
  return readers === 0 ? 'free' : `${readers} readers`
}

function waitingWriters(count: number): string {
  return count === 0 ? '' : `, ${count} waiting to write`
}
