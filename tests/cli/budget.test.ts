import { describe, expect, it } from 'vitest'
import { defaultMaxSteps, Runner } from '../../src/execution/runner.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import { everywhere, parsePoints } from '../../src/machine/points.js'
import { stepLimit } from '../../src/runs/deepening.js'
import { runSearch } from '../../src/runs/search.js'
import { createStrategy } from '../../src/strategies/index.js'
import { endless, racyCounter } from './programs.js'
import { faultline, folderWith } from './run.js'

async function check(program: unknown, ...argv: string[]) {
  const folder = folderWith({ 'program.json': program })
  return faultline(folder, ['check', 'program.json', ...argv])
}

describe('memory', () => {
  it.each(['optimal', 'pos', 'auto', 'deepen'])(
    'ends %s with a verdict when it is short',
    async (strategy) => {
      const ran = await check(endless, '-s', strategy, '--memory-limit', '1M', '--json')
      expect(ran.code).toBe(0)
      const report = JSON.parse(ran.out)
      expect(report.verdict).toBe('budget')
      if (strategy !== 'pos') expect(report.guarantee).toMatch(/its memory ran out \(--memory-limit\)/)
    },
  )
})

describe('an execution that goes on when time is up', () => {
  const long = {
    ...endless,
    threads: { a: [{ op: 'loop', count: 5000, body: [{ op: 'fetchAdd', var: 'x', value: 1 }] }] },
  }

  it('is given up in the middle', async () => {
    const machine = modelMachine(long as never)
    machine.usePoints(everywhere)
    const strategy = createStrategy('dfs', { machine })
    const plan = {
      points: everywhere,
      strategy: 'dfs',
      order: 'stay',
      seed: 1,
      keepGoing: false,
      selfCheck: 0,
    } as const
    let looks = 0
    const result = await runSearch(machine, plan, strategy, { isOverdue: () => ++looks === 3 })
    expect(result).toMatchObject({ stopped: 'budget', isAbandoned: true, executions: 0 })
    expect(looks).toBe(3)
  })

  it('is given up in the first look of deepen, too', () => {
    const machine = modelMachine(long as never)
    let looks = 0
    expect(stepLimit(machine, () => ++looks === 3)).toBe(defaultMaxSteps)
    expect(looks).toBe(3)
  })

  it('is cut when it does very much in few steps', () => {
    const body = [
      { op: 'yield' },
      { op: 'loop', count: 10_000, body: [{ op: 'fetchAdd', var: 'x', value: 1 }] },
    ]
    const machine = modelMachine({ ...long, threads: { a: [{ op: 'while', condition: 1, body }] } } as never)
    machine.usePoints(parsePoints('yield'))
    // Where events are logged: what they take is what the limit is about.
    const runner = new Runner(machine, { maxSteps: 5000 })
    runner.run(createStrategy('optimal', { machine }))
    expect(runner).toMatchObject({ status: 'cut', isCutEarly: true })
    expect(runner.trace.length).toBeLessThan(2000)
  })

  it('is looked at the more often the longer it is, since a single choice may take long then', () => {
    const machine = modelMachine(long as never)
    machine.usePoints(everywhere)
    const looks: number[] = []
    const runner: Runner = new Runner(machine, { isOverdue: () => looks.push(runner.trace.length) < 0 })
    runner.run(createStrategy('dfs', { machine }))
    const late = looks.filter((depth) => depth > 2500)
    expect(late.length).toBeGreaterThan(250)
    for (const [i, depth] of late.entries())
      if (i > 0 && depth - late[i - 1] > 8) expect.fail(`none until ${depth}`)
  })

  it('is not looked at by those who give no limit', () => {
    const machine = modelMachine(long as never)
    const runner = new Runner(machine)
    expect(runner.run(createStrategy('dfs', { machine }))).toBe(true)
    expect(runner.trace.length).toBe(5000)
  })
})

describe('a run that was not done', () => {
  it.each(['auto', 'deepen', 'optimal'])('takes three lines with %s', async (strategy) => {
    const limit = strategy === 'deepen' ? '60' : '400'
    const { out } = await faultline(
      folderWith({ 'program.json': endless }),
      ['check', 'program.json', '-s', strategy, '--executions', limit],
      { width: 1000 },
    )
    const lines = out
      .trimEnd()
      .split('\n')
      .filter((line) => !line.includes('But:'))
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(['NO', 'Covered:', 'Not', 'Try:'])
    expect(lines[3]).toMatch(/more --executions, fewer threads/)
  })

  it('tells the rest when asked', async () => {
    const { out } = await check(endless, '-s', 'deepen', '--executions', '60', '--verbose')
    expect(out).toMatch(/Holds for:/)
    expect(out).toMatch(/Switching threads only at/)
  })

  it('says where the time went', async () => {
    const ran = await check(racyCounter(3), '--json')
    const { time, seconds } = JSON.parse(ran.out)
    expect(time.exploring).toBe(seconds)
    expect(time.all).toBeGreaterThanOrEqual(time.building + time.exploring)
  })
})

it('samples a program whose executions are cut, and says nothing of every schedule', async () => {
  const counting = [{ op: 'while', condition: 1, body: [{ op: 'fetchAdd', var: 'x', value: 1 }] }]
  const program = { variables: { x: 0 }, threads: { a: counting, b: [{ op: 'load', var: 'x', into: 'r' }] } }
  const ran = await check(program, '--steps', '30', '--executions', '200', '--json')
  const { verdict, guarantee, cut, phases } = JSON.parse(ran.out)
  expect(verdict).toBe('budget')
  expect(guarantee).not.toMatch(/every schedule/)
  expect(cut).toBe(200)
  expect(phases.map(({ strategy }: { strategy: string }) => strategy)).toEqual(['optimal', 'mix'])
})

describe('--list-points', () => {
  const name = 'longer'.repeat(40)
  const program = { variables: { x: 0 }, threads: { [name]: [{ op: 'store', var: 'x', value: 1 }] } }

  it.each([60, 80, 200])('fits into %d columns', async (width) => {
    const folder = folderWith({ 'program.json': program })
    const { out, code } = await faultline(folder, ['check', 'program.json', '--list-points'], { width })
    expect(code).toBe(0)
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(width)
  })
})
