import { describe, expect, test } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { assert, load, set, store, whileLoop } from '../../src/frontends/model/build.js'
import { modelMachine, type Statement } from '../../src/frontends/model/index.js'
import type { Expression } from '../../src/frontends/model/program.js'
import { everywhere } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { judge } from '../../src/runs/verdict.js'
import { createStrategy, findStrategy } from '../../src/strategies/index.js'
import { stepwise } from '../../src/strategies/stepwise.js'
import { isFull, times } from '../support/effort.js'
import { evidenceOfOne, wholeSearch } from '../support/evidence.js'
import {
  allStates,
  falsehood,
  type Item,
  maxSteps,
  randomProgram,
  registerNames,
  type Said,
  variables,
} from '../support/storing-programs.js'

function statements(items: readonly Item[], path: string): Statement[] {
  return items.flatMap((item, i): Statement[] => {
    switch (item.do) {
      case 'load':
        return [load(item.from, item.into)]
      case 'store':
        return [store(item.to, item.value)]
      case 'flip':
        return [set('q', ['-', 1, 'q'])]
      case 'bump':
        return [set('n', ['+', 'n', 1])]
      case 'assert':
        return [{ ...assert(['!=', item.register, item.not]), label: `${path}${i}` } as Statement]
      default:
        return [set('r', 0), whileLoop(['==', 'r', 0] as Expression, statements(item.body, `${path}${i}_`))]
    }
  })
}

// --- what searches say

function search(program: readonly (readonly Item[])[], name: string): Said {
  const registers = registerNames.map((name) => set(name, 0))
  const threads = Object.fromEntries(
    program.map((items, t) => [`t${t}`, [...registers, ...statements(items, 'a')]]),
  )
  const machine = modelMachine({ variables: { x: 0, y: 0, z: 0 }, threads })
  const failures = new Set<string>()
  const finals = new Set<string>()
  const result = explore({
    machine,
    strategy: stepwise({ create: () => createStrategy(name, { machine }), maxSteps }),
    keepGoing: true,
    // What follows is not seen: it counts as cut.
    ignores: (bug) => bug.kind === 'livelock',
    maxSteps,
    maxExecutions: 400,
    onExecution({ bug, status }) {
      if (bug?.kind === 'assertion') {
        const [thread, place] = machine.sites[bug.site].name.split(':')
        failures.add(`${thread}.${place}`)
      } else if (bug === null && status === 'completed') {
        const lines = machine.finalState().split('\n')
        finals.add(variables.map((v) => lines.find((l) => l.startsWith(`${v} = `))!.slice(4)).join(' '))
      }
    },
  })
  const { entry } = findStrategy(name)
  const evidence = evidenceOfOne({
    ...wholeSearch,
    ...result,
    strategy: name,
    promise: entry.promise,
    everyPrefix: entry.everyPrefix,
    stopped: result.exhausted ? 'exhausted' : 'executions',
    foundBug: false,
    points: everywhere,
    maxSteps,
  })
  const { verdict, guarantee } = judge(evidence)
  return { verdict, guarantee: guarantee ?? '', failures, finals }
}

describe('programs with loops that store', () => {
  const names = ['dpor', 'source', 'optimal', 'icb', 'best-first', 'dfs', 'delay']

  test.each(names)('%s never says more than all states allow', (name) => {
    const random = new Random(15)
    const verdicts = new Map<string, number>()
    for (let n = 0; n < times(25); n++) {
      const program = randomProgram(random)
      const said = search(program, name)
      const wrong = falsehood(said, allStates(program))
      expect(wrong && `${name}, program ${n}: ${wrong}; ${JSON.stringify(program)}`).toBeNull()
      verdicts.set(said.verdict, (verdicts.get(said.verdict) ?? 0) + 1)
    }
    // Something is to be seen of either kind.
    expect(verdicts.get('verified') ?? 0).toBeGreaterThan(times(5))
    expect(verdicts.get('budget') ?? 0).toBeGreaterThan(isFull ? 2 : 0)
  })
})
