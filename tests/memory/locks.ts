import type { Program, Statement } from '../../src/frontends/model/program.js'

/** Mutual exclusion by loads and stores alone: right under sequential consistency, and elsewhere only with fences. */
export interface LockSettings {
  readonly fences: boolean
}

const store = (at: string, value: number) => ({ op: 'store', var: at, value })
const load = (at: string, into: string) => ({ op: 'load', var: at, into })
const fenceIf = ({ fences }: LockSettings) => (fences ? [{ op: 'fence' }] : [])

/** Waits while the condition on registers holds; `loads` set them anew each time. */
const waitWhile = (loads: readonly object[], condition: unknown) => [
  { op: 'set', into: 'go', value: 1 },
  { op: 'while', condition: 'go', body: [...loads, { op: 'set', into: 'go', value: condition }] },
]

const branch = (condition: unknown, body: readonly object[]) =>
  Object.fromEntries([
    ['op', 'if'],
    ['condition', condition],
    ['then', body],
  ])

/** Nobody else is inside: what was written there last is one's own. */
const inside = (me: number) => [
  store('owner', me),
  load('owner', 'seen'),
  { op: 'assert', condition: ['==', 'seen', me], message: 'two threads are inside' },
]

function program(
  variables: readonly string[],
  body: (me: number, other: number) => readonly object[],
): Program {
  return {
    variables: Object.fromEntries([...variables, 'owner'].map((name) => [name, 0])),
    threads: { a: body(1, 2) as Statement[], b: body(2, 1) as Statement[] },
  } as Program
}

export const locks: Readonly<Record<string, (settings: LockSettings) => Program>> = {
  peterson: (settings) =>
    program(['flag1', 'flag2', 'turn'], (me, other) => [
      store(`flag${me}`, 1),
      store('turn', other),
      ...fenceIf(settings),
      ...waitWhile([load(`flag${other}`, 'f'), load('turn', 't')], ['&&', 'f', ['==', 't', other]]),
      ...inside(me),
      ...fenceIf(settings),
      store(`flag${me}`, 0),
    ]),
  /** Of two who want, the first gives way until the second is done. */
  dekker: (settings) =>
    program(['flag1', 'flag2'], (me, other) => [
      store(`flag${me}`, 1),
      ...fenceIf(settings),
      load(`flag${other}`, 'f'),
      ...(me === 1
        ? [branch('f', [store('flag1', 0), ...waitWhile([load('flag2', 'f')], 'f'), { op: 'exit' }])]
        : waitWhile([load('flag1', 'f')], 'f')),
      ...inside(me),
      ...fenceIf(settings),
      store(`flag${me}`, 0),
    ]),
  /** Lamport's one-bit lock: the second withdraws while the first wants. */
  lamport: (settings) =>
    program(['flag1', 'flag2'], (me) => [
      store(`flag${me}`, 1),
      ...fenceIf(settings),
      ...(me === 1
        ? waitWhile([load('flag2', 'f')], 'f')
        : [load('flag1', 'f'), branch('f', [store('flag2', 0), { op: 'exit' }])]),
      ...inside(me),
      ...fenceIf(settings),
      store(`flag${me}`, 0),
    ]),
  /** Szymanski's lock for two: waiting room with one door in and one out. */
  szymanski: (settings) =>
    program(['flag1', 'flag2'], (me, other) => [
      store(`flag${me}`, 1),
      ...fenceIf(settings),
      ...waitWhile([load(`flag${other}`, 'f')], ['>=', 'f', 3]),
      store(`flag${me}`, 3),
      ...fenceIf(settings),
      load(`flag${other}`, 'f'),
      branch(
        ['==', 'f', 1],
        [
          store(`flag${me}`, 2),
          ...fenceIf(settings),
          ...waitWhile([load(`flag${other}`, 'f')], ['!=', 'f', 4]),
        ],
      ),
      store(`flag${me}`, 4),
      ...fenceIf(settings),
      ...(me === 2 ? waitWhile([load('flag1', 'f')], ['>=', 'f', 2]) : []),
      ...inside(me),
      ...(me === 1 ? waitWhile([load('flag2', 'f')], ['||', ['==', 'f', 2], ['==', 'f', 3]]) : []),
      ...fenceIf(settings),
      store(`flag${me}`, 0),
    ]),
}
