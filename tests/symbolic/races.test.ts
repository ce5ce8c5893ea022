import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import type { RaceClass } from '../../src/classify/classes.js'
import type { RacesReport } from '../../src/classify/report.js'
import { faultline } from '../cli/run.js'
import { isFull } from '../support/effort.js'

const out = mkdtempSync(join(tmpdir(), 'faultline-inputs-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

async function races(number: number, options: readonly string[] = []): Promise<RacesReport> {
  const args = Array<string>(number).fill('.')
  const flags = ['--json', '--quiet', '--out', out, ...options, '--', ...args]
  const ran = await faultline(process.cwd(), ['races', 'tests/c/race-inputs.c', ...flags])
  return JSON.parse(ran.out) as RacesReport
}

/** The worst class of all races, with the input that the program has by itself, and with all. */
type Cases = readonly (readonly [name: string, number: number, alone: RaceClass, all: RaceClass])[]
const { raceInputs } = (await import(pathToFileURL('benchmarks/race-inputs.js').href)) as {
  raceInputs: Cases
}
const cases = isFull ? raceInputs : raceInputs.filter(([, number]) => [1, 2, 3, 4, 7, 9].includes(number))

describe('what races do, over several inputs', () => {
  it.each(cases)('%s', async (_, number, alone, all) => {
    const single = await races(number)
    expect(single.races[0].class).toBe(alone)
    const multiple = await races(number, ['--symbolic'])
    expect(multiple.races[0].class).toBe(all)
    if (alone === all) return
    // Evidence holds the input: the compiled program shows it.
    const { evidence, input } = multiple.races[0]
    expect(Object.keys(input!).length).toBeGreaterThan(0)
    const replayed = await faultline(process.cwd(), ['replay', evidence[0], '--json'])
    expect(replayed.code).toBeLessThan(2)
    const given = Object.entries(input!).flatMap((pair) => ['--input', pair.join('=')])
    expect((await races(number, given)).races[0].class).toBe(all)
  })
})
