import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ClassifiedRace, RacesReport } from '../../src/classify/report.js'
import { load, output, store, whileLoop } from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'
import { faultline, folderWith } from '../cli/run.js'

const lostUpdate: Program = {
  variables: { x: 0, same: 0 },
  threads: {
    a: [store('same', 1), load('x', 'r'), store('x', ['+', 'r', 1])],
    b: [store('same', 1), load('x', 'r'), store('x', ['+', 'r', 1])],
  },
  atEnd: { 'both are counted': ['==', 'x', 2] },
}

const prints: Program = {
  variables: { x: 0 },
  threads: { a: [store('x', 1)], b: [load('x', 'r'), output('r')] },
}

const adHoc: Program = {
  variables: { x: 0, done: 0 },
  threads: {
    a: [store('x', 7), store('done', 1)],
    b: [whileLoop(['!', 'd'], [load('done', 'd')]), load('x', 'r'), output('r')],
  },
}

async function races(folder: string, argv: readonly string[] = []): Promise<RacesReport> {
  const { out } = await faultline(folder, ['races', 'p.json', '--json', ...argv])
  return JSON.parse(out)
}

const classes = (report: RacesReport) => report.races.map((race) => `${race.object} ${race.class}`)

describe('faultline races', () => {
  test('says what each race does, the harmful ones first', async () => {
    const folder = folderWith({ 'p.json': lostUpdate })
    const { code, out } = await faultline(folder, ['races', 'p.json'])
    expect(code).toBe(1)
    expect(out).toMatch(/^RACE 1 x: SPEC VIOLATED\n/)
    expect(out).toMatch(/RACE 4 same: HARMLESS as far as \d+ witness(es)? shows?\n/)
    expect(out).toContain('4 races in p.json: 3 spec violated, 1 harmless as far as witnesses show')
    expect(out).toMatch(/under sequential\s+consistency/)
  })

  test('for programs, with the bug once and the races to blame for it', async () => {
    const report = await races(folderWith({ 'p.json': lostUpdate }))
    expect(classes(report)).toEqual([
      'x spec-violated',
      'x spec-violated',
      'x spec-violated',
      'same harmless',
    ])
    expect(report.counts).toMatchObject({ 'spec-violated': 3, harmless: 1, unknown: 0 })
    expect(report.bugs).toHaveLength(1)
    expect(report.bugs[0]).toMatchObject({ kind: 'invariant', races: [0, 1, 2] })
    expect(report.races[3].witnesses).toBeGreaterThan(0)
    expect(report).toMatchObject({ format: 'faultline-races/1', memoryModel: 'sc', isComplete: true })
  })

  test('gives two schedules that replay to what is claimed', async () => {
    const folder = folderWith({ 'p.json': lostUpdate })
    const { races: found } = await races(folder)
    expect(new Set(found.flatMap(({ evidence }) => evidence)).size).toBe(2 * found.length)
    for (const { evidence, consequence } of found) {
      expect(evidence).toHaveLength(2)
      for (const [k, path] of evidence.entries()) {
        const { code, out } = await faultline(folder, ['replay', path, '--json'])
        const bug = consequence?.kind === 'bug' ? consequence.bugs[k] : null
        expect(JSON.parse(out)).toMatchObject({ reproduced: true, bug: bug && { kind: bug.kind } })
        expect(code).toBe(bug ? 1 : 0)
      }
    }
  })

  test('output: the first difference with both values and places', async () => {
    const folder = folderWith({ 'p.json': prints })
    const report = await races(folder)
    expect(classes(report)).toEqual(['x output-differs'])
    const { consequence } = report.races[0] as ClassifiedRace
    expect(consequence).toMatchObject({ kind: 'output', stream: 'stdout', index: 0 })
    const texts = consequence?.kind === 'output' ? consequence.printed.map((piece) => piece?.text) : []
    expect(texts.toSorted()).toEqual(['0', '1'])
    expect((await faultline(folder, ['races', 'p.json'])).code).toBe(0)
    expect((await faultline(folder, ['races', 'p.json', '--fail-on', 'spec,output'])).code).toBe(1)
    expect((await faultline(folder, ['races', 'p.json', '--fail-on', 'nothing'])).code).toBe(2)
  })

  test('ad-hoc synchronisation is a single ordering', async () => {
    const folder = folderWith({ 'p.json': adHoc })
    expect(classes(await races(folder))).toEqual(['done single-ordering', 'x single-ordering'])
    const { code, out } = await faultline(folder, ['races', 'p.json'])
    expect(code).toBe(0)
    expect(out).toMatch(/the other thread waits in a\s+loop for done to be written/)
  })

  test('compares both executions side by side', async () => {
    const folder = folderWith({ 'p.json': prints })
    const [{ evidence }] = (await races(folder)).races
    const { code, out } = await faultline(folder, ['replay', '--compare', evidence[0]])
    expect(code).toBe(0)
    expect(out).toContain('First difference in what they print, line 1:')
    expect(out).toMatch(/prints "[01]"\s+│ prints "[01]"/)
    const other = await faultline(folder, ['replay', '--compare', evidence[1], '--json'])
    expect(JSON.parse(other.out).executions).toHaveLength(2)
  })

  test('refuses evidence that does not fit', async () => {
    const folder = folderWith({ 'p.json': prints })
    const [{ evidence }] = (await races(folder)).races
    const path = join(folder, evidence[0])
    const file = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify({ ...file, shows: { bug: { kind: 'trap' }, output: '' } }))
    const edited = await faultline(folder, ['replay', evidence[0]])
    expect(edited.code).toBe(2)
    expect(edited.err).toContain('shows no bug where it should show trap')
    writeFileSync(join(folder, 'p.json'), JSON.stringify(adHoc))
    const changed = await faultline(folder, ['replay', evidence[1]])
    expect(changed.code).toBe(2)
    expect(changed.err).toContain('does not fit the program any more: p.json changed')
  })
})

describe('faultline check --classify', () => {
  test('says of the races of a check what they do', async () => {
    const folder = folderWith({ 'p.json': lostUpdate })
    const { code, out } = await faultline(folder, ['check', 'p.json', '--classify', '--keep-going'])
    expect(code).toBe(1)
    expect(out).toMatch(/Spec violated: With the .* of [ab] at/)
    expect(out).toMatch(/Harmless: \d+ distinct pairs? of executions/)
    const report = JSON.parse((await faultline(folder, ['check', 'p.json', '--classify', '--json'])).out)
    const [first] = report.races
    expect(first).toMatchObject({ object: 'x', class: 'spec-violated', evidence: expect.any(Array) })
    expect((await faultline(folder, ['replay', first.evidence[0]])).out).toContain('RACE x (spec-violated)')
  })

  test('fails on the classes asked for', async () => {
    const folder = folderWith({ 'p.json': prints })
    expect((await faultline(folder, ['check', 'p.json', '--classify'])).code).toBe(0)
    expect((await faultline(folder, ['check', 'p.json', '--classify', '--fail-on', 'output'])).code).toBe(1)
    const { code, err } = await faultline(folder, ['check', 'p.json', '--classify', '--races', 'off'])
    expect([code, err]).toEqual([2, expect.stringContaining('--classify needs races')])
  })
})

describe('under another memory model', () => {
  test('nothing is said: which store a load sees is no matter of order there', async () => {
    const folder = folderWith({ 'p.json': prints })
    expect((await races(folder)).memoryModel).toBe('sc')
    const { code, err } = await faultline(folder, ['check', 'p.json', '--classify', '--memory-model', 'pso'])
    expect([code, err]).toEqual([2, expect.stringContaining('under sequential consistency only')])
    expect((await faultline(folder, ['races', 'p.json', '--memory-model', 'pso'])).code).toBe(2)
  })
})
