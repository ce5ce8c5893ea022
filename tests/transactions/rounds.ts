import { atomically, load, set, store, whileLoop } from '../../src/frontends/model/build.js'
import type { Program, Statement } from '../../src/frontends/model/program.js'

const begins = (body: Statement): Statement[] => ['r', 'q', 's'].map((into) => atomically([body], [], into))
const waits = (...round: Statement[]): Statement[] => [set('r', 0), whileLoop(['!=', 'r', 1], round)]
const variables = { x: 0, y: 0 }

/** A thread that waits can make others abort in each of its rounds. */
export const rounds: Readonly<Record<string, Program>> = {
  'and who aborts lets it go on': {
    variables,
    threads: { t0: [...begins(store('x', 1)), store('y', 1)], t1: waits(load('x', 'q'), load('y', 'r')) },
  },
  'until another does, which it looks at first': {
    variables,
    threads: { t0: begins(store('x', 1)), t1: [store('y', 1)], t2: waits(load('y', 'r'), load('x', 'q')) },
  },
  'by storing what is there': {
    variables,
    threads: {
      t0: [atomically([load('x', 'r')], [], 'q'), atomically([load('x', 'r')], [], 's')],
      t1: [store('y', 1)],
      t2: waits(load('y', 'r'), store('x', 0)),
    },
  },
}
