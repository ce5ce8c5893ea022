import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { HappensBefore } from '../../src/ordering/happens-before.js'
import { strategies } from '../../src/strategies/index.js'
import { isFull } from '../support/effort.js'
import {
  deadlock,
  endless,
  lockedCounter,
  longLoop,
  nondeterministic,
  racyCounter,
  twoBugs,
} from './programs.js'
import { faultline, folderWith } from './run.js'

async function json(folder: string, ...argv: string[]) {
  const ran = await faultline(folder, ['check', ...argv, '--json'])
  return { ...ran, report: JSON.parse(ran.out) }
}

describe('check', () => {
  it('finds the bug of a racy program and writes its schedule', async () => {
    const folder = folderWith({ 'racy.json': racyCounter() })
    const { code, report } = await json(folder, 'racy.json')
    expect(code).toBe(1)
    expect(report).toMatchObject({ verdict: 'bug', guarantee: null, blocked: 0, raceDetector: null })
    expect(report.races).toHaveLength(3)
    expect(report.bugs).toHaveLength(1)
    const [bug] = report.bugs
    expect(bug).toMatchObject({ kind: 'invariant', location: null, preemptions: 1 })
    expect(bug.message).toContain('all increments are counted')
    expect(bug.schedule).toMatch(/^\.faultline\/racy-invariant-[0-9a-f]{10}\.json$/)
    expect(existsSync(join(folder, bug.schedule))).toBe(true)
    expect(readdirSync(join(folder, '.faultline'))).toHaveLength(1)
  })

  it('verifies the repaired program without leaving a file', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    const { code, report } = await json(folder, 'locked.json')
    expect(code).toBe(0)
    expect(report.verdict).toBe('verified')
    expect(report.guarantee).toBe(
      'every schedule was explored; none shows a bug; holds for sequential consistency',
    )
    expect(report.bugs).toEqual([])
    expect(report.seconds).toBeGreaterThan(0)
    expect(report.phases.map((p: { strategy: string }) => p.strategy)).toEqual(['optimal'])
    expect(existsSync(join(folder, '.faultline'))).toBe(false)
  })

  it.each(strategies.map((entry) => [entry.name, entry.promise] as const))(
    'says what %s has shown',
    async (name, promise) => {
      const folder = folderWith({ 'locked.json': lockedCounter(), 'racy.json': racyCounter() })
      const passed = await json(folder, 'locked.json', '--strategy', name, '--executions', '5000')
      expect(passed.code).toBe(0)
      expect(passed.report.verdict).toBe(promise === 'sample' ? 'bounded' : 'verified')
      if (promise === 'sample') expect(passed.report.executions).toBe(5000)
      const failed = await json(folder, 'racy.json', '--strategy', name, '--executions', '5000')
      expect(failed.code).toBe(1)
      expect(failed.report.verdict).toBe('bug')
    },
  )

  it('explores one execution per class with optimal', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter(3) })
    const { report } = await json(folder, 'locked.json', '-s', 'optimal')
    expect(report).toMatchObject({ verdict: 'verified', executions: 6, blocked: 0 })
  })

  it('calls a PP set, a bound and a number of samples bounded', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    for (const [argv, words] of [
      [['--preempt', 'lock,unlock'], 'switches threads only at yield,lock,unlock'],
      [['--without', 't1'], 'without t1'],
      [['--strategy', 'icb', '--bound', '1'], 'at most 1 preemption'],
      [['--strategy', 'delay', '--bound', '2'], 'at most 2 delays'],
      [['--strategy', 'pos', '--executions', '7', '--seed', '3'], '7 schedules sampled by pos (seed 3)'],
    ] as const) {
      const { code, report } = await json(folder, 'locked.json', ...argv)
      expect(code).toBe(0)
      expect(report.verdict).toBe('bounded')
      expect(report.guarantee).toContain(words)
    }
  })

  it('finds with a wide PP set what a narrow one hides', async () => {
    const folder = folderWith({ 'racy.json': racyCounter() })
    expect((await json(folder, 'racy.json', '--preempt', 'lock')).report.verdict).toBe('bounded')
    // The last matching rule wins, whatever the option.
    const wide = ['--within', 't1', '--without', 't1', '--within', 't1']
    expect((await json(folder, 'racy.json', ...wide)).report.verdict).toBe('bug')
    expect((await json(folder, 'racy.json', ...wide.slice(0, 4))).report.verdict).toBe('bounded')
  })

  it('warns of a rule that names nothing', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    const ran = await faultline(folder, ['check', 'locked.json', '--within', 'nobody', '--without', 't1'])
    expect(ran.err).toBe(
      'faultline: warning: --within nobody: no function of that name was seen; known are t1, t2\n',
    )
    expect(ran.code).toBe(0)
  })

  it('never says verified when executions were cut', async () => {
    const folder = folderWith({ 'long.json': longLoop })
    const { code, report } = await json(folder, 'long.json', '-s', 'dfs', '--steps', '10')
    expect(code).toBe(0)
    expect(report).toMatchObject({ verdict: 'bounded', executions: 0, cut: 1 })
    expect(report.caveats.join()).toContain('cut after 10 steps')
    expect((await json(folder, 'long.json', '-s', 'dfs')).report.verdict).toBe('verified')
  })

  it.runIf(isFull)('reports and replays a failure beyond the usual step limit', async () => {
    const folder = folderWith({
      'far.json': {
        variables: { x: 0 },
        threads: {
          a: [
            { op: 'loop', count: 100_100, body: [{ op: 'store', var: 'x', value: 1 }] },
            { op: 'assert', condition: 0 },
          ],
        },
      },
    })
    const near = await json(folder, 'far.json', '-s', 'dfs')
    expect(near.report).toMatchObject({ verdict: 'bounded', cut: 1 })
    const far = await json(folder, 'far.json', '-s', 'dfs', '--steps', '200000')
    expect(far.report.verdict).toBe('bug')
    expect((await faultline(folder, ['replay', far.report.bugs[0].schedule])).code).toBe(1)
  })

  it('never says verified when time or executions ran out', async () => {
    const folder = folderWith({ 'endless.json': endless })
    for (const argv of [
      ['--budget', '150ms'],
      ['--budget', '150ms', '-s', 'pos'],
      ['--executions', '40', '-s', 'dfs'],
      ['--executions', '40'],
      ['--executions', '400'],
    ]) {
      const { code, report } = await json(folder, 'endless.json', ...argv)
      expect(code).toBe(0)
      expect(report.verdict).toBe('budget')
      expect(report.guarantee).toContain('others may')
    }
  })

  it('tells the bound it was done with when the budget ran out', async () => {
    const folder = folderWith({ 'endless.json': endless })
    const { report } = await json(folder, 'endless.json', '-s', 'icb', '--executions', '2000')
    expect(report.verdict).toBe('budget')
    expect(report.guarantee).toMatch(/^every schedule with at most \d+ preemptions? was explored/)
  })

  it('ends at Ctrl-C with what is known', async () => {
    const folder = folderWith({ 'endless.json': endless })
    const ran = await faultline(folder, ['check', 'endless.json', '--json'], {
      onStart: (interrupt) => setTimeout(interrupt, 100),
    })
    expect(ran.code).toBe(0)
    const report = JSON.parse(ran.out)
    expect(report.verdict).toBe('budget')
    expect(report.guarantee).toContain('interrupted')
    expect(report.executions).toBeGreaterThan(0)
  })

  it('keeps going and lists each bug once, with fewest preemptions', async () => {
    const folder = folderWith({ 'two.json': twoBugs })
    const { code, report } = await json(folder, 'two.json', '-s', 'dfs', '--keep-going')
    expect(code).toBe(1)
    expect(report.bugs.map((b: { message: string }) => b.message)).toHaveLength(2)
    expect(new Set(report.bugs.map((b: { location: string }) => b.location))).toEqual(new Set(['a:2', 'b:2']))
    expect(report.bugs.map((b: { preemptions: number }) => b.preemptions)).toEqual([0, 0])
    expect(readdirSync(join(folder, '.faultline'))).toHaveLength(2)
    const first = await json(folder, 'two.json', '-s', 'dfs')
    expect(first.report.bugs).toHaveLength(1)
  })

  it('writes every execution to a file if asked, with its events and what the search keeps', async () => {
    const folder = folderWith({ 'racy.json': racyCounter() })
    await json(folder, 'racy.json', '-s', 'optimal', '--keep-going', '--debug', 'log.txt')
    const text = readFileSync(join(folder, 'log.txt'), 'utf8')
    expect(
      text.split('\n\n')[1],
    ).toBe(`execution 2 of optimal: completed, check at the end all increments are counted fails
      still to be explored:
        t2
          t2
   1  t1
        read counter at t1:0
      asleep: t1
   2  t2
        read counter at t2:0
      still to be explored:
        t1
   3  t2
        write counter at t2:1
        exit at t2:end
   4  t1
        write counter at t1:1
        exit at t1:end`)
    const { code, err } = await faultline(folder, ['check', 'racy.json', '--debug', 'no/such/log.txt'])
    expect([code, err]).toEqual([2, expect.stringContaining('--debug no/such/log.txt cannot be written')])
  })

  it('counts the same executions whatever is run twice', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter(3) })
    const counts = []
    for (const selfCheck of ['0', '3', 'all', 'deep']) {
      const { report } = await json(folder, 'locked.json', '-s', 'dfs', '--self-check', selfCheck)
      counts.push(report.executions)
    }
    expect(new Set(counts).size).toBe(1)
  })

  it('says that it is at fault when a deep check finds something', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    const clocks = vi.spyOn(HappensBefore.prototype, 'ordered').mockReturnValue(false)
    const ran = await faultline(folder, ['check', 'locked.json', '-s', 'dfs', '--self-check', 'deep'])
    clocks.mockRestore()
    expect(ran.code).toBe(3)
    expect(ran.err).toMatch(
      /a fault in faultline.*please report it[\s\S]*steps 1 and \d are ordered, the clocks say/,
    )
  })

  it.each([[[]], [['-s', 'optimal']], [['--executions', '1', '-s', 'dfs']]])(
    'catches a nondeterministic program (%s)',
    async (argv) => {
      const folder = folderWith({ 'nondeterministic.mjs': nondeterministic })
      const ran = await faultline(folder, ['check', 'nondeterministic.mjs', ...argv])
      expect(ran.code).toBe(2)
      expect(ran.err).toMatch(/not deterministic: .* step \d+ was .* instead of/)
      expect(ran.out).toBe('')
    },
  )

  it('lists points without exploring', async () => {
    const folder = folderWith({ 'locked.json': lockedCounter() })
    const ran = await faultline(folder, ['check', 'locked.json', '--list-points', '--preempt', 'lock'])
    expect(ran.code).toBe(0)
    expect(ran.out).toMatch(/^lock {2,}t1:0 {2,}t1 {2,}1×/m)
    expect(ran.out).not.toMatch(/^write/m)
    const { report } = await json(folder, 'locked.json', '--list-points')
    expect(report.points.map((p: { operation: string }) => p.operation)).toContain('write')
  })

  it('names who waits for what in a deadlock', async () => {
    const folder = folderWith({ 'deadlock.json': deadlock })
    const { code, report } = await json(folder, 'deadlock.json')
    expect(code).toBe(1)
    expect(report.bugs[0]).toMatchObject({ kind: 'deadlock', preemptions: 1 })
    expect(report.bugs[0].waits).toHaveLength(2)
  })
})
