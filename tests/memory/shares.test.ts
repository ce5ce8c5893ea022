import { expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import { memoryModels } from '../../src/machine/platform.js'
import { everywhere } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { noCounters } from '../../src/runs/counters.js'
import type { SearchPlan } from '../../src/runs/search.js'
import type { SavedSearch } from '../../src/runs/search-state.js'
import { Shares } from '../../src/runs/workers/shares.js'
import { createStrategy, loadStrategy } from '../../src/strategies/index.js'
import { times } from '../support/effort.js'
import { toProgram } from './litmus-text.js'
import { mixes, randomProgram } from './object-programs.js'
import { randomThreads } from './random-threads.js'

const plan: SearchPlan = {
  points: everywhere,
  strategy: 'graphs',
  order: 'stay',
  seed: 7,
  keepGoing: true,
  selfCheck: 0,
}
const same = (index: number) => index
const plain = <T>(data: T): T => JSON.parse(JSON.stringify(data)) as T

function machineOf(program: Program, memoryModel: (typeof memoryModels)[number]) {
  const machine = modelMachine(program)
  machine.platform!.use({ memoryModel })
  return machine
}

/** All executions, by so many workers that stop now and then to share what they have left, die, or are saved and resumed. */
function byShares(program: Program, memoryModel: (typeof memoryModels)[number], random: Random): string[] {
  const ends: string[] = []
  let shares = new Shares(plan, null)
  for (let turn = 0; !shares.isDone; turn++) {
    expect(turn).toBeLessThan(20_000)
    const taken = Array.from({ length: 3 }, () => shares.take()).filter((next) => next !== null)
    for (const { stream } of taken) {
      const machine = machineOf(program, memoryModel)
      const context = { machine, order: plan.order, threadHere: same, locationHere: same } as const
      const { saved } = stream
      const strategy = saved
        ? loadStrategy('graphs', saved.state, context)
        : createStrategy('graphs', { machine })
      const found: string[] = []
      const { exhausted } = explore({
        machine,
        strategy,
        keepGoing: true,
        maxExecutions: 1 + random.below(4),
        onExecution: ({ status }) => {
          if (status !== 'blocked') found.push(machine.finalState())
        },
      })
      if (random.below(10) === 0) {
        shares.leave(stream)
        continue
      }
      ends.push(...found)
      const state = { state: plain(strategy.save()), counters: noCounters } as unknown as SavedSearch
      stream.saved = exhausted ? null : state
      shares.ended(stream, exhausted ? 'exhausted' : 'interrupted', 1 + random.below(3))
    }
    if (random.below(5) === 0) {
      shares = new Shares(plan, { state: plain(shares.save()) } as unknown as SavedSearch)
    }
  }
  return ends.sort()
}

it.each(memoryModels.slice(1))('several workers explore each execution graph once under %s', (model) => {
  const random = new Random(13)
  for (let i = 0; i < times(12); i++) {
    const program =
      i % 2 === 0 ? toProgram(randomThreads({ random, size: 5 })) : randomProgram(random, mixes.all)
    const all: string[] = []
    const machine = machineOf(program, model)
    explore({
      machine,
      strategy: createStrategy('graphs', { machine }),
      keepGoing: true,
      onExecution: ({ status }) => {
        if (status !== 'blocked') all.push(machine.finalState())
      },
    })
    expect(byShares(program, model, random), JSON.stringify(program.threads)).toEqual(all.sort())
  }
})
