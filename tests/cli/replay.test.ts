import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { strategies } from '../../src/strategies/index.js'
import { deadlock, lockedCounter, racyCounter, twoBugs } from './programs.js'
import { faultline, folderWith } from './run.js'

async function failing(folder: string, ...argv: string[]) {
  const { out } = await faultline(folder, ['check', ...argv, '--json'])
  return JSON.parse(out).bugs[0]
}

describe('replay', () => {
  it.each(strategies.map((entry) => entry.name))('shows again what %s found', async (name) => {
    const folder = folderWith({ 'racy.json': racyCounter(), 'deadlock.json': deadlock, 'two.json': twoBugs })
    for (const program of ['racy.json', 'deadlock.json', 'two.json']) {
      const bug = await failing(folder, program, '-s', name, '--executions', '5000')
      const ran = await faultline(folder, ['replay', bug.schedule, '--json'])
      expect(ran.code).toBe(1)
      const { reproduced, bugs } = JSON.parse(ran.out)
      expect(reproduced).toBe(true)
      expect(bugs[0]).toMatchObject({ kind: bug.kind, message: bug.message, preemptions: bug.preemptions })
    }
  })

  it('prints the same interleaving as check', async () => {
    const folder = folderWith({ 'deadlock.json': deadlock })
    const checked = await faultline(folder, ['check', 'deadlock.json'])
    const path = /faultline replay (\S+)/.exec(checked.out)![1]
    const replayed = await faultline(folder, ['replay', path])
    expect(replayed.code).toBe(1)
    expect(checked.out.startsWith(replayed.out.trimEnd())).toBe(true)
  })

  it('works from another folder, and when the whole folder has moved', async () => {
    const folder = folderWith({ 'racy.json': racyCounter() })
    const bug = await failing(folder, 'racy.json')
    mkdirSync(join(folder, 'deeper'))
    expect((await faultline(join(folder, 'deeper'), ['replay', `../${bug.schedule}`])).code).toBe(1)
    const moved = folderWith({})
    cpSync(folder, moved, { recursive: true })
    expect((await faultline(moved, ['replay', bug.schedule])).code).toBe(1)
    expect((await faultline(folder, ['replay', join(moved, bug.schedule)])).code).toBe(1)
  })

  it('refuses a program that changed and names the file', async () => {
    const folder = folderWith({ 'racy.json': racyCounter() })
    const bug = await failing(folder, 'racy.json')
    writeFileSync(join(folder, 'racy.json'), JSON.stringify(lockedCounter()))
    const ran = await faultline(folder, ['replay', bug.schedule])
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/racy\.json changed since it was recorded/)
    expect(ran.err).toMatch(/faultline check racy\.json/)
  })

  it('names the step at which a damaged schedule goes wrong', async () => {
    const folder = folderWith({ 'racy.json': racyCounter() })
    const bug = await failing(folder, 'racy.json')
    const path = join(folder, bug.schedule)
    const file = JSON.parse(readFileSync(path, 'utf8'))
    file.schedule.steps[2].thread = '7'
    writeFileSync(path, JSON.stringify(file))
    const ran = await faultline(folder, ['replay', bug.schedule])
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/step 2: expected thread 7 .* found thread/)
  })
})
