import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { emptyScript, innermost, type Strategy } from '../../src/execution/strategy.js'
import { addReportWriter, type ReportWriter } from '../../src/reports/write/index.js'
import { addStrategy } from '../../src/strategies/index.js'
import type { StrategyEntry } from '../../src/strategies/registry.js'
import { lockedCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'

/** Round robin, beginning with a thread that an option names; counts its choices. */
function roundRobin(first: number): Strategy & { choices: number } {
  let next = first
  return {
    name: 'round-robin',
    footprints: false,
    script: emptyScript,
    choices: 0,
    begin() {
      next = first
      return true
    },
    choose(point) {
      this.choices++
      let option = 0
      while (option < point.count && point.thread[option] < next) option++
      if (option === point.count) option = 0
      next = point.thread[option] + 1
      return option
    },
    end() {},
    save: () => ({}),
  }
}

const entry: StrategyEntry = {
  name: 'round-robin',
  summary: 'each enabled thread in turn',
  promise: 'sample',
  page: 'round-robin.md',
  options: [
    {
      flags: '--first-thread <n>',
      help: 'the thread to begin with',
      parse(text) {
        if (!/^\d+$/.test(text)) throw new RangeError('Write the number of a thread.')
        return Number(text)
      },
    },
  ],
  statistics: {
    name: 'turns',
    read: (strategy) => ({ choices: (innermost(strategy) as ReturnType<typeof roundRobin>).choices }),
    text: ({ choices }) => `It made ${choices} choices.`,
  },
  create: ({ options }) => roundRobin((options?.firstThread as number | undefined) ?? 0),
}

it('a strategy with an option and statistics of its own takes an entry and nothing else', async () => {
  onTestFinished(addStrategy(entry))
  const folder = folderWith({ 'program.json': lockedCounter() })
  const check = (...argv: string[]) => faultline(folder, ['check', 'program.json', ...argv])
  const run = ['-s', 'round-robin', '--executions', '2']
  const { out, code } = await check(...run, '--first-thread', '1', '--json')
  expect(code).toBe(0)
  const { statistics, strategy } = JSON.parse(out)
  expect(strategy).toBe('round-robin')
  expect(statistics.turns.choices).toBeGreaterThan(2)
  expect(statistics.turns.text).toBe(`It made ${statistics.turns.choices} choices.`)
  expect((await check(...run)).out).toMatch(/It made \d+ choices\./)
  expect((await check('--help')).out).toMatch(
    /For round-robin:\s+--first-thread <n> +the thread to begin with/,
  )
  expect((await faultline(folder, ['strategies'])).out).toMatch(/round-robin +each enabled thread in turn/)
  expect((await check(...run, '--first-thread', 'x')).err).toMatch(/Write the number of a thread/)
  const other = await check('-s', 'dfs', '--first-thread', '1')
  expect(other.code).toBe(2)
  expect(other.err).toMatch(/--first-thread: only for strategy round-robin, not for dfs/)
})

const lines: ReportWriter = {
  name: 'lines',
  option: { flags: '--lines <file>', help: 'write a line per bug to a file' },
  write: ({ bugs }) => bugs.map(({ kind, location }) => `${kind} at ${location}\n`).join(''),
}

it('a report writer takes an entry and nothing else', async () => {
  onTestFinished(addReportWriter(lines))
  const program = { threads: { a: [{ op: 'assert', condition: 0 }] } }
  const folder = folderWith({ 'program.json': program })
  const { out, code } = await faultline(folder, ['check', 'program.json', '--lines', 'bugs.txt'])
  expect(code).toBe(1)
  expect(out).toMatch(/^BUG assertion/)
  expect(readFileSync(join(folder, 'bugs.txt'), 'utf8')).toBe('assertion at a:0\n')
})

it('a name that is taken is refused', () => {
  expect(() => addStrategy({ ...entry, name: 'dfs' })).toThrow(/there is a dfs already/)
  expect(() => addReportWriter({ ...lines, name: 'json' })).toThrow(/there is a json already/)
})
