import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PageData } from '../../src/web/steps.js'
import { deadlock, lockedCounter, longFailure, racyCounter, unguardedWait } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'

/** What the script of a page works on. */
function dataOf(page: string): PageData {
  return JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)![1])
}

async function failing(program: object, ...argv: string[]) {
  const folder = folderWith({ 'p.json': program })
  const ran = await faultline(folder, ['check', 'p.json', '--json', '--report', 'check.html', ...argv])
  const page = (name: string) => readFileSync(join(folder, name), 'utf8')
  return { folder, page, schedule: JSON.parse(ran.out).bugs[0].schedule as string }
}

describe('replay --report', () => {
  it('writes the page of the bug, with the execution that passes', async () => {
    const { folder, page, schedule } = await failing(racyCounter())
    const argv = ['--report', 'replay.html', '--junit', 'r.xml', '--sarif', 'r.sarif']
    const ran = await faultline(folder, ['replay', schedule, ...argv])
    expect([ran.code, ran.err]).toEqual([1, ''])
    expect(dataOf(page('replay.html'))).toEqual(dataOf(page('check.html')))
    const twin = /<section class="twin"[\s\S]*?<\/section>/
    expect(twin.exec(page('replay.html'))![0]).toBe(twin.exec(page('check.html'))![0])
    expect(page('r.xml')).toContain('failures="1"')
    expect(JSON.parse(page('r.sarif')).runs[0].results).toHaveLength(1)
  })

  it('says what few people expect, as the text does', async () => {
    const { folder, page, schedule } = await failing(unguardedWait, '--spurious', '1')
    const expected = 'A wait ended without a signal, as it may at any time'
    expect((await faultline(folder, ['replay', schedule], { width: 200 })).out).toContain(expected)
    expect(page('check.html')).toContain(expected)
  })

  it('of a program that was repaired says what is known, and no more', async () => {
    const { folder, page, schedule } = await failing(racyCounter())
    writeFileSync(join(folder, 'p.json'), JSON.stringify(lockedCounter()))
    const ran = await faultline(folder, [
      'replay',
      '--rebuild',
      schedule,
      '--report',
      'r.html',
      '--junit',
      'r.xml',
    ])
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(page('r.html')).toContain('<span class="badge">No bug found</span>')
    expect(page('r.html')).toContain('The bug is gone')
    expect(page('r.xml')).toContain('failures="0" errors="0" skipped="1"')
  })

  it('is refused where it cannot be written, before anything is replayed', async () => {
    const { folder, schedule } = await failing(racyCounter())
    const ran = await faultline(folder, ['replay', schedule, '--report', 'p.json/r.html'])
    expect([ran.code, ran.out]).toEqual([2, ''])
    expect(ran.err).toContain('cannot be made')
    expect(readdirSync(folder)).not.toContain('r.html')
  })
})

describe('step numbers', () => {
  it.each([
    ['racy', racyCounter(), []],
    ['deadlock', deadlock, []],
    ['long', longFailure, ['-s', 'random']],
  ] as const)('of replay --step and of the page agree: %s', async (_, program, argv) => {
    const { folder, page, schedule } = await failing(program, ...argv)
    const [bug] = dataOf(page('check.html')).bugs
    const input = bug.steps.map((_, i) => `g ${i + 1}`)
    const { out } = await faultline(folder, ['replay', schedule, '--step'], { input, width: 200 })
    const heads = out.split('\n> ').map((text) => /^(?:✗ )?(\d+)\/(\d+) {2}(.*)$/m.exec(text)!)
    const shown = heads.slice(1, -1).map(([, n, all, rest]) => `${n}/${all} ${rest}`)
    const expected = bug.steps.map((step, i) => {
      const what = [step.operation, step.object].filter(Boolean).join(' ')
      const value = step.value === undefined ? '' : ` = ${step.value}`
      const place = step.location === undefined ? '' : `  (${step.location})`
      return `${i + 1}/${bug.steps.length} ${bug.threads[step.thread]}: ${what}${value}${place}`
    })
    expect(shown).toEqual(expected)
    const ids = [...page('check.html').matchAll(/ id="b1s(\d+)"/g)].map(([, n]) => Number(n))
    expect(ids).toEqual(bug.steps.map((_, i) => i + 1))
  })
})
