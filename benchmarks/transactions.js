// Transactions: tables 6.1 and 6.2 of Blum, "Practical Concurrency Testing", as model programs: our executions beside
// Landslide's, for each number of threads and of times that each does it.
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

/** Explores up to the end, the first bug or the limit. */
function search(program, abortCodes, seconds) {
  const machine = modelMachine(program)
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

export default async function transactions([budget = '10']) {
  const rows = [['bug', 'K,N', 'Landslide', 'here', '']]
  for (const [name, cases] of Object.entries(bugs)) {
    for (const [size, theirs] of Object.entries(cases)) {
      const found = search(programs[name](...pair(size)), 'retry', Number(budget))
      rows.push([name, size, String(theirs), text(found), found.end])
    }
  }
  console.log('Table 6.1: executions until the bug is found\n')
  table(rows)
  const more = [['test', 'K,N', 'baseline', 'retry sets', 'here, htm', 'STM', 'here, stm']]
  for (const [name, cases] of Object.entries(verified)) {
    for (const [size, [baseline, retrySets, stm]] of Object.entries(cases)) {
      const htm = search(programs[name](...pair(size)), 'retry', Number(budget))
      const soft = search(programs[name](...pair(size)), 'conflict', Number(budget))
      more.push([name, size, baseline, retrySets, text(htm), stm, text(soft)])
    }
  }
  console.log('\nTable 6.2: executions to verify; † is what Landslide could not do in ten hours\n')
  table(more)
}
