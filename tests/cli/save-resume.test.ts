import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { strategies } from '../../src/strategies/index.js'
import { endless, lockedCounter, racyCounter, twoBugs } from './programs.js'
import { faultline, folderWith } from './run.js'

async function json(folder: string, ...argv: string[]) {
  const ran = await faultline(folder, ['check', ...argv, '--json'])
  return { ...ran, report: ran.out === '' ? undefined : JSON.parse(ran.out) }
}

const totals = ({ executions, blocked, cut, steps, verdict }: Record<string, unknown>) => ({
  executions,
  blocked,
  cut,
  steps,
  verdict,
})

describe('save and resume', () => {
  it.each(strategies.map((entry) => [entry.name, entry.promise] as const))(
    'goes on exactly with %s, whatever the pieces',
    async (name, promise) => {
      const folder = folderWith({ 'locked.json': lockedCounter(3) })
      const limit = promise === 'sample' ? ['--executions', '90'] : []
      const whole = await json(folder, 'locked.json', '-s', name, ...limit)
      let at = 0
      let report = { verdict: 'budget' } as Record<string, unknown>
      const pieces = promise === 'sample' ? [7, 40, 90] : [1, 2, 4, 30, 100_000]
      for (const until of pieces) {
        const from = at === 0 ? ['-s', name] : ['--resume', 'search']
        const ran = await json(folder, 'locked.json', ...from, '--executions', `${until}`, '--save', 'search')
        expect(ran.code).toBe(0)
        report = ran.report
        at = until
        if (report.verdict === 'verified') break
      }
      expect(totals(report)).toEqual(totals(whole.report))
    },
  )

  it.each(['dfs', 'dpor', 'source', 'optimal', 'icb', 'delay'])(
    'forecasts with %s what it would have without a break',
    async (name) => {
      const folder = folderWith({ 'racy.json': racyCounter(4) })
      const until = (n: number) => ['--keep-going', '--executions', `${n}`]
      const whole = await json(folder, 'racy.json', '-s', name, ...until(60))
      await json(folder, 'racy.json', '-s', name, ...until(23), '--save', 'search')
      const rest = await json(folder, 'racy.json', '--resume', 'search', ...until(60))
      const { secondsLeft, ...known } = whole.report.outlook
      expect(secondsLeft).toBeGreaterThan(0)
      expect(known.share).toBeLessThan(1)
      expect(rest.report.outlook).toMatchObject(known)
    },
  )

  it('does not forget bugs found before', async () => {
    const folder = folderWith({ 'two.json': twoBugs })
    const first = await json(folder, 'two.json', '-s', 'dfs', '--save', 'search')
    expect(first.report.bugs).toHaveLength(1)
    const rest = await json(folder, 'two.json', '--resume', 'search', '--keep-going')
    expect(rest.code).toBe(1)
    expect(rest.report.bugs).toHaveLength(2)
    const whole = await json(folder, 'two.json', '-s', 'dfs', '--keep-going')
    expect(rest.report.executions).toBe(whole.report.executions)
  })

  it('goes on with any of the searches of auto, whatever the pieces', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter(3) })
    const auto = ['--preempt', 'lock,unlock']
    const whole = await json(folder, 'locked.json', ...auto)
    let report: Record<string, unknown> = {}
    // In the first search, in the second, in the last one.
    for (const until of [1, 100, 310, 100_000]) {
      const from = until === 1 ? auto : ['--resume', 'run']
      const ran = await json(folder, 'locked.json', ...from, '--executions', `${until}`, '--save', 'run')
      expect(ran.code).toBe(0)
      report = ran.report
    }
    expect(totals(report)).toEqual(totals(whole.report))
    expect(report.phases).toHaveLength((whole.report.phases as unknown[]).length)
  })

  it('refuses a search of another program', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter(), 'racy.json': racyCounter() })
    await json(folder, 'locked.json', '-s', 'dfs', '--executions', '2', '--save', 'search')
    const before = readFileSync(join(folder, 'search'), 'utf8')
    const ran = await faultline(folder, ['check', 'racy.json', '--resume', 'search', '--save', 'search'])
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/saved on another program/)
    expect(readFileSync(join(folder, 'search'), 'utf8')).toBe(before)
  })

  it.each([
    [['-s', 'optimal'], /--strategy: the run was saved with --strategy dfs/],
    [['--seed', '9'], /--seed: the run was saved with --seed 1/],
    [['--preempt', 'lock'], /--preempt: the run was saved with points yield,everywhere/],
    [['--order', 'random'], /--order: the run was saved with --order stay/],
  ])('refuses %j when going on', async (argv, message) => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    await json(folder, 'locked.json', '-s', 'dfs', '--executions', '2', '--save', 'search')
    const ran = await faultline(folder, ['check', 'locked.json', '--resume', 'search', ...argv])
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(message)
  })

  it('refuses a file cut anywhere, and leaves it alone', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    await json(folder, 'locked.json', '-s', 'dfs', '--executions', '2', '--save', 'search')
    const text = readFileSync(join(folder, 'search'), 'utf8')
    for (let length = 0; length < text.length - 2; length += 97) {
      const cut = text.slice(0, length)
      writeFileSync(join(folder, 'search'), cut)
      const ran = await faultline(folder, ['check', 'locked.json', '--resume', 'search', '--save', 'search'])
      expect(ran.code).toBe(2)
      expect(ran.err).toMatch(/truncated/)
      expect(readFileSync(join(folder, 'search'), 'utf8')).toBe(cut)
    }
  })

  it('says which field is wrong', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    await json(folder, 'locked.json', '-s', 'dfs', '--executions', '2', '--save', 'search')
    const saved = JSON.parse(readFileSync(join(folder, 'search'), 'utf8'))
    // The program is named here; that a file alone needs it is checked below.
    for (const key of Object.keys(saved).filter((k) => k !== 'format' && k !== 'source')) {
      const { [key]: _, ...rest } = saved
      writeFileSync(join(folder, 'damaged'), JSON.stringify(rest))
      const ran = await faultline(folder, ['check', 'locked.json', '--resume', 'damaged'])
      expect(ran.code).toBe(2)
      expect(ran.err).toContain(`"${key}" is missing or wrong`)
    }
    expect(existsSync(join(folder, 'search'))).toBe(true)
  })
})

describe('resuming without naming the program', () => {
  it.each(['dfs', 'deepen'])('goes on with the program that %s was saved on', async (strategy) => {
    const folder = folderWith({ 'racy.json': racyCounter(3), 'locked.json': lockedCounter(4) })
    await json(folder, 'locked.json', '-s', strategy, '--executions', '2', '--save', 'run.json')
    const { code, report } = await json(folder, '--resume', 'run.json')
    expect(code).toBe(0)
    expect(report).toMatchObject({ program: 'locked.json', verdict: 'verified' })
  })

  it('finds the program from another folder, and writes failures where the command was given', async () => {
    const folder = folderWith({ 'two.json': twoBugs })
    const other = folderWith({})
    await json(folder, 'two.json', '-s', 'dfs', '--executions', '1', '--save', 'run.json')
    const { code, report } = await json(other, '--resume', join(folder, 'run.json'), '--keep-going')
    expect(code).toBe(1)
    expect(report.bugs.map(({ schedule }: { schedule: string }) => existsSync(schedule))).toEqual([
      true,
      true,
    ])
    expect(report.bugs[0].schedule).toContain(other)
  })

  it('refuses to build the program otherwise, and a file that names none', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    await json(folder, 'locked.json', '-s', 'dfs', '--executions', '2', '--save', 'run.json')
    const built = await faultline(folder, ['check', '--resume', 'run.json', '-O2'])
    expect(built.code).toBe(2)
    expect(built.err).toMatch(/-O: the program is built as it was/)
    const { source: _, ...rest } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
    writeFileSync(join(folder, 'old.json'), JSON.stringify(rest))
    const old = await faultline(folder, ['check', '--resume', 'old.json'])
    expect(old.code).toBe(2)
    expect(old.err).toMatch(/does not say which program/)
  })
})

describe('--save-every', () => {
  /** How often the file was replaced while the search went on. */
  async function saves(every: string, budget: string): Promise<number> {
    const folder = folderWith({ 'endless.json': endless })
    const seen = new Set<string>()
    const path = join(folder, 'run.json')
    const watch = setInterval(() => {
      if (existsSync(path)) seen.add(readFileSync(path, 'utf8'))
    }, 5)
    await json(
      folder,
      'endless.json',
      '-s',
      'dfs',
      '--budget',
      budget,
      '--save',
      'run.json',
      '--save-every',
      every,
    )
    clearInterval(watch)
    return seen.size
  }

  it('is heeded by single strategies', async () => {
    expect(await saves('50ms', '1s')).toBeGreaterThan(1)
    expect(await saves('1h', '100ms')).toBeLessThanOrEqual(1)
  })

  it('goes on stepping over known bugs', async () => {
    const folder = folderWith({ 'two.json': twoBugs, 'known.txt': 'assertion@a  # known\n' })
    const search = ['two.json', '-s', 'dfs', '--keep-going']
    const begun = ['--suppressions', 'known.txt', '--executions', '2', '--save', 'search']
    const whole = await json(folder, ...search, '--ignore', 'assertion@a')
    await json(folder, ...search, ...begun)
    const { report } = await json(folder, '--resume', 'search')
    const { bugs, ignored, executions } = whole.report
    expect(Object.keys(ignored)).toEqual(['assertion@a'])
    expect(report).toMatchObject({ ignored, executions })
    expect(report.bugs).toHaveLength(bugs.length)
    expect(report.caveats).toEqual(whole.report.caveats)
  })

  it('keeps a run of auto that its first look was enough for', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    const { report } = await json(folder, 'locked.json', '--save', 'run')
    expect(report.verdict).toBe('verified')
    const again = await json(folder, '--resume', 'run')
    expect(totals(again.report)).toEqual(totals(report))
  })
})
