import { describe, expect, it } from 'vitest'
import { deadlock, endless, lockedCounter, longFailure, racyCounter, twoBugs } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'
import { schemaErrors } from './schema.js'

const runs: [string, object, string[]][] = [
  ['a bug', racyCounter(), []],
  ['a deadlock', deadlock, []],
  ['two bugs', twoBugs, ['-s', 'dfs', '--keep-going']],
  ['a long failure', longFailure, ['-s', 'random']],
  ['nothing', lockedCounter(), []],
  ['a bound', lockedCounter(3), ['-s', 'icb', '--bound', '1']],
  ['samples', lockedCounter(), ['-s', 'pos', '--executions', '50']],
  ['best-first', lockedCounter(3), ['-s', 'best-first', '--executions', '5']],
  ['races', racyCounter(), ['--races', '--keep-going']],
  ['an unfinished search', endless, ['-s', 'optimal', '--executions', '50']],
]

describe('JSON', () => {
  it.each(runs)('of %s is as documented', async (_, program, argv) => {
    const folder = folderWith({ 'program.json': program })
    const { out } = await faultline(folder, ['check', 'program.json', '--json', ...argv])
    expect(schemaErrors(JSON.parse(out))).toBe('')
  })

  it('of a replay, and of a replay after a change, is as documented', async () => {
    const folder = folderWith({ 'program.json': racyCounter() })
    const { out } = await faultline(folder, ['check', 'program.json', '--json'])
    const [{ schedule }] = JSON.parse(out).bugs
    const replayed = JSON.parse((await faultline(folder, ['replay', schedule, '--json'])).out)
    expect(schemaErrors(replayed, 'replay')).toBe('')
    expect(replayed.bugs[0].explanation).toEqual(JSON.parse(out).bugs[0].explanation)
  })

  it('of wrong use is as documented', async () => {
    const { out } = await faultline(folderWith({}), ['check', 'missing.json', '--json'])
    expect(schemaErrors(JSON.parse(out), 'error')).toBe('')
  })

  it('that lacks something, or has something else, is refused by the schema', async () => {
    const folder = folderWith({ 'program.json': racyCounter() })
    const report = JSON.parse((await faultline(folder, ['check', 'program.json', '--json'])).out)
    expect(schemaErrors({ ...report, verdict: 'fine' })).toContain('/verdict')
    expect(schemaErrors({ ...report, bugs: [{ ...report.bugs[0], explanation: undefined }] })).not.toBe('')
    expect(schemaErrors({ ...report, bugs: [{ ...report.bugs[0], more: 1 }] })).toContain('more')
    expect(schemaErrors({ ...report, more: 1 })).toContain('more')
  })
})
