import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import type { Report, Sketch } from '../../src/reports/report.js'
import { deadlock, endless, lockedCounter, racyCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'
import { schemaErrors } from './schema.js'

async function reported(
  program: Program,
  ...argv: string[]
): Promise<{ report: Report & { stopped: number }; page: string }> {
  const folder = folderWith({ 'p.json': program })
  const { out } = await faultline(folder, ['check', 'p.json', '--json', '--report', 'r.html', ...argv])
  const report = JSON.parse(out)
  expect(schemaErrors(report)).toBe('')
  return { report, page: readFileSync(join(folder, 'r.html'), 'utf8') }
}

/** Each execution as the threads that ran, put together from what it has in common with others. */
function paths({ executions }: Sketch): number[][] {
  const all: number[][] = []
  for (const { parent, common, turns } of executions) {
    const rest = turns.flatMap(([thread, n]) => Array.from({ length: n }, () => thread))
    all.push([...(parent < 0 ? [] : all[parent].slice(0, common)), ...rest])
  }
  return all
}

const ends = ({ executions }: Sketch, end: string) => executions.filter((e) => e.end === end).length

describe('the tree of executions', () => {
  it.each([
    ['optimal', lockedCounter(4)],
    ['dfs', lockedCounter(3)],
    ['dpor', racyCounter(2)],
    ['source', deadlock],
  ])('is of the executions of the run: %s', async (strategy, program) => {
    const { report, page } = await reported(program, '-s', strategy, '--keep-going')
    const { sketch, executions, blocked, steps, bugs } = report
    const failing = bugs.reduce((sum, { count }) => sum + count, 0)
    expect(sketch!.isWhole).toBe(true)
    expect([ends(sketch!, 'passed'), ends(sketch!, 'failed'), ends(sketch!, 'redundant')]).toEqual([
      executions - failing,
      failing,
      blocked,
    ])
    const all = paths(sketch!)
    expect(all.map((path) => path.length)).toEqual(sketch!.executions.map((e) => e.steps))
    expect(all.reduce((sum, path) => sum + path.length, 0)).toBe(steps)
    expect(new Set(all.map((path) => path.join())).size).toBe(all.length)
    expect(page).toContain(`executions of ${strategy}.`)
    expect(page.match(/<g><title>Execution /g)).toHaveLength(all.length)
  })

  it('ends with the run, and is small for a large one', async () => {
    const stopped = await reported(racyCounter(), '-s', 'optimal')
    expect(stopped.report.sketch!.executions).toHaveLength(stopped.report.executions)
    expect(stopped.report.sketch!.executions.at(-1)!.end).toBe('failed')
    expect(stopped.report.sketch!.isWhole).toBe(false)
    const large = await reported(endless, '-s', 'optimal', '--executions', '200')
    expect(large.report.sketch!.executions).toHaveLength(120)
    expect(large.page).toContain('The first 120 executions of optimal.')
  })

  it('is left out where no page is wanted', async () => {
    const folder = folderWith({ 'p.json': lockedCounter() })
    const { out } = await faultline(folder, ['check', 'p.json', '--json'])
    expect(JSON.parse(out).sketch).toBeUndefined()
  })
})

describe('the run over time', () => {
  it('goes up to what was run at last, in the time that it took', async () => {
    const { report, page } = await reported(endless, '--executions', '3000', '--workers', '1')
    const { history, executions, blocked, cut, stopped, seconds } = report
    const { moments, searches } = history!
    expect(moments.at(-1)!.ran).toBe(executions + blocked + cut + stopped)
    moments.slice(1).forEach((moment, i) => {
      expect(moment.seconds).toBeGreaterThanOrEqual(moments[i].seconds)
      expect(moment.ran).toBeGreaterThanOrEqual(moments[i].ran)
    })
    expect(moments.some(({ share }) => share !== null && share >= 0 && share < 1)).toBe(true)
    expect(searches.length).toBeGreaterThan(0)
    for (const { times } of searches) {
      for (const [from, to] of times) {
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeGreaterThanOrEqual(from)
        expect(to).toBeLessThanOrEqual(seconds + 0.001)
      }
    }
    if (moments.length >= 4) expect(page).toContain('<h2>How it went</h2>')
  })

  it('shows when each job was worked on', async () => {
    const { report, page } = await reported(lockedCounter(3), '-s', 'deepen')
    const titles = report.history!.searches.map(({ title }) => title)
    const done = report.deepening!.jobs.filter(({ executions }) => executions > 0)
    expect(done.length).toBeGreaterThan(0)
    for (const { id } of done) expect(titles).toContain(`job ${id}`)
    expect(page).toContain('<h2>State spaces</h2>')
  })
})
