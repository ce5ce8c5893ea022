import {
  assert,
  atomically,
  compareExchange,
  fetchAdd,
  load,
  lock,
  output,
  store,
  unlock,
  when,
  xabort,
  xtest,
} from '../../src/frontends/model/build.js'
import type { Program, Statement } from '../../src/frontends/model/program.js'
import { Draw } from '../support/draw.js'

const variable = (d: Draw) => (d.below(3) === 0 ? 'y' : 'x')

const access = (d: Draw): Statement[] =>
  d.weighted<() => Statement[]>([
    [4, () => [load(variable(d), 'r')]],
    [4, () => [store(variable(d), d.below(2) === 0 ? d.below(3) : ['+', 'r', 1])]],
    [2, () => [fetchAdd(variable(d), 1, 'q')]],
    [1, () => [compareExchange(variable(d), d.below(2), d.below(3), 'q')]],
    [1, () => [load(variable(d), 'r'), assert(['!=', 'r', 2])]],
  ])()

const inside = (d: Draw): Statement[] =>
  d.weighted<() => Statement[]>([
    [8, () => access(d)],
    [2, () => [load(variable(d), 'r'), when(['==', 'r', d.below(2)], [xabort(d.below(3))])]],
    [2, () => [load(variable(d), 'r'), when('r', access(d), access(d))]],
    [1, () => [atomically(access(d), access(d))]],
    [1, () => [xtest('q')]],
    [1, () => [output(1)]],
    [1, () => [lock('m'), ...access(d), ...(d.below(4) === 0 ? [] : [unlock('m')])]],
    [1, () => [xabort(1)]],
  ])()

const piece = (d: Draw): Statement[] =>
  d.weighted<() => Statement[]>([
    [5, () => access(d)],
    [
      8,
      () => [
        atomically(
          Array.from({ length: 1 + d.below(2) }, () => inside(d)).flat(),
          Array.from({ length: d.below(3) }, () => access(d)).flat(),
          's',
        ),
      ],
    ],
    [1, () => [atomically([load('x', 'r'), when(['==', 'r', d.below(2)], [xabort()]), ...access(d)])]],
    [2, () => [lock('m'), ...access(d), unlock('m')]],
    [1, () => [xtest('q')]],
    [1, () => [d.of<Statement>([{ op: 'xend' }, { op: 'xabort' }, { op: 'xbegin', into: 's' }])]],
  ])()

/** Two or three threads with transactions in them. */
export function randomTransactions(seed: number): Program {
  const d = Draw.fromSeed(seed)
  const count = 2 + (d.below(3) === 0 ? 1 : 0)
  const threads = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `t${i}`,
      [
        // Registers exist.
        { op: 'set', into: 'r', value: 0 } as const,
        { op: 'set', into: 'q', value: 0 } as const,
        ...Array.from({ length: count === 3 ? 1 : 1 + d.below(2) }, () => piece(d)).flat(),
      ],
    ]),
  )
  return { variables: { x: d.below(2), y: 0 }, mutexes: { m: 'plain' }, threads }
}

/** A loop that waits for a variable to hold a value, and may do something beside that changes nothing the second time. */
const waiting = (d: Draw): Statement[] => {
  const look = d.below(4) === 0 ? [atomically([load(variable(d), 'r')], [], 's')] : [load(variable(d), 'r')]
  const beside = d.weighted<() => Statement[]>([
    [2, () => []],
    [1, () => [store(variable(d), 1)]],
    [1, () => [load(variable(d), 'q')]],
  ])()
  const body = d.below(2) === 0 ? [...look, ...beside] : [...beside, ...look]
  return [
    { op: 'set', into: 'r', value: -1 },
    { op: 'while', condition: ['!=', 'r', d.below(3)], body },
  ]
}

const short = (d: Draw): Statement[] =>
  d.weighted<() => Statement[]>([
    [4, () => [load(variable(d), 'r')]],
    [4, () => [store(variable(d), d.below(2) === 0 ? d.below(3) : ['+', 'r', 1])]],
    [1, () => [fetchAdd(variable(d), 1, 'q')]],
  ])()

const transaction = (d: Draw): Statement[] => [
  atomically(
    Array.from({ length: 1 + d.below(2) }, () =>
      d.below(5) === 0 ? [load(variable(d), 'r'), when(['==', 'r', d.below(2)], [xabort(1)])] : short(d),
    ).flat(),
    Array.from({ length: d.below(3) }, () => short(d)).flat(),
    's',
  ),
]

/** The same with threads that wait in loops for what others store, in transactions or not. */
export function randomWaiting(seed: number): Program {
  const d = Draw.fromSeed(seed)
  const count = 2 + (d.below(3) === 0 ? 1 : 0)
  const threads = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `t${i}`,
      [
        { op: 'set', into: 'r', value: 0 } as const,
        { op: 'set', into: 'q', value: 0 } as const,
        ...Array.from({ length: 1 + d.below(count === 3 ? 2 : 3) }, () =>
          d.weighted([
            [3, short],
            [4, waiting],
            [6, transaction],
          ])(d),
        ).flat(),
      ],
    ]),
  )
  return { variables: { x: 0, y: 0 }, threads }
}
