import { describe, expect, it } from 'vitest'
import { type MemoryModel, memoryModels } from '../../src/machine/platform.js'
import { Random } from '../../src/random/random.js'
import { isFull } from '../support/effort.js'
import { type Engine, engine } from '../support/engine.js'
import { dailyOf, type Mutation, mutatedEngine } from '../support/mutated-engine.js'
import { enumerate } from './enumerate.js'
import { litmusTable } from './litmus-table.js'
import { parseThreads } from './litmus-text.js'
import { randomThreads } from './random-threads.js'
import { exploreModel } from './run-model.js'

const weak = 'memory/weak-memory.ts'
const clocks = 'memory/clocks.ts'
const psc = 'memory/rc11.ts'
const stores = 'memory/store-order.ts'
const revisits = 'strategies/graphs/revisits.ts'

/** Each axiom broken, and the conditions under which a graph is taken back. */
const mutations: readonly Mutation[] = [
  {
    what: 'psc: not asked for',
    file: psc,
    from: 'return !this.concerns(event) || isAcyclic(this.psc())',
    to: 'return true',
  },
  {
    what: 'coherence: a thread may see something older than it has seen',
    file: weak,
    from: 'return isPast(write) || graph.readers[write].some(isPast)',
    to: 'return isPast(write)',
  },
  {
    what: 'coherence: a thread may see something older than it knows of',
    file: weak,
    from: 'if (write === floor || this.isKnown(thread, write)) break',
    to: 'if (write === floor) break',
  },
  {
    what: 'acquire does not acquire',
    file: clocks,
    from: 'if (acquires(order)) this.now[thread] = joined(this.of(thread), released)',
    to: 'if (acquires(order)) return',
  },
  {
    what: 'release does not release',
    file: clocks,
    from: 'if (releases(order)) {\n      const clock',
    to: 'if (false) {\n      const clock',
  },
  {
    what: 'relaxed loads acquire',
    file: clocks,
    from: 'else this.seen[thread] = joined(this.seen[thread] ?? null, released)',
    to: 'else this.now[thread] = joined(this.of(thread), released)',
  },
  {
    what: 'updates end release sequences',
    file: clocks,
    from: 'const all = joined(own, updated)',
    to: 'const all = joined(own, null)',
  },
  {
    what: 'later stores of a thread end its release sequence',
    file: clocks,
    from: 'this.ownReleases[thread].get(location) ?? null',
    to: 'null',
  },
  {
    what: 'acquire fences do nothing',
    file: clocks,
    from: 'if (acquires(order)) this.now[thread] = joined(this.of(thread), this.seen[thread] ?? null)',
    to: '',
  },
  {
    what: 'release fences do nothing',
    file: clocks,
    from: 'if (releases(order)) this.fenced[thread] = this.of(thread)',
    to: '',
  },
  {
    what: 'atomicity: a write may come between an update and what it saw',
    file: weak,
    from: 'if (splits) return false',
    to: '',
  },
  {
    what: 'psc: fences do not count',
    file: psc,
    from: 'const fences = isFence(a) && isFence(b)',
    to: 'const fences = false',
  },
  {
    what: 'psc: what follows a fence does not count',
    file: psc,
    from: 'const future = isFence(a) ? follows(a) : []',
    to: 'const future: number[] = []',
  },
  {
    what: 'psc: modification order does not count',
    file: psc,
    from: 'if (this.mo(a, b) || this.fr(a, b)) return true\n    if (sameThread',
    to: 'if (this.fr(a, b)) return true\n    if (sameThread',
  },
  {
    what: 'psc: reads before writes do not count',
    file: psc,
    from: 'if (this.mo(a, b) || this.fr(a, b)) return true\n    if (sameThread',
    to: 'if (this.mo(a, b)) return true\n    if (sameThread',
  },
  {
    what: 'psc: happens-before between sequentially consistent accesses counts (C11 of 2011)',
    file: psc,
    from: 'return first >= 0 && last >= 0 && graph.happensBefore(first, last)',
    to: 'return true',
  },
  {
    what: 'stores stay in order under pso',
    file: stores,
    from: "return model === 'tso' || isRelease",
    to: 'return true || isRelease',
  },
  {
    what: 'stores do not stay in order under tso',
    file: stores,
    from: "return model === 'tso' || isRelease",
    to: 'return isRelease',
  },
  {
    what: 'loads do not stay in order',
    file: stores,
    from: 'if (!graph.writes(a)) return true',
    to: 'if (!graph.writes(a)) return false',
  },
  {
    what: 'a load stays after an earlier store',
    file: stores,
    from: 'if (!graph.writes(b)) return false',
    to: 'if (!graph.writes(b)) return true',
  },
  {
    what: 'fences do nothing under tso and pso',
    file: stores,
    from: 'return graph.order[event] === Order.seqCst\n',
    to: 'return false\n',
  },
  {
    what: 'sequentially consistent stores are plain under tso and pso',
    file: stores,
    from: 'if (graph.isAtomic[a] && graph.order[a] === Order.seqCst) return true',
    to: '',
  },
  {
    what: 'updates are no fences under tso and pso',
    file: stores,
    from: 'case EventKind.update:\n      case EventKind.failedUpdate:\n',
    to: '',
  },
  {
    what: 'who reads from another thread does not come after it, under tso and pso',
    file: stores,
    from: 'if (graph.thread[reader] !== graph.thread[a]) stack.push(reader)',
    to: '',
  },
  {
    what: 'what was seen does not come before what replaced it, under tso and pso',
    file: stores,
    from: 'else if (graph.reads(a)) this.push(graph.next(graph.source[a]))',
    to: '',
  },
  {
    what: 'graphs: reads need not have been of the newest',
    file: revisits,
    from: 'return isSame(source, newestUpTo(graph, added, access.location, readAt))',
    to: 'return true',
  },
  {
    what: 'graphs: writes need not have been at the end, unread',
    file: revisits,
    from: 'return !isSeen && isSame(step, newestUpTo(graph, added, access.location, writeAt))',
    to: 'return true',
  },
  {
    what: 'graphs: earlier reads are not looked at',
    file: revisits,
    from: 'if (!isUnforced) continue',
    to: 'continue',
  },
]

const random = new Random(7)
const corpus = [
  ...litmusTable
    .filter(([, threads]) => !threads.some((code) => code.includes('lock')))
    .map(([, text]) => parseThreads(text)),
  ...Array.from({ length: 40 }, (_, i) => randomThreads({ random, size: 4 + (i % 3), locks: false })),
]
const answers = new Map<string, ReturnType<typeof enumerate>>()

function answerOf(i: number, model: MemoryModel) {
  const key = `${i} ${model}`
  if (!answers.has(key)) answers.set(key, enumerate(corpus[i], model))
  return answers.get(key)!
}

/** Whether some litmus test comes out otherwise than the axioms say. */
function isNoticed(by: Engine): boolean {
  return corpus.some((threads, i) =>
    memoryModels.slice(1).some((model) => {
      const { outcomes, graphs } = answerOf(i, model)
      try {
        const explored = exploreModel(threads, model, 'graphs', by)
        const isSame = [...outcomes].sort().join('|') === [...explored.outcomes].sort().join('|')
        return !isSame || explored.executions !== graphs
      } catch {
        return true
      }
    }),
  )
}

describe('each axiom, broken on purpose, is noticed by the litmus tests', () => {
  const { daily, others } = dailyOf(mutations)
  it.runIf(isFull)('which the engine passes', () => {
    expect(isNoticed(engine)).toBe(false)
  })
  it.each(daily)('$what', async (mutation) => {
    expect(isNoticed(await mutatedEngine(mutation))).toBe(true)
  })
  it.runIf(isFull).each(others)('$what', async (mutation) => {
    expect(isNoticed(await mutatedEngine(mutation))).toBe(true)
  })
})
