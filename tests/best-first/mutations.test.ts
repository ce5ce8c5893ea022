import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import { truth } from '../reductions/check.js'
import type { Reached } from '../support/brute-force.js'
import { isFull, times } from '../support/effort.js'
import type { Engine } from '../support/engine.js'
import { Corpus, dailyOf, type Mutation, mutatedEngine } from '../support/mutated-engine.js'
import { randomProgram } from '../support/random-program.js'
import { compareBounded, compareReduced } from './check.js'

const file = 'strategies/best-first/best-first.ts'
const marks = 'strategies/best-first/marks.ts'

/** Ways to break best-first search; `bound` says in which mode it must be seen to fail. */
const mutations: (Mutation & { readonly order: string; readonly bound?: number })[] = [
  {
    what: 'sleep for siblings that ran later',
    order: 'pb',
    file,
    from: 'if (own !== NOT_EXECUTED && siblings.order[r] >= own) continue',
    to: 'if (own === siblings.order[r]) continue',
  },
  {
    what: 'sleep for siblings that are only in the fringe',
    order: 'mdpor,pb',
    file,
    from: 'if (siblings.depth[r] !== d || siblings.order[r] === NOT_EXECUTED) continue',
    to: 'if (siblings.depth[r] !== d) continue',
  },
  {
    what: 'a sleeper of another depth',
    order: 'rand',
    file,
    from: 'if (siblings.depth[r] !== d || siblings.order[r] === NOT_EXECUTED) continue',
    to: 'if (siblings.order[r] === NOT_EXECUTED) continue',
  },
  {
    what: 'forget what has been tried',
    order: 'pb',
    file,
    from: 'this.choices.marked[option] = 1\n        }',
    to: '}',
  },
  {
    what: "forget the owner's own branch",
    order: 'no-sleep,pb',
    file,
    from: '(this.sleeps || this.reduces) && choices.record[taken] === NO_RECORD',
    to: 'false',
  },
  {
    what: 'drop a backtrack point',
    order: 'pb',
    file: marks,
    from: 'const chosen = isOwn ? thread : initials.thread[0]',
    to: 'if (later % 3 === 2) return\n    const chosen = isOwn ? thread : initials.thread[0]',
  },
  {
    what: 'any marked thread will do',
    order: 'mdpor,pb',
    file: 'strategies/reduction/initials.ts',
    from: 'this.thread[i] === thread || hb.ordered(this.transition[i], d)',
    to: 'this.thread[i] === thread',
  },
  {
    what: 'other alternatives of what is taken are not explored',
    order: 'pb',
    file: marks,
    from: 'else this.mark(d, choices.optionThread[option], Need.direct)',
    to: '',
  },
  {
    what: 'forget what threads that wait for ever wait to do',
    order: 'pb',
    file: marks,
    from: 'hb.weighPending(t, false)',
    to: 'continue',
  },
  {
    what: 'a leaf belongs to the wrong execution',
    order: 'pb',
    file: 'strategies/best-first/deltas.ts',
    from: 'if (this.step[i] < d) return this.node[i]',
    to: 'if (this.step[i] <= d) return this.node[i]',
  },
  {
    what: 'ancestors stay',
    order: 'pb',
    file: 'strategies/best-first/tree.ts',
    from: 'at = parent',
    to: 'at = NO_NODE',
  },
  {
    what: 'a bin loses what lies below its top',
    order: 'pb',
    file: 'strategies/best-first/fringe.ts',
    from: 'else bin.top = below',
    to: 'else bin.top = NO_NODE',
  },
  {
    what: 'one preemption too few',
    order: 'pb',
    bound: 1,
    file: marks,
    from: 'choices.cost(d, i) > bound',
    to: 'choices.cost(d, i) >= bound',
  },
  {
    what: 'one preemption too many',
    order: 'rand',
    bound: 1,
    file: marks,
    from: 'choices.cost(d, i) > bound',
    to: 'choices.cost(d, i) > bound + 1',
  },
  {
    what: 'sleep sets prune within a bound',
    order: 'ss,mdpor',
    bound: 1,
    file,
    from: 'if (!this.reduces) return',
    to: 'if (!this.sleeps) return',
  },
  {
    what: 'only races are followed within a bound',
    order: 'mdpor',
    bound: 1,
    file: marks,
    from: 'if (i === choices.taken[d]) continue',
    to: 'if (i === choices.taken[d] || choices.need[i] === Need.none) continue',
  },
  {
    what: 'a voluntary switch costs a preemption',
    order: 'pb',
    bound: 0,
    file: 'strategies/best-first/choices.ts',
    from: 'point.stay >= 0 && !point.voluntary ? point.previous : -1',
    to: 'point.stay >= 0 ? point.previous : -1',
  },
  {
    what: 'the shared prefix is taken for longer than it is',
    order: 'rand',
    file: 'strategies/best-first/deltas.ts',
    from: 'common = Math.min(common, step, this.step[i])',
    to: 'common = Math.min(common, step)',
  },
]

const corpus = new Corpus(
  () => fc.sample(randomProgram({ maxInterleavings: 600 }), { seed: 78, numRuns: 600 }),
  (program) => truth(program, undefined, 800),
)

function isWrong(
  order: string,
  bound: number | undefined,
  { program, all }: { readonly program: Program; readonly all: Reached },
  engine: Engine,
) {
  try {
    return (
      (bound === undefined
        ? compareReduced(order, program, all, engine)
        : compareBounded(order, program, all, bound, engine)) !== null
    )
  } catch {
    return true
  }
}

describe('a broken search is noticed', () => {
  const isNoticed = async (mutation: (typeof mutations)[number]) => {
    const engine = await mutatedEngine(mutation)
    expect(corpus.some((entry) => isWrong(mutation.order, mutation.bound, entry, engine))).toBe(true)
  }
  const { daily, others } = dailyOf(mutations)
  test.each(daily)('$what', isNoticed)
  test.runIf(isFull).each(others)('$what', isNoticed)

  test('and the harness does not cry wolf', async () => {
    const same = await mutatedEngine({ what: 'nothing', file, from: 'deltas', to: 'deltas' })
    for (const { order, bound } of mutations) {
      for (const entry of corpus.first(times(10))) expect(isWrong(order, bound, entry, same)).toBe(false)
    }
  })
})
