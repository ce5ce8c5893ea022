import { describe, expect, test } from 'vitest'
import { type Artifact, build, type WasmMachine, wasmMachine } from '../../src/frontends/wasm/index.js'
import { createStrategy } from '../../src/strategies/index.js'
import { splitting } from '../../src/strategies/splitting.js'
import { isFull } from '../support/effort.js'
import { outcomes } from '../wasm-machine/support.js'
import { buildRaw } from './compile.js'

const FILE = 'tests/raw/agreement.c'

/** Programs, and how many different ends each has. */
const cases: readonly (readonly [number, number])[] = [
  [1, 2],
  [2, 2],
  [14, 4],
  [16, 2],
  [22, 2],
]
const moreCases: readonly (readonly [number, number])[] = [
  [3, 3],
  [4, 1],
  [5, 2],
  [6, 4],
  [7, 2],
  [8, 1],
  [9, 2],
  [10, 4],
  [11, 3],
  [12, 2],
  [13, 0],
  [17, 1],
  [18, 2],
  [19, 2],
  [20, 0],
  [21, 4],
  [23, 0],
  [24, 2],
  [25, 0],
]

/**
 * Optimised, these have no one behaviour: accesses that race are moved and merged, and the calls that clang's pass
 * puts between them keep it from doing so in source mode.
 */
const unlike = [4, 11, 21]

describe('source mode and raw mode see the same ends', () => {
  const agree = async (number: number, count: number) => {
    const [source, raw] = await both(number, '0')
    expect(raw).toEqual(source)
    if (count > 0) expect(source).toHaveLength(count)
  }
  test.each(cases)('case %d', agree)
  test.runIf(isFull).each(moreCases)('case %d', agree)

  test('raw mode also interrupts library functions', async () => {
    const [source, raw] = await both(15, '0')
    expect(source).toEqual(['ok 0 0 0', 'ok 2 0 0'])
    expect(raw).toEqual(['ok 0 0 0', 'ok 1 0 0', 'ok 2 0 0'])
  })

  test.runIf(isFull).each([...cases, ...moreCases].filter(([number]) => !unlike.includes(number)))(
    'case %d, optimised',
    async (number) => {
      const [source, raw] = await both(number, '1')
      expect(raw).toEqual(source)
    },
  )
})

/** By how much it was optimised: the program in source mode, and in raw mode. */
const built = new Map<string, Promise<[Artifact, Artifact]>>()

async function both(number: number, optimize: string): Promise<[string[], string[]]> {
  const artifacts =
    built.get(optimize) ??
    Promise.all([build({ sources: [FILE], optimize }), buildRaw(FILE, { optimize, debug: 'names' })])
  built.set(optimize, artifacts)
  const args = Array<string>(number).fill('')
  const [source, raw] = await Promise.all((await artifacts).map((each) => wasmMachine(each, { args })))
  return [ends(source), ends(raw)]
}

/** What was printed, or what kind of bug it was: what a lock is to the one is a word in memory to the other. */
function ends(machine: WasmMachine): string[] {
  const search = splitting({
    machine,
    create: () => createStrategy('optimal', { machine }),
    isSampler: false,
  })
  const found = outcomes(machine, { search, limit: 20_000, maxSteps: 20_000 })
  const short = (end: string) => (end.startsWith('ok ') ? end : end.slice(0, end.indexOf(':')))
  return [...new Set([...found.ends.keys()].map(short))].sort()
}
