import {
  at,
  atomicLoad,
  atomicStore,
  barrier,
  broadcast,
  create,
  fetchAdd,
  join,
  load,
  lock,
  loop,
  rdlock,
  rwunlock,
  sempost,
  semtrywait,
  semvalue,
  semwait,
  set,
  signal,
  store,
  timedlock,
  timedwait,
  trylock,
  tryrdlock,
  trywrlock,
  unlock,
  wait,
  when,
  wrlock,
} from '../../src/frontends/model/build.js'
import type { Declarations, Program, Statement } from '../../src/frontends/model/program.js'
import { parsePoints } from '../../src/machine/points.js'
import type { RaceKind } from '../../src/races/index.js'
import type { Detection } from './detect.js'

/** A program and what each detector says of it when every schedule is explored. */
export interface Edge {
  readonly name: string
  readonly program: Program
  readonly kinds: readonly RaceKind[]
  readonly expected: readonly string[]
  readonly how?: Detection
}

const both = ['pure', 'limited'] as const
const pure = ['pure'] as const
const limited = ['limited'] as const

const objects: Declarations = {
  variables: { x: 0, y: 0, flag: 0 },
  arrays: { a: [0, 0] },
  mutexes: { m: 'plain', n: 'plain', e: 'errorcheck' },
  rwlocks: ['rw'],
  conditions: ['c'],
  semaphores: { s: 0, one: 1, two: 2 },
  barriers: { b: 2, b3: 3 },
}

function edge(
  name: string,
  kinds: readonly RaceKind[],
  threads: Record<string, readonly Statement[]>,
  expected: readonly string[] = [],
  how?: Detection,
): Edge {
  return { name, program: { ...objects, threads }, kinds, expected, ...(how ? { how } : {}) }
}

const x = (value = 1) => store('x', value)
const readX = load('x', 'r')
const inside = (take: Statement, give: Statement, ...body: Statement[]) => [take, ...body, give]
const locked = (...body: Statement[]) => inside(lock('m'), unlock('m'), ...body)
const succeeded = (body: readonly Statement[]) => when(['==', 'k', 0], body)
const failed = (body: readonly Statement[]) => when(['!=', 'k', 0], body)
/** One run with the threads one after the other. */
const inTurn: Detection = { strategy: 'dfs', maxExecutions: 1, points: parsePoints('yield') }

/** Each kind of order by itself: without it, a race would be reported that there is not, or the other way round. */
export const edges: readonly Edge[] = [
  edge('create', both, { main: [x(), create('child'), join('child')], child: [readX] }),
  edge('join', both, { main: [create('child'), join('child'), readX], child: [x()] }),
  edge('what the creator does next is not ordered', both, { main: [create('child'), x()], child: [readX] }, [
    'child:0 / main:1',
  ]),

  edge('mutex', both, { a: locked(x()), b: locked(readX, x()) }),
  edge('different mutexes', both, { a: locked(x()), b: inside(lock('n'), unlock('n'), readX) }, [
    'a:1 / b:1',
  ]),
  edge('a mutex given back', both, { a: locked(x()), b: [...locked(), readX] }, ['a:1 / b:2']),
  edge('mutex taken by a try', both, {
    a: locked(x()),
    b: [trylock('m', 'k'), succeeded([readX, unlock('m')])],
  }),
  edge('mutex taken in time', both, {
    a: locked(x()),
    b: [timedlock('m', 'k'), succeeded([readX, unlock('m')])],
  }),
  edge('a try that fails shows that the mutex was taken', pure, {
    a: [x(), lock('m')],
    b: [trylock('m', 'k'), failed([readX])],
  }),
  edge('so does time running out', pure, { a: [x(), lock('m')], b: [timedlock('m', 'k'), failed([readX])] }),
  edge('a mutex handed over orders what came before it', pure, {
    a: [x(), ...locked(store('y', 1))],
    b: [...locked(load('y', 'k')), failed([readX])],
  }),

  edge('writer, then reader', both, {
    a: inside(wrlock('rw'), rwunlock('rw'), x()),
    b: inside(rdlock('rw'), rwunlock('rw'), readX),
  }),
  edge('two writers', both, {
    a: inside(wrlock('rw'), rwunlock('rw'), x()),
    b: inside(wrlock('rw'), rwunlock('rw'), x(2)),
  }),
  edge(
    'readers who write',
    both,
    {
      a: inside(rdlock('rw'), rwunlock('rw'), x()),
      b: inside(rdlock('rw'), rwunlock('rw'), readX),
    },
    ['a:1 / b:1'],
  ),
  edge('a reader who entered twice and left once', both, {
    a: [rdlock('rw'), rdlock('rw'), rwunlock('rw'), x(), rwunlock('rw')],
    b: inside(wrlock('rw'), rwunlock('rw'), readX),
  }),
  edge('tries of readers and writers', both, {
    a: [trywrlock('rw', 'k'), succeeded([x(), rwunlock('rw')])],
    b: [tryrdlock('rw', 'k'), succeeded([readX, rwunlock('rw')])],
  }),
  edge('a try to read that fails', pure, {
    a: [x(), wrlock('rw')],
    b: [tryrdlock('rw', 'k'), failed([readX])],
  }),
  edge('a try to write that fails', pure, {
    a: [x(), rdlock('rw')],
    b: [trywrlock('rw', 'k'), failed([readX])],
  }),

  edge('signal', both, {
    a: [x(), signal('c')],
    b: [...inside(lock('m'), unlock('m'), wait('c', 'm')), readX],
  }),
  edge('broadcast', both, {
    a: [x(), broadcast('c')],
    b: [...inside(lock('m'), unlock('m'), wait('c', 'm')), readX],
  }),
  edge('a wait gives the mutex back, and takes it again', both, {
    a: [...locked(x()), signal('c')],
    b: locked(readX, wait('c', 'm'), x(2)),
  }),
  edge('a timed wait that was signalled', pure, {
    a: [x(), signal('c')],
    b: [...locked(timedwait('c', 'm', 'k')), succeeded([readX])],
  }),

  edge('a post that is waited for', both, { a: [x(), sempost('s')], b: [semwait('s'), readX] }),
  edge('a semaphore as a lock', both, {
    a: inside(semwait('one'), sempost('one'), x()),
    b: inside(semwait('one'), sempost('one'), readX),
  }),
  edge(
    'a semaphore with two permits is no lock',
    both,
    {
      a: inside(semwait('two'), sempost('two'), x()),
      b: inside(semwait('two'), sempost('two'), readX),
    },
    ['a:1 / b:1'],
  ),
  edge(
    'nor is one that somebody else posts',
    both,
    {
      a: inside(semwait('one'), sempost('one'), x()),
      b: inside(semwait('one'), sempost('one'), readX),
      c: [sempost('one')],
    },
    ['a:1 / b:1'],
  ),
  edge(
    'either of two posts will do',
    both,
    {
      a: [x(), sempost('s')],
      b: [sempost('s')],
      c: [semwait('s'), readX],
    },
    ['a:0 / c:1'],
  ),
  edge('of two posts both are needed for two waits', both, {
    a: [x(), sempost('s')],
    b: [sempost('s')],
    c: [semwait('s'), semwait('s'), readX],
  }),
  edge(
    'limited: a post that only gives back what was taken orders nothing',
    limited,
    {
      a: [x(), semwait('two'), sempost('two')],
      b: [semwait('two'), sempost('two'), readX],
    },
    ['a:0 < b:2'],
    inTurn,
  ),
  edge('a permit taken by a try', pure, {
    a: [x(), sempost('s')],
    b: [semtrywait('s', 'k'), succeeded([readX])],
  }),
  edge('a permit that was gone', pure, {
    a: [x(), semwait('one')],
    b: [semtrywait('one', 'k'), failed([readX])],
  }),
  edge('the value of a semaphore', pure, {
    a: [x(), sempost('s')],
    b: [semvalue('s', 'k'), failed([readX])],
  }),

  edge('barrier', both, { a: [x(), barrier('b')], b: [barrier('b'), readX] }),
  edge('barrier, both ways', both, {
    a: [x(), barrier('b'), load('y', 'r')],
    b: [store('y', 1), barrier('b'), readX],
  }),
  edge('barrier of three', both, {
    a: [store(at('a', 0), 1), barrier('b3')],
    b: [store(at('a', 1), 1), barrier('b3')],
    c: [barrier('b3'), load(at('a', 0), 'r'), load(at('a', 1), 'r')],
  }),
  edge('limited: arrivals are not ordered', limited, { a: [x(), barrier('b')], b: [readX, barrier('b')] }, [
    'a:0 / b:0',
  ]),

  edge('atomic store and load', pure, {
    a: [x(), atomicStore('flag', 1)],
    b: [atomicLoad('flag', 'k'), failed([readX])],
  }),
  edge('atomic update', pure, {
    a: [x(), fetchAdd('flag', 1)],
    b: [fetchAdd('flag', 1, 'k'), failed([readX])],
  }),
  edge(
    'limited: atomics order nothing',
    limited,
    {
      a: [x(), atomicStore('flag', 1)],
      b: [atomicLoad('flag', 'k'), failed([readX])],
    },
    ['a:0 < b:1.then.0'],
  ),

  edge(
    'limited: the order of unrelated critical sections is nothing (figure 3a)',
    limited,
    {
      a: [x(), ...locked()],
      b: [...locked(), readX],
    },
    ['a:0 < b:2'],
    inTurn,
  ),
  edge(
    'every pair is reported, not only the last',
    both,
    {
      a: [x(1), x(2), readX],
      b: [readX, x(3)],
    },
    ['a:0 < b:0', 'a:0 < b:1', 'a:1 < b:0', 'a:1 < b:1', 'a:2 < b:1'],
    inTurn,
  ),
  edge(
    'an access under a lock does not hide the one without that came before it',
    limited,
    {
      a: [loop(2, [x(), succeeded([lock('m'), set('k', 1)])]), unlock('m')],
      b: locked(readX),
    },
    ['a:0.body.0 < b:1'],
    inTurn,
  ),

  edge('the mutex is held again after a wait', both, {
    a: locked(x()),
    b: locked(wait('c', 'm'), readX),
    c: [signal('c')],
  }),
  edge(
    'a try that fails takes nothing',
    both,
    {
      a: locked(x()),
      b: [trylock('m', 'k'), failed([readX])],
    },
    ['a:1 / b:1.then.0'],
  ),
  edge(
    'atomics race with plain accesses',
    both,
    {
      a: [x()],
      b: [atomicLoad('x', 'r')],
      c: [atomicStore('x', 2)],
    },
    ['a:0 / b:0', 'a:0 / c:0'],
  ),
  edge(
    'an access under a lock does not stand for the one without that comes after it',
    limited,
    {
      a: [lock('m'), loop(2, [x(), succeeded([unlock('m'), set('k', 1)])])],
      b: locked(readX),
    },
    ['a:1.body.0 < b:1'],
    inTurn,
  ),
]
