import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { everywhere } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { judge } from '../../src/runs/verdict.js'
import { createStrategy, findStrategy } from '../../src/strategies/index.js'
import { stepwise } from '../../src/strategies/stepwise.js'
import { times } from '../support/effort.js'
import { evidenceOfOne, wholeSearch } from '../support/evidence.js'
import {
  allStates,
  falsehood,
  type Item,
  maxSteps,
  randomProgram,
  type Said,
  scriptOf,
} from '../support/storing-programs.js'

const file = 'tests/c/storing-scripts.c'
/** The line of the first assertion; the others follow. */
const firstAssertion =
  readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes('case 0: assert(')) + 1

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: [file] })
})

/** Explores random programs as C runs them; what is said of them, as `falsehood` wants it. */
async function search(program: readonly (readonly Item[])[], name: string): Promise<Said> {
  const machine = await wasmMachine(artifact, { args: program.map(scriptOf) })
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
        const thread = Number(machine.threads.names[bug.thread].slice(2)) - 1
        failures.add(`t${thread}.a${machine.sites[bug.site].line! - firstAssertion}`)
      } else if (bug === null && status === 'completed') finals.add(machine.output)
    },
  })
  const { entry } = findStrategy(name)
  const evidence = evidenceOfOne({
    ...wholeSearch,
    ...result,
    strategy: name,
    promise: entry.promise,
    stopped: result.exhausted ? 'exhausted' : 'executions',
    foundBug: false,
    points: everywhere,
    maxSteps,
  })
  const { verdict, guarantee } = judge(evidence)
  return { verdict, guarantee: guarantee ?? '', failures, finals }
}

const runs = times(12)

describe('C programs with loops that store', () => {
  it.each(['optimal', 'dpor'])('%s never says more than all states allow', async (name) => {
    const random = new Random(22)
    const verdicts = new Map<string, number>()
    for (let n = 0; n < runs; n++) {
      const program = randomProgram(random)
      const all = allStates(program)
      // Threads of a model run up to their first access at once: there, nothing else happens.
      if ([...all.failures.values()].includes(0)) continue
      const said = await search(program, name)
      const wrong = falsehood(said, all)
      expect(wrong && `${name}, program ${n}: ${wrong}; ${JSON.stringify(program)}`).toBeNull()
      verdicts.set(said.verdict, (verdicts.get(said.verdict) ?? 0) + 1)
    }
    // Something is to be seen of either kind.
    expect(verdicts.get('verified') ?? 0).toBeGreaterThan(runs / 4)
    expect(verdicts.get('budget') ?? 0).toBeGreaterThan(0)
  })
})
