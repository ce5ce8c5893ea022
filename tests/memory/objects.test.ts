import { describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import { type MemoryModel, memoryModels } from '../../src/machine/platform.js'
import { Random } from '../../src/random/random.js'
import { createStrategy } from '../../src/strategies/index.js'
import { isFull, times } from '../support/effort.js'
import { graphOf } from './graph-of.js'
import { mixes, outcomeOf, randomProgram, scriptsOf } from './object-programs.js'
import { exploreScripts } from './run-c.js'

const watcher = { footprints: true }

interface Answer {
  readonly outcomes: string[]
  readonly graphs: Set<string>
  readonly executions: number
  readonly memory: string[]
}

function answerOf(
  program: Program,
  memoryModel: MemoryModel,
  strategy: string,
  most = Infinity,
): Answer | null {
  const machine = modelMachine(program)
  machine.platform!.use({ memoryModel })
  const outcomes = new Set<string>()
  const graphs = new Set<string>()
  const memory = new Set<string>()
  const { executions, exhausted } = explore({
    machine,
    strategy: createStrategy(strategy, { machine }),
    observers: [watcher],
    keepGoing: true,
    maxExecutions: most,
    onExecution: (runner) => {
      if (runner.status === 'blocked') return
      graphs.add(graphOf(runner))
      const bug = runner.bug === null ? '' : ` ${runner.bug.kind}`
      outcomes.add(machine.finalState() + bug)
      if (runner.bug === null) memory.add(outcomeOf(machine.finalState()))
    },
  })
  return exhausted ? { outcomes: [...outcomes].sort(), graphs, executions, memory: [...memory].sort() } : null
}

describe.each(Object.keys(mixes))('graphs explores each execution graph of programs with %s once', (mix) => {
  it.each(memoryModels.slice(1))('as many as dfs shows under %s', (model) => {
    const random = new Random(31)
    let compared = 0
    for (let i = 0; i < times(7); i++) {
      const program = randomProgram(random, mixes[mix])
      const all = answerOf(program, model, 'dfs', 2000)
      if (all === null) continue
      compared++
      const text = JSON.stringify(program.threads)
      const { outcomes, graphs, executions } = answerOf(program, model, 'graphs')!
      expect(outcomes, text).toEqual(all.outcomes)
      expect(
        [...all.graphs].filter((graph) => !graphs.has(graph)),
        text,
      ).toEqual([])
      expect(executions, text).toBe(all.graphs.size)
      const byPrefixes = answerOf(program, model, 'graphs:prefixes')!
      expect(byPrefixes.outcomes, text).toEqual(all.outcomes)
      expect(byPrefixes.graphs, text).toEqual(all.graphs)
      expect(byPrefixes.executions, text).toBe(all.graphs.size)
    }
    expect(compared).toBeGreaterThan(2)
  })
})

/** Where waiting on a condition meets trying to lock its mutex, `graphs` gives up; these mixes have no mutex of both. */
describe('C programs have the execution graphs that models have', () => {
  it.each(memoryModels.slice(1))('with synchronisation objects of every kind, under %s', async (model) => {
    const random = new Random(17)
    for (const mix of Object.keys(mixes)) {
      for (let i = 0; i < (isFull ? times(2) : 1); i++) {
        const program = randomProgram(random, mixes[mix])
        const text = JSON.stringify(program.threads)
        const { executions, memory } = answerOf(program, model, 'graphs', 2000)!
        const explored = await exploreScripts(scriptsOf(program), model)
        expect([...explored.outcomes].sort(), text).toEqual(memory)
        expect(explored.executions, text).toBe(executions)
      }
    }
  })

  it.each(memoryModels.slice(1))('and run initialisers once, under %s', async (model) => {
    const once = 'o0rr--0000'
    const scripts = [`${once}R0rra-0000`, `${once}R0rra-0000`]
    const byGraphs = await exploreScripts(scripts, model)
    const byAll = await exploreScripts(scripts, model, 'dfs')
    expect([...byGraphs.outcomes]).toEqual([...byAll.outcomes])
    expect(byGraphs.executions).toBe(2)
  })
})
