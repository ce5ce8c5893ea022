import fc from 'fast-check'
import { create, join, set } from '../../src/frontends/model/build.js'
import type { Program, Statement } from '../../src/frontends/model/program.js'
import { declare, tidy } from './declare.js'
import { Draw } from './draw.js'
import * as f from './fragments.js'
import { countChoices, countOperations, interleavings } from './size.js'

/** What random programs may be made of. */
export const primitives = [
  'memory',
  'array',
  'atomic',
  'mutex',
  'trylock',
  'recursive',
  'errorcheck',
  'rwlock',
  'condition',
  'semaphore',
  'barrier',
  'create',
  'choose',
  'branch',
  'loop',
  'spin',
  'yield',
  'output',
  'assert',
  'invariant',
  /** Timed locks and waits. */
  'timed',
  /** Waits that may end for no reason. */
  'spurious',
  /** Locks used wrongly; rare. */
  'misuse',
] as const
export type Primitive = (typeof primitives)[number]

export interface RandomProgramOptions {
  /** Default: all. */
  readonly only?: readonly Primitive[]
  readonly without?: readonly Primitive[]
  readonly threads?: { readonly min?: number; readonly max?: number }
  /** Bounds the interleavings of the operations as counted before the run; loops and waits may add to it. */
  readonly maxInterleavings?: number
}

/** What there is of each primitive, the simplest first. */
const fragments: readonly (readonly [Primitive, weight: number, f.Fragment])[] = [
  ['memory', 5, f.loads],
  ['memory', 5, f.stores],
  ['memory', 2, f.storesSum],
  ['array', 3, f.elements],
  ['atomic', 4, f.atomics],
  ['mutex', 4, f.lockSection],
  ['mutex', 1, f.twoLocks],
  ['trylock', 2, f.trySection],
  ['recursive', 2, f.locksTwice],
  ['errorcheck', 1, f.locksInError],
  ['rwlock', 2, f.readSection],
  ['rwlock', 2, f.writeSection],
  ['rwlock', 1, f.tryReadSection],
  ['rwlock', 1, f.tryWriteSection],
  ['condition', 2, f.waits],
  ['condition', 3, f.tells],
  ['condition', 2, f.setsAndTells],
  ['condition', 1, f.waitsFor],
  ['condition', 1, f.waitsUntil],
  ['semaphore', 2, f.post],
  ['semaphore', 2, f.take],
  ['semaphore', 1, f.tryTake],
  ['barrier', 2, f.meet],
  ['choose', 1, f.chooses],
  ['branch', 1, f.branches],
  ['loop', 1, f.repeats],
  ['spin', 2, f.spinsOn],
  ['spin', 1, f.spinsOnLockOfItsOwn],
  ['spin', 1, f.spinsOnBusyLock],
  ['yield', 1, f.pauses],
  ['output', 1, f.prints],
  ['assert', 2, f.checkedLoad],
  ['timed', 1, f.timedSection],
  ['timed', 1, f.timedTake],
  ['misuse', 1, f.misuses],
]

/** Numbers that decide about a fragment: none needs more. */
const numbersEach = 16

/**
 * Small programs, always well-formed, that may deadlock, fail assertions, break invariants or (rarely) misuse locks.
 * Every execution is finite. A program is made of fragments, each a few statements that belong together (a critical
 * section, a wait and its loop); shrinking drops threads and fragments and makes the rest simpler.
 */
export function randomProgram(options: RandomProgramOptions = {}): fc.Arbitrary<Program> {
  const wanted = new Set((options.only ?? primitives).filter((p) => !options.without?.includes(p)))
  const min = options.threads?.min ?? 2
  const max = options.threads?.max ?? 4
  const limit = options.maxInterleavings ?? 5_000
  return fc
    .record({
      bodies: fc.array(fc.array(fragment(wanted), { minLength: 1, maxLength: 4 }), {
        minLength: min,
        maxLength: max,
      }),
      family: fc.constantFrom<Family>(
        'roots',
        ...(wanted.has('create') ? (['created', 'joined'] as const) : []),
      ),
      spurious: fc.nat(2),
      compareOutputs: fc.boolean(),
      invariant: fc.nat(3).map((n) => n === 3),
      permits: fc.nat(2),
    })
    .map((draft) => assemble(draft, wanted, min, limit))
}

/** Whether the last thread is there from the beginning, or created (and joined) by the first. */
type Family = 'roots' | 'created' | 'joined'

interface Draft {
  readonly bodies: readonly Fragments[]
  readonly family: Family
  /** How many waits may end by themselves. */
  readonly spurious: number
  readonly compareOutputs: boolean
  readonly invariant: boolean
  readonly permits: number
}

type Fragments = readonly (readonly Statement[])[]

function assemble(draft: Draft, wanted: ReadonlySet<Primitive>, least: number, limit: number): Program {
  const spurious = wanted.has('spurious') ? draft.spurious : 0
  const bodies = trim(draft.bodies, least, limit).map((fragments) => tidy(fragments.flat()))
  const names = bodies.map((_, i) => `t${i}`)
  const last = names.length - 1
  if (draft.family !== 'roots' && last > 0) {
    bodies[0] = [create(names[last]), ...bodies[0]]
    if (draft.family === 'joined') bodies[0] = [...bodies[0], join(names[last])]
  }
  const threads = Object.fromEntries(bodies.map((body, i) => [names[i], body]))
  const text = JSON.stringify(threads)
  const uses = (name: string) => text.includes(`:"${name}"`)
  return {
    ...declare(uses, { x: 0, y: 0, permits: draft.permits, parties: 2 }),
    threads,
    ...(spurious > 0 && uses('c') ? { spuriousWakeups: spurious } : {}),
    ...(draft.compareOutputs && text.includes('"output"') ? { compareOutputs: true } : {}),
    ...(draft.invariant && wanted.has('invariant') && uses('x')
      ? { invariants: { small: ['<', 'x', 2] } }
      : {}),
  }
}

/**
 * Leaves out threads (down to `least`), then fragments, so that the operations can be interleaved in at most `limit`
 * ways. A thread that stays keeps its first fragment.
 */
function trim(bodies: readonly Fragments[], least: number, limit: number): Fragments[] {
  const kept: (readonly Statement[])[][] = []
  const sources: Fragments[] = []
  const counts: number[] = []
  let choices = 1
  const take = (thread: number, fragment: readonly Statement[], forced: boolean) => {
    const more = counts.with(thread, counts[thread] + countOperations(fragment))
    const ways = choices * countChoices(fragment)
    if (!forced && interleavings(more) * ways > limit) return false
    counts[thread] = more[thread]
    choices = ways
    kept[thread].push(fragment)
    return true
  }
  for (const body of bodies) {
    const thread = kept.push([]) - 1
    counts.push(0)
    if (take(thread, body[0], thread < least)) {
      sources.push(body)
      continue
    }
    kept.pop()
    counts.pop()
  }
  const longest = Math.max(...sources.map((body) => body.length))
  for (let place = 1; place < longest; place++) {
    for (let thread = 0; thread < kept.length; thread++) {
      const fragment = sources[thread][place]
      if (fragment !== undefined) take(thread, fragment, false)
    }
  }
  return kept
}

function fragment(wanted: ReadonlySet<Primitive>): fc.Arbitrary<readonly Statement[]> {
  const kinds = fragments
    .filter(([primitive]) => wanted.has(primitive))
    .map(([, weight, fragment]) => [weight, fragment] as const)
  if (wanted.has('timed') && wanted.has('condition')) kinds.push([2, f.timedWaits])
  if (kinds.length === 0) throw new RangeError('no primitive makes fragments; add one such as memory')
  const inner = [
    ...(wanted.has('memory') ? [f.loads, f.stores] : []),
    ...(wanted.has('atomic') ? [f.atomics] : []),
  ]
  const nothing: f.Fragment = () => [set('r', 1)]
  return fc.array(fc.nat(0xffff), { minLength: numbersEach, maxLength: numbersEach }).map((numbers) => {
    const draw = Draw.fromNumbers(numbers, inner.length > 0 ? inner : [nothing], wanted.has('misuse'))
    return draw.weighted(kinds)(draw)
  })
}
