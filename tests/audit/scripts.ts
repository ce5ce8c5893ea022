import type { Draw } from '../support/draw.js'

/** The operations of tests/c/audit.c; the first has number 1. */
export const operations = [
  'load x',
  'x = 1',
  'x = 2',
  'load y',
  'y = 1',
  'byte of x = 1',
  'load half of x',
  'x and y = 1',
  'load x and y',
  'copy',
  'change copied',
  'clear copy',
  'load copy',
  'add 1',
  'or 2',
  'and 1',
  'exchange 2',
  'exchange 0',
  'compare 0, exchange 0',
  'compare 0, exchange 2',
  'compare 2, exchange 1',
  'compare 2, exchange 2',
  'a = 2',
  'or 1 to byte of a',
  'load a',
  'lock',
  'unlock',
  'trylock',
  'timedlock',
  'rdlock',
  'wrlock',
  'rwunlock',
  'tryrdlock',
  'trywrlock',
  'timedrdlock',
  'timedwrlock',
  'post',
  'semwait',
  'semtrywait',
  'semtimedwait',
  'barrier',
  'wait',
  'timedwait',
  'signal',
  'broadcast',
  'once',
  'set key',
  'cancel',
  'testcancel',
  'disable cancel',
  'thread exit',
  'exit',
  'detached child',
  'joined child',
  'assert x',
  'assert a',
  'malloc',
  'free',
  'write block',
  'read block',
  'sleep',
  'spin',
  'set flag',
] as const
export type Operation = (typeof operations)[number]

/** A C program: what each thread of tests/c/audit.c does. */
export interface Scripts {
  readonly scripts: readonly (readonly Operation[])[]
  /** Initial value of the semaphore. */
  readonly permits: 0 | 1
  readonly barrier: 2 | 3
  /** Main returns at once. */
  readonly unjoined: boolean
  readonly heap: 'fresh' | 'reuse'
}

/** A mix of C programs. */
export interface ScriptMix {
  readonly name: string
  readonly operations: readonly Operation[]
  readonly heap?: 'reuse'
  /** Of ten programs, how many do not join. */
  readonly unjoined?: number
}

const memory = ['load x', 'x = 1', 'x = 2'] as const

export const scriptMixes: readonly ScriptMix[] = [
  {
    name: 'C sizes',
    operations: [
      ...memory,
      'load y',
      'y = 1',
      'byte of x = 1',
      'load half of x',
      'x and y = 1',
      'load x and y',
    ],
  },
  {
    name: 'C copies',
    operations: ['copy', 'change copied', 'clear copy', 'load copy', 'x = 1', 'lock', 'unlock'],
  },
  {
    name: 'C updates',
    operations: [
      'add 1',
      'or 2',
      'and 1',
      'exchange 2',
      'exchange 0',
      'compare 0, exchange 0',
      'compare 0, exchange 2',
      'compare 2, exchange 1',
      'compare 2, exchange 2',
      'a = 2',
      'load a',
      'or 1 to byte of a',
      'assert a',
    ],
  },
  {
    name: 'C mutex',
    operations: ['lock', 'unlock', 'trylock', 'timedlock', 'unlock', ...memory, 'assert x'],
  },
  {
    name: 'C rwlock',
    operations: ['rdlock', 'rdlock', 'wrlock', 'rwunlock', 'rwunlock', 'x = 1', 'assert x', 'barrier'],
    unjoined: 3,
  },
  {
    name: 'C timed rwlock',
    operations: [
      'rdlock',
      'wrlock',
      'rwunlock',
      'tryrdlock',
      'trywrlock',
      'timedrdlock',
      'timedwrlock',
      'x = 1',
    ],
  },
  {
    name: 'C semaphore',
    operations: [
      'post',
      'post',
      'semwait',
      'semtrywait',
      'semtimedwait',
      'lock',
      'unlock',
      'x = 1',
      'assert x',
    ],
  },
  {
    name: 'C condition',
    operations: ['wait', 'timedwait', 'signal', 'broadcast', 'lock', 'unlock', 'barrier'],
  },
  {
    name: 'C cancellation',
    operations: [
      'cancel',
      'cancel',
      'testcancel',
      'disable cancel',
      'semwait',
      'wait',
      'timedwait',
      'signal',
      'post',
      'sleep',
      'x = 1',
      'set key',
    ],
  },
  {
    name: 'C once and keys',
    operations: ['once', 'once', 'set key', 'thread exit', 'load x', 'y = 1', 'load y', 'cancel', 'assert x'],
  },
  {
    name: 'C children',
    operations: [
      'detached child',
      'joined child',
      ...memory,
      'thread exit',
      'exit',
      'assert x',
      'lock',
      'unlock',
    ],
    unjoined: 3,
  },
  {
    name: 'C unjoined',
    operations: [...memory, 'y = 1', 'lock', 'unlock', 'exit', 'semwait', 'post'],
    unjoined: 10,
  },
  { name: 'C spin', operations: ['spin', 'set flag', 'x = 1', 'load x', 'assert x', 'trylock', 'unlock'] },
  { name: 'C heap', operations: ['malloc', 'malloc', 'free', 'write block', 'read block'] },
  {
    name: 'C heap reuse',
    operations: ['malloc', 'malloc', 'free', 'free', 'write block', 'read block'],
    heap: 'reuse',
  },
]

/** Two or three threads of one to three operations, four to six in all: main's own steps multiply the interleavings. */
export function generateScripts(mix: ScriptMix, draw: Draw): Scripts {
  const threads = 2 + (draw.below(3) === 0 ? 1 : 0)
  const scripts = Array.from({ length: threads }, () =>
    Array.from({ length: 1 + draw.below(threads === 2 ? 3 : 2) }, () => draw.of(mix.operations)),
  )
  return {
    scripts,
    permits: draw.below(2) as 0 | 1,
    barrier: draw.below(4) === 0 ? 3 : 2,
    unjoined: draw.below(10) < (mix.unjoined ?? 0),
    heap: mix.heap ?? 'fresh',
  }
}

/** In a program that can cancel threads, transitions do more than they announce, whether or not it does. */
export const cancels = ({ scripts }: Scripts) => scripts.some((script) => script.includes('cancel'))

/** As tests/c/audit.c reads it. */
export function argumentsOf(program: Scripts): string[] {
  const { scripts, permits, barrier, unjoined } = program
  const way = permits + (barrier === 3 ? 2 : 0) + (unjoined ? 4 : 0) + (cancels(program) ? 8 : 0)
  const encoded = scripts.map((script, id) => {
    const word = script.reduceRight((bits, name) => bits * 64 + operations.indexOf(name) + 1, 0)
    return String(word * 4 + id)
  })
  return [String(way), ...encoded]
}

/** One thread or one operation less. */
export function shorterScripts(program: Scripts): Scripts[] {
  const { scripts } = program
  const fewer = scripts.map((_, i) => ({ ...program, scripts: scripts.toSpliced(i, 1) }))
  const shorter = scripts.flatMap((script, i) =>
    script.map((_, j) => ({ ...program, scripts: scripts.with(i, script.toSpliced(j, 1)) })),
  )
  return [
    ...(scripts.length > 1 ? fewer : []),
    ...shorter,
    ...(program.unjoined ? [{ ...program, unjoined: false }] : []),
  ]
}
