import { beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, build, type WasmMachine, wasmMachine } from '../../src/frontends/wasm/index.js'
import type { Platform } from '../../src/machine/platform.js'
import { createStrategy } from '../../src/strategies/index.js'
import { reach } from '../support/brute-force.js'
import { isFull } from '../support/effort.js'

/** As tests/c/transactions.c numbers them. */
const programs = [
  '',
  'counter',
  'htm1',
  'htm2',
  'fig63',
  'swap',
  'swapbug',
  'retries',
  'retriesWithLock',
  'undoes',
  'nested',
  'tooDeep',
  'prints',
  'endless',
  'heldMutex',
  'allocates',
  'retriesTwice',
  'waits',
  'touches',
  'endsNone',
  'endsInside',
  'commitsHolding',
  'unlocksInside',
  'chooses',
  'buffer',
  'exitsInside',
  'elides',
  'fenced',
  'relocks',
] as const
type ProgramName = (typeof programs)[number]

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: ['tests/c/transactions.c'] })
})

async function machineOf(name: ProgramName, threads = 1, times = 1, platform: Partial<Platform> = {}) {
  const args = [programs.indexOf(name), threads, times].map(String)
  return wasmMachine(artifact, { args, platform })
}

const search = (machine: WasmMachine, strategy = 'optimal') =>
  reach(machine, createStrategy(strategy, { machine }), 50_000)

async function bugsOf(name: ProgramName, threads = 1, times = 1, platform: Partial<Platform> = {}) {
  const { bugs, exhausted, cut } = search(await machineOf(name, threads, times, platform))
  expect([exhausted, cut]).toEqual([true, 0])
  return [...bugs].map((bug) => bug.split('\n')[0])
}

describe('one execution per class', () => {
  it.each([
    ['counter', 2, 1, 8],
    ['counter', 2, 2, 96],
    ['counter', 3, 1, 48],
    ['fig63', 2, 1, 6],
    ['htm2', 2, 1, 10],
    ['swap', 2, 1, 12],
  ] as const)('%s(%i,%i)', async (name, threads, times, classes) => {
    const found = search(await machineOf(name, threads, times))
    expect([found.executions, found.classes.size]).toEqual([classes, classes])
    expect(found.bugs.size).toBe(0)
    if (classes > 12) return
    expect(search(await machineOf(name, threads, times), 'dfs').classes.size).toBe(classes)
  })
})

describe('the bugs of chapter 6', () => {
  it('the lock keeps out no transaction', async () => {
    expect((await bugsOf('htm1', 2)).length).toBeGreaterThan(0)
    expect(await bugsOf('htm2', 3)).toEqual([])
  })

  it('needs three transactions where they abort only by conflicts', async () => {
    const platform = { abortCodes: 'conflict' }
    expect(await bugsOf('htm1', 2, 1, platform)).toEqual([])
    expect((await bugsOf('htm1', 3, 1, platform)).length).toBeGreaterThan(0)
    expect(await bugsOf('htm2', 3, 1, platform)).toEqual([])
  })

  it('locks taken in a circle', async () => {
    expect((await bugsOf('swapbug', 2)).map((bug) => bug.split(' ')[0])).toEqual(['deadlock'])
  })
})

describe('loops that retry', () => {
  it.each(['retries', 'retriesWithLock', 'retriesTwice'] as const)('%s: come to an end', async (name) => {
    expect(await bugsOf(name, 2, 2)).toEqual([])
  })

  it.each(['retry', 'conflict'])(
    'an update that leaves what it finds is part of a spin: %s',
    async (abortCodes) => {
      expect(await bugsOf('elides', 3, 1, { abortCodes })).toEqual([])
    },
  )

  it('a transaction that gives up waits for a change', async () => {
    expect(await bugsOf('waits', 2)).toEqual([])
    expect((await bugsOf('waits', 1))[0]).toMatch(/^livelock .* spins on count/)
  })
})

describe('what an abort undoes, and what leads to one', () => {
  it.each(['undoes', 'nested', 'tooDeep', 'prints', 'endless', 'heldMutex', 'allocates'] as const)(
    '%s',
    async (name) => {
      for (const abortCodes of ['explicit', 'retry'])
        expect({ abortCodes, bugs: await bugsOf(name, 1, 1, { abortCodes }) }).toEqual({
          abortCodes,
          bugs: [],
        })
    },
  )

  it('as many places as asked', async () => {
    expect(await bugsOf('touches', 1, 1, { abortCodes: 'explicit,capacity=2' })).toEqual([])
    expect(await bugsOf('touches', 1, 1, { abortCodes: 'explicit,capacity=3' })).toHaveLength(1)
  })
})

describe('misuse', () => {
  it.each([
    ['endsNone', 'ends a transaction, and none has begun'],
    ['endsInside', 'ends in a transaction that has not ended'],
    ['exitsInside', 'ends in a transaction that has not ended'],
    ['commitsHolding', 'commits a transaction in which it locked mutex m, and holds it still'],
    ['unlocksInside', 'unlocks mutex m in a transaction that began while it was held'],
    ['chooses', 'chooses a value in a transaction, whose outcome could then be any; choose it before'],
  ] as const)('%s', async (name, message) => {
    const [bug] = await bugsOf(name)
    expect(bug).toMatch(/^transaction-misuse 0\.1 tests\/c\/transactions\.c:/)
    expect(bug).toContain(`worker (0.1) ${message}`)
  })

  it('a mutex that the transaction holds itself is no reason to abort', async () => {
    for (const abortCodes of ['retry', 'conflict']) {
      const [bug] = await bugsOf('relocks', 1, 1, { abortCodes })
      expect(bug).toContain('worker (0.1) locks mutex m, which it holds already')
      expect(bug).toMatch(/^lock-misuse/)
    }
  })
})

describe('software transactions of faultline.h', () => {
  it.each(['retry', 'conflict'])('retry waits for a change: %s', async (abortCodes) => {
    expect(await bugsOf('buffer', 2, 1, { abortCodes })).toEqual([])
    expect((await bugsOf('buffer', 1, 1, { abortCodes }))[0]).toMatch(/^livelock .* spins on place/)
  })
})

describe.each(['retry', 'conflict'])('every strategy knows them: %s', (abortCodes) => {
  const end = (bug: string) => bug.split('\n')[0]
  it.each(['source', 'dpor', 'icb', 'best-first', ...(isFull ? ['delay'] : [])])('%s', async (name) => {
    for (const [program, threads] of [
      ['htm1', abortCodes === 'retry' ? 2 : 3],
      ['swapbug', 2],
      ['retriesWithLock', 2],
    ] as const) {
      const machine = await machineOf(program, threads, 1, { abortCodes })
      const wanted = search(machine)
      const found = reach(
        machine,
        createStrategy(name, { machine, ...(name === 'delay' ? { bound: 6 } : {}) }),
      )
      expect([program, found.exhausted]).toEqual([program, true])
      expect([...found.bugs].map(end).sort()).toEqual([...wanted.bugs].map(end).sort())
    }
  })

  it.each(['random', 'pct', 'pos', 'rapos', 'surw', 'mix'])('%s', async (name) => {
    const machine = await machineOf('htm1', 3, 1, { abortCodes })
    const { bugs, cut } = reach(machine, createStrategy(name, { machine, seed: 1 }), 300)
    const kinds = [...bugs].map((bug) => bug.split(' ')[0])
    // One that takes a conflict and two preemptions is rare.
    expect([kinds.length === 0 && abortCodes === 'conflict' ? ['assertion'] : kinds, cut]).toEqual([
      ['assertion'],
      0,
    ])
    // What events tell must not depend on whether anybody reads them.
    const quiet = await machineOf('waits', 2, 1, { abortCodes })
    expect(reach(quiet, createStrategy(name, { machine: quiet, seed: 1 }), 100).bugs.size).toBe(0)
  })
})

it.runIf(isFull)('who spins is not let go on by an update that changes nothing', async () => {
  // Four threads, each once, with a transactional spin lock; a step was planned there that could not be taken.
  const program = await build({ sources: ['benchmarks/programs/transactions.c'] })
  const machine = await wasmMachine(program, {
    args: ['2', '4', '4', '1'],
    platform: { abortCodes: 'conflict' },
  })
  const { bugs, cut } = reach(machine, createStrategy('optimal', { machine }), 3_000)
  expect([bugs.size, cut]).toEqual([0, 0])
})

describe('total store order', () => {
  const searched = async (name: ProgramName, threads: number, strategy: string) =>
    search(await machineOf(name, threads, 1, { memoryModel: 'tso' }), strategy)

  it('breaks what is right under sequential consistency; a fence repairs it', async () => {
    const { bugs } = await searched('htm2', 2, 'graphs:prefixes')
    expect([...bugs].map((bug) => bug.split(' ')[0])).toContain('assertion')
    expect(await bugsOf('htm2', 3)).toEqual([])
    const fenced = await searched('fenced', 3, 'graphs:prefixes')
    expect([fenced.exhausted, fenced.cut, fenced.bugs.size]).toEqual([true, 0, 0])
  })

  it.runIf(isFull)('as dfs says, too', async () => {
    const found = await searched('fenced', 2, 'dfs')
    expect([found.exhausted, found.cut, found.bugs.size]).toEqual([true, 0, 0])
  })

  it('what is not known is refused by name', async () => {
    for (const memoryModel of ['pso', 'c11'] as const)
      await expect(machineOf('htm2', 2, 1, { memoryModel })).rejects.toThrow(
        `the program uses transactions, which there are under the memory models sc and tso only, not under ${memoryModel}`,
      )
    await expect(machineOf('htm2', 2, 1, { memoryModel: 'tso', abortCodes: 'conflict' })).rejects.toThrow(
      'transactions that abort by conflicts are known under sequential consistency only',
    )
    const machine = await machineOf('heldMutex', 1, 1, { memoryModel: 'tso' })
    expect(() => search(machine, 'dfs')).toThrow(
      'lock in a transaction: not supported under the memory model tso',
    )
  })
})
