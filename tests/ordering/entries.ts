import {
  atomicLoad,
  atomicStore,
  barrier,
  broadcast,
  compareExchange,
  create,
  exchange,
  fetchAdd,
  join,
  load,
  lock,
  output,
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
  whileLoop,
  wrlock,
} from '../../src/frontends/model/build.js'
import type { Declarations, Program, ProgramOptions, Statement } from '../../src/frontends/model/program.js'
import type { ObjectKind } from '../../src/machine/names.js'
import type { Edge, Entry } from './commutation.js'

/**
 * For every entry of the dependence table, a program small enough to look through all its executions in which somebody
 * could tell if the entry were missing.
 */

interface Row extends Entry {
  readonly program: Program
}

type Threads = readonly (readonly Statement[])[]

function program(threads: Threads, declarations: Declarations & ProgramOptions = {}): Program {
  const names = threads.map((_, i) => 'abcdef'[i])
  return {
    variables: { x: 0, y: 0 },
    mutexes: { m: 'plain', n: 'plain' },
    rwlocks: ['rw'],
    conditions: ['c'],
    semaphores: { s: 0 },
    barriers: { b: 2 },
    ...declarations,
    threads: Object.fromEntries(threads.map((body, i) => [names[i], body])),
  }
}

function on(object: ObjectKind, rows: [string, string, Threads, (Declarations & ProgramOptions)?][]): Row[] {
  return rows.map(([first, second, threads, declarations]) => ({
    object,
    pair: [first, second],
    program: program(threads, declarations),
  }))
}

/** Until y is set; reads x on the way. */
const spins = [whileLoop(['!', 'q'], [load('x', 'r'), load('y', 'q')])]

const memory = on('memory', [
  ['write write', 'write write', [[store('x', 1)], [store('x', 2)]]],
  ['read read', 'write write', [[load('x', 'r')], [store('x', 1)]]],
  ['atomic load read', 'atomic store write', [[atomicLoad('x', 'r')], [atomicStore('x', 1)]]],
  ['atomic store write', 'atomic store write', [[atomicStore('x', 1)], [atomicStore('x', 2)]]],
  ['read read', 'atomic store write', [[load('x', 'r')], [atomicStore('x', 1)]]],
  ['atomic load read', 'write write', [[atomicLoad('x', 'r')], [store('x', 1)]]],
  ['write write', 'atomic store write', [[store('x', 1)], [atomicStore('x', 2)]]],
  ['atomic update write', 'atomic update write', [[fetchAdd('x', 1, 'r')], [fetchAdd('x', 2, 'r')]]],
  ['atomic update write', 'read read', [[exchange('x', 1)], [load('x', 'r')]]],
  ['atomic update write', 'write write', [[fetchAdd('x', 1)], [store('x', 5)]]],
  ['atomic update write', 'atomic load read', [[fetchAdd('x', 1)], [atomicLoad('x', 'r')]]],
  ['atomic update write', 'atomic store write', [[fetchAdd('x', 1)], [atomicStore('x', 5)]]],
  // A compare-exchange that fails, an exchange of equals and an addition of nothing are reads.
  [
    'atomic update read',
    'atomic update write',
    [[compareExchange('x', 0, 1, 'r')], [compareExchange('x', 0, 2, 'r')]],
  ],
  ['atomic update read', 'write write', [[compareExchange('x', 0, 1, 'r')], [store('x', 2)]]],
  ['atomic update read', 'atomic store write', [[exchange('x', 1, 'r')], [atomicStore('x', 1)]]],
  // A thread that spins on x and y is about to read x when a change of y lets it go on.
  ['go on spinning read', 'write write', [spins, [store('y', 1)]]],
  ['go on spinning read', 'atomic store write', [spins, [atomicStore('y', 1)]]],
  ['go on spinning read', 'atomic update write', [spins, [fetchAdd('y', 1)]]],
])

const locked = [lock('m'), unlock('m')]
const tried = [trylock('m', 'r'), when(['==', 'r', 0], [unlock('m')])]
const timed = [timedlock('m', 'r'), when(['==', 'r', 0], [unlock('m')])]
const triesForEver = [set('q', 1), whileLoop('q', [load('x', 'r'), trylock('m', 'q')]), unlock('m')]
const waits = [lock('m'), wait('c', 'm'), unlock('m')]

const mutex = on('mutex', [
  ['lock write', 'lock write', [locked, locked]],
  ['lock write', 'unlock write', [locked, locked]],
  ['lock write', 'try lock read', [locked, tried]],
  ['unlock write', 'try lock read', [locked, tried]],
  ['unlock write', 'try lock write', [locked, tried]],
  ['lock write', 'try lock write', [locked, tried]],
  ['try lock read', 'try lock write', [tried, tried]],
  ['lock write', 'timed lock read', [locked, timed]],
  ['unlock write', 'timed lock read', [locked, timed]],
  ['lock write', 'timed lock write', [locked, timed]],
  ['unlock write', 'timed lock write', [locked, timed]],
  ['timed lock read', 'timed lock write', [timed, timed]],
  ['timed lock read', 'try lock write', [timed, tried]],
  ['timed lock write', 'try lock read', [timed, tried]],
  ['unlock write', 'reacquire write', [waits, [lock('m'), signal('c'), unlock('m')]]],
  ['lock write', 'reacquire write', [waits, [signal('c'), ...locked]]],
  ['reacquire write', 'reacquire write', [waits, waits, [broadcast('c')]]],
  ['reacquire write', 'try lock read', [waits, [signal('c'), ...tried]]],
  ['reacquire write', 'timed lock read', [waits, [signal('c'), ...timed]]],
  ['go on spinning read', 'unlock write', [locked, triesForEver]],
])

const reads = [rdlock('rw'), rwunlock('rw')]
const writes = [wrlock('rw'), rwunlock('rw')]
const triesRead = [tryrdlock('rw', 'r'), when(['==', 'r', 0], [rwunlock('rw')])]
const triesWrite = [trywrlock('rw', 'r'), when(['==', 'r', 0], [rwunlock('rw')])]

const rwlock = on('rwlock', [
  ['write lock write', 'write lock write', [writes, writes]],
  ['write lock write', 'write unlock write', [writes, writes]],
  ['write lock write', 'read lock commute', [writes, reads]],
  ['write lock write', 'read unlock commute', [writes, reads]],
  ['write unlock write', 'read lock commute', [writes, reads]],
  ['write lock write', 'try read lock read', [writes, triesRead]],
  ['write unlock write', 'try read lock read', [writes, triesRead]],
  ['write unlock write', 'try read lock commute', [writes, triesRead]],
  ['write lock write', 'try read lock commute', [writes, triesRead]],
  ['write lock write', 'try write lock read', [writes, triesWrite]],
  ['write unlock write', 'try write lock read', [writes, triesWrite]],
  ['write lock write', 'try write lock write', [writes, triesWrite]],
  ['read lock commute', 'try write lock read', [reads, triesWrite]],
  ['read unlock commute', 'try write lock read', [reads, triesWrite]],
  ['read unlock commute', 'try write lock write', [reads, triesWrite]],
  ['write unlock write', 'try write lock write', [writes, triesWrite]],
  ['try write lock read', 'try write lock write', [triesWrite, triesWrite]],
  ['read lock commute', 'try write lock write', [reads, triesWrite]],
  ['try read lock read', 'try write lock write', [triesRead, triesWrite]],
  ['try read lock commute', 'try write lock read', [triesRead, triesWrite]],
])

const timedWait = [lock('m'), timedwait('c', 'm', 'r'), unlock('m')]
const other = [lock('n'), wait('c', 'n'), unlock('n')]

const condition = on('condition', [
  ['wait write', 'signal write', [waits, [signal('c')]]],
  ['wait write', 'broadcast write', [waits, [broadcast('c')]]],
  ['wait write', 'wait write', [waits, other]],
  ['signal write', 'signal write', [waits, [signal('c')], [signal('c')]]],
  ['signal write', 'broadcast write', [waits, [signal('c')], [broadcast('c')]]],
  ['broadcast write', 'broadcast write', [waits, [broadcast('c')], [broadcast('c')]]],
  ['return from wait write', 'signal write', [timedWait, [signal('c')]]],
  ['return from wait write', 'broadcast write', [timedWait, [broadcast('c')]]],
])

const semaphore = on('semaphore', [
  [
    'semaphore wait write',
    'semaphore wait write',
    [[semwait('s')], [semwait('s')]],
    { semaphores: { s: 1 } },
  ],
  ['semaphore wait write', 'semaphore post commute', [[semwait('s')], [sempost('s')]]],
  ['semaphore try wait read', 'semaphore post commute', [[semtrywait('s', 'r')], [sempost('s')]]],
  [
    'semaphore try wait read',
    'semaphore wait write',
    [[semtrywait('s', 'r')], [semwait('s')]],
    { semaphores: { s: 1 } },
  ],
  [
    'semaphore try wait write',
    'semaphore wait write',
    [[semtrywait('s', 'r')], [semwait('s')]],
    { semaphores: { s: 1 } },
  ],
  [
    'semaphore try wait read',
    'semaphore try wait write',
    [[semtrywait('s', 'r')], [semtrywait('s', 'r')]],
    { semaphores: { s: 1 } },
  ],
  ['semaphore try wait write', 'semaphore post commute', [[semtrywait('s', 'r')], [sempost('s')]]],
  ['semaphore value read', 'semaphore post commute', [[semvalue('s', 'r')], [sempost('s')]]],
  [
    'semaphore value read',
    'semaphore wait write',
    [[semvalue('s', 'r')], [semwait('s')]],
    { semaphores: { s: 1 } },
  ],
  [
    'semaphore value read',
    'semaphore try wait write',
    [[semvalue('s', 'r')], [semtrywait('s', 'q')]],
    { semaphores: { s: 1 } },
  ],
])

const others = [
  ...on('barrier', [
    ['barrier arrive write', 'barrier arrive write', [[barrier('b')], [barrier('b')]]],
    ['barrier arrive write', 'barrier leave read', [[barrier('b')], [barrier('b')]]],
  ]),
  ...on('output', [['output write', 'output write', [[output(1)], [output(2)]], { compareOutputs: true }]]),
  ...on('invariant', [
    // Kept if y is written first.
    [
      'invariant write',
      'invariant write',
      [[store('x', 1)], [store('y', 1)]],
      { invariants: { 'y before x': ['||', ['!', 'x'], 'y'] } },
    ],
  ]),
]

export const entries: readonly Row[] = [...memory, ...mutex, ...rwlock, ...condition, ...semaphore, ...others]

export const edges: readonly { readonly edge: Edge; readonly program: Program }[] = [
  { edge: 'create', program: program([[create('b'), store('x', 1)], [store('y', 1)]]) },
  { edge: 'wake', program: program([waits, [signal('c')]]) },
  { edge: 'join', program: program([[create('b'), join('b')], [store('x', 1)]]) },
]

const returns = 'return from wait write'
const resumes = 'go on spinning read'
const refused = 'unlock read'

/** Pairs that the table orders although nobody can tell: they cost executions, not trust. */
export const needless: readonly (Entry & { readonly reason: string })[] = [
  {
    object: 'condition',
    pair: [returns, returns],
    reason: 'two that leave a queue by themselves leave the rest in order',
  },
  { object: 'condition', pair: [returns, 'wait write'], reason: 'who leaves a queue is before who joins it' },
  ...['lock write', 'try lock write', 'timed lock write', 'reacquire write'].map((taking) => ({
    object: 'mutex' as const,
    pair: [resumes, taking] as const,
    reason: 'the release before lets the spinner go on; that the mutex is taken again does not stop it',
  })),
  ...['lock write', 'try lock write', 'timed lock write', 'reacquire write', 'unlock write'].map((other) => ({
    object: 'mutex' as const,
    pair: [refused, other] as const,
    reason: 'an unlock is refused to all but the owner, whoever that is',
  })),
  {
    object: 'semaphore',
    pair: ['semaphore try wait write', 'semaphore try wait write'],
    reason: 'both succeed in either order, or the second would have failed and be a read',
  },
]
