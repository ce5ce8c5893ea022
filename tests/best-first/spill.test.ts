import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import { Random } from '../../src/random/random.js'
import { type BestFirstOptions, bestFirst } from '../../src/strategies/best-first/best-first.js'
import { fileSpill, memorySpill } from '../../src/strategies/best-first/spill.js'
import { reach } from '../support/brute-force.js'
import { engine } from '../support/engine.js'
import { inc } from '../support/known-programs.js'

const same = (index: number) => index

function run(program: Program, argument: string, bound: number | undefined, options: BestFirstOptions) {
  const machine = engine.modelMachine(program)
  const context = { machine, random: new Random(1), order: 'stay', argument, bound } as const
  const strategy = bestFirst({ ...context, threadHere: same, locationHere: same }, options)
  const schedules: string[] = []
  const found = reach(machine, {
    name: strategy.name,
    footprints: strategy.footprints,
    get script() {
      return strategy.script
    },
    begin: () => strategy.begin(),
    choose: (point) => strategy.choose(point),
    end(trace, status) {
      schedules.push(trace.thread.subarray(0, trace.length).join(' '))
      strategy.end(trace, status)
    },
    save: () => strategy.save(),
  })
  return { strategy, found, schedules }
}

/** The smallest tree there is: 64 slots. */
const tiny = 64 * 32

test.each([
  ['pb', 2],
  ['rand', 2],
  ['var(x)', 2],
  ['pb', undefined],
] as const)('%s, bound %s: what is on disk comes back in its turn', (argument, bound) => {
  for (const program of [inc(3), inc(4)]) {
    const plain = run(program, argument, bound, { spill: memorySpill() })
    const spill = memorySpill()
    const short = run(program, argument, bound, { memoryLimitBytes: tiny, spill })
    expect(plain.strategy.tree.spilled).toBe(0)
    if (plain.strategy.tree.peak > 100) expect(short.strategy.tree.spilled).toBeGreaterThan(0)
    expect(short.schedules).toEqual(plain.schedules)
    expect(short.strategy.tree.live).toBe(0)
    expect(spill.isOpen).toBe(false)
  }
})

test.each(['mdpor', 'ss,mdpor', 'dpor,pb'])(
  '%s: leaves on disk keep their place, none is lost',
  (argument) => {
    for (const bound of [2, undefined]) {
      const plain = run(inc(4), argument, bound, { spill: memorySpill() })
      const short = run(inc(4), argument, bound, { memoryLimitBytes: tiny, spill: memorySpill() })
      expect(new Set(short.found.classes.keys())).toEqual(new Set(plain.found.classes.keys()))
      if (bound !== undefined) expect(short.schedules.toSorted()).toEqual(plain.schedules.toSorted())
    }
  },
)

test('a temporary file holds what does not fit, and is gone at the end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'best-first-'))
  const store = fileSpill(folder)
  const first = store.write(Int32Array.of(1, 2, 3))
  const second = store.write(Int32Array.of(4, 5))
  expect([...store.read(second, 2), ...store.read(first, 3)]).toEqual([4, 5, 1, 2, 3])
  store.clear()
  expect([...store.read(store.write(Int32Array.of(9)), 1)]).toEqual([9])
  store.close()
  expect(readdirSync(folder)).toEqual([])

  const plain = run(inc(4), 'pb', 2, { spill: memorySpill() })
  const onDisk = run(inc(4), 'pb', 2, { memoryLimitBytes: tiny, spill: fileSpill(folder) })
  expect(onDisk.strategy.tree.spilled).toBeGreaterThan(0)
  expect(onDisk.schedules).toEqual(plain.schedules)
  rmdirSync(folder)
})
