// Transactions: tables 6.1, 6.2 and 6.4 of Blum, "Practical Concurrency Testing": our executions beside Landslide's, for each
// number of threads and of times that each does it. Small tests are model programs; trees, maps and locks are in C.
import { fileURLToPath } from 'node:url'
import { build, wasmMachine } from '../dist/frontends/wasm/index.js'
import { createStrategy, modelMachine, Runner } from '../dist/index.js'
import { cpuNanoseconds, grouped, table } from './measure.js'

const load = (name, into) => ({ op: 'load', var: name, into })
const store = (name, value) => ({ op: 'store', var: name, value })
const lock = (mutex) => ({ op: 'lock', mutex })
const unlock = (mutex) => ({ op: 'unlock', mutex })
const add = [load('x', 'r'), store('x', ['+', 'r', 1])]
// biome-ignore lint/suspicious/noThenProperty: a statement
const giveUpIf = (name) => [load(name, 'p'), { op: 'if', condition: 'p', then: [{ op: 'xabort' }] }]
const threads = (k, n, body) =>
  Object.fromEntries(
    Array.from({ length: k }, (_, i) => [`t${i}`, Array.from({ length: n }, () => body(i)).flat()]),
  )
const atEnd = (k, n) => ({ 'nothing is lost': ['==', 'x', k * n] })

const programs = {
  htm1: (k, n) => ({
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    threads: threads(k, n, () => [{ op: 'atomically', body: add, else: [lock('m'), ...add, unlock('m')] }]),
    atEnd: atEnd(k, n),
  }),
  htm2: (k, n) => ({
    variables: { x: 0, prevent: 0 },
    mutexes: { m: 'plain' },
    threads: threads(k, n, () => [
      {
        op: 'atomically',
        body: [...giveUpIf('prevent'), ...add],
        else: [lock('m'), store('prevent', 1), ...add, store('prevent', 0), unlock('m')],
      },
    ]),
    atEnd: atEnd(k, n),
  }),
  counter: (k, n) => ({
    variables: { x: 0 },
    threads: threads(k, n, () => [
      { op: 'atomically', body: add, else: [{ op: 'fetchAdd', var: 'x', value: 1 }] },
    ]),
    atEnd: atEnd(k, n),
  }),
  fig63: (k, n) => ({
    variables: Object.fromEntries(Array.from({ length: k }, (_, i) => [`x${i}`, 0])),
    threads: threads(k, n, (i) => [
      {
        op: 'atomically',
        body: [load(`x${i}`, 'r'), store(`x${i}`, ['+', 'r', 1])],
        else: [
          { op: 'set', into: 'sum', value: 0 },
          ...Array.from({ length: k }, (_, j) => [
            load(`x${j}`, 'r'),
            { op: 'set', into: 'sum', value: ['+', 'sum', 'r'] },
          ]).flat(),
          { op: 'assert', condition: ['<', 'sum', k * n] },
        ],
      },
    ]),
  }),
  swap: (k, n) => swap(k, n, true),
  swapbug: (k, n) => swap(k, n, false),
}

function swap(k, n, isOrdered) {
  const places = Math.max(2, k)
  const all = Array.from({ length: places }, (_, i) => i)
  return {
    variables: Object.fromEntries(
      all.flatMap((i) => [
        [`a${i}`, i],
        [`busy${i}`, 0],
      ]),
    ),
    mutexes: Object.fromEntries(all.map((i) => [`m${i}`, 'plain'])),
    threads: threads(k, n, (i) => {
      const [one, other] = [i, (i + 1) % places]
      const [first, second] = isOrdered && one > other ? [other, one] : [one, other]
      const exchange = [
        load(`a${one}`, 'p'),
        load(`a${other}`, 'q'),
        store(`a${one}`, 'q'),
        store(`a${other}`, 'p'),
      ]
      const busy = (value) => [store(`busy${one}`, value), store(`busy${other}`, value)]
      return [
        {
          op: 'atomically',
          body: [...giveUpIf(`busy${one}`), ...giveUpIf(`busy${other}`), ...exchange],
          else: [
            lock(`m${first}`),
            lock(`m${second}`),
            ...busy(1),
            ...exchange,
            ...busy(0),
            unlock(`m${second}`),
            unlock(`m${first}`),
          ],
        },
      ]
    }),
  }
}

/** Interleavings by Landslide until the bug was found, with its maximal state space. */
const bugs = {
  htm1: {
    '2,1': 5,
    '2,2': 9,
    '2,3': 17,
    '2,4': 33,
    '3,1': 5,
    '3,2': 9,
    '3,3': 17,
    '3,4': 33,
    '4,1': 5,
    '4,2': 9,
  },
  swapbug: { '2,1': 33, '2,2': 85, '2,3': 217, '2,4': 537, '3,1': 1016, '3,2': 'over 1 h' },
}

/** Interleavings and processor seconds of its baseline, of its retry sets and of its STM mode; † could not be done. */
const verified = {
  htm2: {
    '2,1': ['22 (18 s)', '15', '4'],
    '2,2': ['1446 (64 s)', '334', '286'],
    '2,3': ['86536 (3429 s)', '6366', '24740'],
    '2,4': ['†', '123140 (4771 s)', '†'],
    '3,1': ['774 (43 s)', '224', '140'],
    '3,2': ['†', '†', '†'],
    '4,1': ['212146 (9226 s)', '11973', '44995'],
  },
  counter: {
    '2,1': ['10 (7 s)', '8', '4'],
    '2,2': ['190 (13 s)', '102', '48'],
    '2,3': ['3970 (155 s)', '1558', '904'],
    '2,4': ['86950 (3665 s)', '25398', '19128'],
    '3,1': ['120 (11 s)', '64', '40'],
    '3,2': ['60606 (2572 s)', '44862', '14304'],
    '4,1': ['3006 (129 s)', '1296', '848'],
  },
  swap: {
    '2,1': ['99 (66 s)', '59', '4'],
    '2,2': ['277824 (18124 s)', '19542', '11600'],
    '3,1': ['60912 (3821 s)', '10706', '1014'],
  },
  fig63: {
    '2,1': ['10 (7 s)', '6', '1'],
    '2,2': ['108 (9 s)', '76', '1'],
    '2,3': ['1934 (55 s)', '977', '1'],
    '2,4': ['36600 (1055 s)', '14512', '1'],
    '3,1': ['148 (11 s)', '22', '1'],
    '3,2': ['21642 (718 s)', '6467', '1'],
    '4,1': ['3064 (112 s)', '130', '1'],
  },
}

/** As programs/transactions.c numbers them. */
const locks = ['buggy', 'plain', 'fixed', 'spinlock', 'spin_fixed', 'mutex']
const tests = ['avl', 'map', 'section', 'fast']

/** Tests in C: which, with which lock, and the same figures as above; 'bug' where it has one. */
const inC = [
  [
    'avl_insert',
    'avl',
    'buggy',
    'htm',
    { '2,2': ['bug after 79'], '3,1': ['bug after 24'], '3,2': ['bug, over 1 h'] },
  ],
  [
    'avl_fixed',
    'avl',
    'fixed',
    'htm',
    { '2,1': ['20459 (740 s)', '9675', '2774'], '2,2': ['†', '†', '†'], '3,1': ['†', '†', '†'] },
  ],
  [
    'map_basic',
    'map',
    'fixed',
    'htm',
    { '2,1': ['30719 (1950 s)', '13237', '5446'], '2,2': ['†', '†', '†'], '3,1': ['†', '†', '†'] },
  ],
  [
    'lock(spinlock)',
    'section',
    'spinlock',
    'stm',
    { '2,1': ['4'], '2,2': ['1702 (199 s)'], '3,1': ['246 (35 s)'] },
  ],
  [
    'lock(spin_fixed)',
    'section',
    'spin_fixed',
    'stm',
    { '2,1': ['4'], '2,2': ['998 (106 s)'], '2,3': ['†'], '3,1': ['186 (28 s)'], '3,2': ['†'], '4,1': ['†'] },
  ],
  [
    'lock(mutex)',
    'section',
    'mutex',
    'stm',
    {
      '2,1': ['4'],
      '2,2': ['180 (17 s)'],
      '2,3': ['9372 (405 s)'],
      '2,4': ['489480 (25000 s)'],
      '3,1': ['132 (15 s)'],
      '3,2': ['†'],
      '4,1': ['15064 (666 s)'],
    },
  ],
  ['lock_fast(spinlock)', 'fast', 'spinlock', 'stm', { '2,1': ['bug after 2'], '9,9': ['bug after 2'] }],
  ['lock_fast(spin_fixed)', 'fast', 'spin_fixed', 'stm', { '2,1': ['1'], '9,9': ['1 (5 s)'] }],
  ['lock_fast(mutex)', 'fast', 'mutex', 'stm', { '2,1': ['1'], '9,9': ['1 (5 s)'] }],
  [
    'avl_mutex',
    'avl',
    'plain',
    'htm',
    {
      '2,1': ['7'],
      '2,2': ['85'],
      '2,3': ['561 (25 s)'],
      '2,4': ['4984 (218 s)'],
      '3,1': ['129'],
      '3,2': ['30653 (1403 s)'],
      '4,1': ['4488 (200 s)'],
    },
  ],
  ['map_mutex', 'map', 'plain', 'htm', { '2,1': ['83 (40 s)'], '2,2': ['†'], '3,1': ['†'] }],
]

async function searchInC(artifact, test, lock, size, kind, seconds) {
  const args = [tests.indexOf(test), locks.indexOf(lock), ...pair(size)].map(String)
  return searchOn(await wasmMachine(artifact, { args }), kind === 'htm' ? 'retry' : 'conflict', seconds)
}

function search(program, abortCodes, seconds) {
  return searchOn(modelMachine(program), abortCodes, seconds)
}

/** Explores up to the end, the first bug or the limit. */
function searchOn(machine, abortCodes, seconds) {
  machine.platform.use({ abortCodes })
  const strategy = createStrategy('optimal', { machine })
  const runner = new Runner(machine)
  const start = cpuNanoseconds()
  const spent = () => (cpuNanoseconds() - start) / 1e9
  let executions = 0
  let blocked = 0
  while (runner.run(strategy)) {
    if (strategy.rerun) continue
    if (runner.status === 'blocked') blocked++
    else executions++
    if (runner.bug !== null) return { executions, blocked, seconds: spent(), end: 'bug' }
    if (executions % 100 === 0 && spent() > seconds)
      return { executions, blocked, seconds: spent(), end: 'not done' }
  }
  return { executions, blocked, seconds: spent(), end: 'verified' }
}

const pair = (text) => text.split(',').map(Number)
const text = ({ executions, blocked, seconds, end }) =>
  `${end === 'not done' ? 'over ' : ''}${grouped(executions)}${blocked > 0 ? ` + ${grouped(blocked)} blocked` : ''} (${seconds.toFixed(2)} s)`

/** Seconds for each case, and part of the names of tests if only some are wanted. */
export default async function transactions([budget = '10', part = '']) {
  /** @param {readonly [string, ...unknown[]] | readonly unknown[]} row */
  const isWanted = (row) => String(row[0]).includes(part)
  const rows = [['bug', 'K,N', 'Landslide', 'here', '']]
  for (const [name, cases] of Object.entries(bugs).filter(isWanted)) {
    for (const [size, theirs] of Object.entries(cases)) {
      const found = search(programs[name](...pair(size)), 'retry', Number(budget))
      rows.push([name, size, String(theirs), text(found), found.end])
    }
  }
  console.log('Table 6.1: executions until the bug is found\n')
  table(rows)
  const more = [['test', 'K,N', 'baseline', 'retry sets', 'here, htm', 'STM', 'here, stm']]
  for (const [name, cases] of Object.entries(verified).filter(isWanted)) {
    for (const [size, [baseline, retrySets, stm]] of Object.entries(cases)) {
      const htm = search(programs[name](...pair(size)), 'retry', Number(budget))
      const soft = search(programs[name](...pair(size)), 'conflict', Number(budget))
      more.push([name, size, baseline, retrySets, text(htm), stm, text(soft)])
    }
  }
  console.log('\nTable 6.2: executions to verify; † is what Landslide could not do in ten hours\n')
  table(more)
  const file = fileURLToPath(new URL('./programs/transactions.c', import.meta.url))
  const artifact = await build({ sources: [file] })
  const last = [['test, in C', 'K,N', 'aborts', 'Landslide', 'here', '']]
  for (const [name, test, lock, kind, cases] of inC.filter(isWanted)) {
    for (const [size, theirs] of Object.entries(cases)) {
      const found = await searchInC(artifact, test, lock, size, kind, Number(budget))
      last.push([name, size, lock === 'plain' ? '' : kind, theirs.join(' / '), text(found), found.end])
    }
  }
  console.log(
    '\nTables 6.1, 6.2 (baseline / retry sets / STM) and 6.4: trees, maps and locks; programs of our own, so numbers compare in size only\n',
  )
  table(last)
}
