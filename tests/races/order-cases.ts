import {
  atomicLoad,
  atomicStore,
  compareExchange,
  fence,
  fetchAdd,
  load,
  store,
  when,
} from '../../src/frontends/model/build.js'
import type { MemoryOrder, Statement } from '../../src/frontends/model/program.js'
import type { Edge } from './edges.js'

/** Messages through a flag under C++20's rules: `orders.test.ts` has them all, these are for broken detectors. */
function message(
  name: string,
  expected: readonly string[],
  threads: Record<string, readonly Statement[]>,
): Edge {
  return { name, kinds: ['pure'], expected, program: { variables: { data: 0, flag: 0, flag2: 0 }, threads } }
}

const send = (order: MemoryOrder) => [store('data', 1), atomicStore('flag', 1, order)]
const receive = (order: MemoryOrder, value = 1) => [
  atomicLoad('flag', 'r', order),
  when(['==', 'r', value], [load('data', 'd')]),
]
const race = ['a:0 < b:1.then.0']

export const orderCases: readonly Edge[] = [
  message('release and acquire', [], { a: send('release'), b: receive('acquire') }),
  message('relaxed store', race, { a: send('relaxed'), b: receive('acquire') }),
  message('relaxed load', race, { a: send('release'), b: receive('relaxed') }),
  message('a relaxed update continues a release sequence', [], {
    a: send('release'),
    b: receive('acquire', 11),
    c: [fetchAdd('flag', 10, 'q', 'relaxed')],
  }),
  message('a relaxed store ends it', ['a:0 < b:1.then.0'], {
    a: [...send('release'), atomicStore('flag', 2, 'relaxed')],
    b: receive('acquire', 2),
  }),
  message('fences', [], {
    a: [store('data', 1), fence('release'), atomicStore('flag', 1, 'relaxed')],
    b: [atomicLoad('flag', 'r', 'relaxed'), fence('acquire'), when('r', [load('data', 'd')])],
  }),
  message('an update that changes nothing orders no read that sees it', ['b:0 < c:2.then.0'], {
    b: [store('data', 1), fetchAdd('flag', 0, 'q', 'release'), atomicStore('flag2', 1, 'relaxed')],
    c: [
      atomicLoad('flag2', 'r', 'relaxed'),
      atomicLoad('flag', 'q', 'acquire'),
      when('r', [load('data', 'd')]),
    ],
  }),
  message('unless the next one has changed something', [], {
    b: [
      store('data', 1),
      fetchAdd('flag', 0, 'q', 'release'),
      fetchAdd('flag', 1, 'q', 'relaxed'),
      atomicStore('flag2', 1, 'relaxed'),
    ],
    c: [
      atomicLoad('flag2', 'r', 'relaxed'),
      atomicLoad('flag', 'q', 'acquire'),
      when('r', [load('data', 'd')]),
    ],
  }),
  message('a failed compare-exchange is no write', ['b:0 < c:3.then.0'], {
    a: [atomicStore('flag', 5, 'relaxed')],
    b: [
      store('data', 1),
      fence('release'),
      compareExchange('flag', 7, 8, 'q', 'relaxed', 'relaxed'),
      when(['==', 'q', 5], [atomicStore('flag2', 1, 'relaxed')]),
    ],
    c: [
      atomicLoad('flag2', 'r', 'relaxed'),
      fetchAdd('flag', 1, 'q', 'relaxed'),
      atomicLoad('flag', 'q', 'acquire'),
      when('r', [load('data', 'd')]),
    ],
  }),
]
