import { beforeAll, describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { frontEndFor } from '../../src/frontends/registry.js'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { PathTree } from '../../src/inputs/path-tree.js'
import { createStrategy } from '../../src/strategies/index.js'
import { CadicalSolver } from '../../src/symbolic/cadical-solver.js'
import type { Expression, Expressions } from '../../src/symbolic/expressions.js'
import type { Input, PathTaken } from '../../src/symbolic/input-control.js'
import { Operator } from '../../src/symbolic/operator.js'
import { isFull } from '../support/effort.js'
import { z3 } from './against-z3.js'
import { SmtLib, translated } from './smt-lib.js'

const file = 'tests/c/output-pairs.c'
/** As the program knows them. Of a pair, both are the same for the inputs that stand there, 4 and 4, or differ anyway. */
const pairs = isFull ? pairsOf('abcdefghijk') : ['ab', 'cd', 'ef', 'gh', 'ai', 'jk', 'aj']

function pairsOf(letters: string): string[] {
  return [...letters].flatMap((a, i) => [...letters.slice(i + 1)].map((b) => a + b))
}

interface Compared {
  readonly pair: string
  /** An input for which the two paths print different things; undefined if there is none. */
  readonly input: Input | undefined
  readonly query: string
}

/** PCp ∧ PCa ∧ Op ≠ Oa, as z3 reads it: made from the paths, and not by what is tested. */
function query(expressions: Expressions, a: PathTaken, b: PathTaken): string {
  const terms = new SmtLib()
  const conditions = [...a.decisions, ...b.decisions].map(({ condition }) =>
    translated(expressions, condition, terms),
  )
  const equal = a.output.map((byte, i) =>
    terms.binary(
      Operator.equal,
      translated(expressions, byte, terms),
      translated(expressions, b.output[i], terms),
    ),
  )
  const all = equal.reduce((x, y) => terms.binary(Operator.and, x, y))
  return terms.query([...conditions, terms.not(all)])
}

async function compare(pair: string): Promise<Compared[]> {
  const recipe = { files: [file], symbolic: true, args: [...pair] }
  const { machine, inputs } = await frontEndFor(recipe.files).load(recipe, '.')
  explore({ machine, strategy: createStrategy('optimal', { machine }), keepGoing: true })
  const solver = await CadicalSolver.create(inputs!.expressions)
  try {
    const tree = new PathTree(inputs!, solver, () => false)
    const [first, ...others] = inputs!.takePaths()
    const { expressions } = inputs!
    const isKnown = (byte: Expression) => expressions.isConstant(byte)
    // What differs whatever the input needs no comparison.
    const differsAnyway = ({ output }: PathTaken) =>
      output.some((byte, i) => byte !== first.output[i] && isKnown(byte) && isKnown(first.output[i]))
    return others
      .filter((other) => other.output.length === first.output.length && !differsAnyway(other))
      .map((other) => ({
        pair,
        input: tree.differ(first, other, new Map()),
        query: query(inputs!.expressions, first, other),
      }))
  } finally {
    solver.dispose()
  }
}

/** What the compiled program prints, over all schedules. */
async function printed(artifact: Artifact, pair: string, input: Input): Promise<Set<string>> {
  const values = { areInputs: true, valueOf: (name: string) => input.get(name) }
  const machine = await wasmMachine(artifact, { args: [...pair], inputs: values })
  const outputs = new Set<string>()
  explore({
    machine,
    strategy: createStrategy('optimal', { machine }),
    keepGoing: true,
    onExecution: () => outputs.add(machine.output),
  })
  return outputs
}

describe('outputs that differ for some input only', () => {
  let compared: Compared[]
  let answers: string[]
  beforeAll(async () => {
    compared = (await Promise.all(pairs.map(compare))).flat()
    answers = z3(compared.map(({ query }) => query))
  })

  it('are told apart from those that are equal for all, as z3 tells them', () => {
    const ours = compared.map(({ input }) => (input === undefined ? 'unsat' : 'sat'))
    expect(ours).toEqual(answers)
    expect(ours.filter((answer) => answer === 'sat').length).toBeGreaterThan(1)
    expect(ours.filter((answer) => answer === 'unsat').length).toBeGreaterThan(1)
  })

  it('by inputs with which the compiled program prints either, depending on the schedule', async () => {
    const artifact = await build({ sources: [file] })
    for (const { pair, input } of compared) {
      if (input !== undefined) expect([pair, (await printed(artifact, pair, input)).size]).toEqual([pair, 2])
    }
  })
})
