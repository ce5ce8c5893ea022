import fc from 'fast-check'
import {
  assert,
  at,
  atomicLoad,
  atomicStore,
  barrier,
  broadcast,
  choose,
  compareExchange,
  create,
  exchange,
  exit,
  fetchAdd,
  join,
  load,
  lock,
  loop,
  output,
  type Place,
  point,
  rdlock,
  rwunlock,
  sempost,
  semtimedwait,
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
  yieldNow,
} from '../../src/frontends/model/build.js'
import {
  type Declarations,
  type Expression,
  type Program,
  Result,
  type Statement,
} from '../../src/frontends/model/program.js'
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
  readonly bodies: readonly (readonly Fragment[])[]
  readonly family: Family
  /** How many waits may end by themselves. */
  readonly spurious: number
  readonly compareOutputs: boolean
  readonly invariant: boolean
  readonly permits: number
}

/** Statements that belong together. */
type Fragment = () => readonly Statement[]
type Fragments = readonly (readonly Statement[])[]

const registers = ['r', 'q', 'k'] as const

function assemble(draft: Draft, wanted: ReadonlySet<Primitive>, least: number, limit: number): Program {
  const spurious = wanted.has('spurious') ? draft.spurious : 0
  const made = draft.bodies.map((body) => body.map((make) => make()))
  const drafts = trim(made, least, limit)
  const names = drafts.map((_, i) => `t${i}`)
  const bodies = drafts.map((fragments) => fragments.flat())
  const last = names.length - 1
  if (draft.family !== 'roots' && last > 0) {
    bodies[0] = [create(names[last]), ...bodies[0]]
    if (draft.family === 'joined') bodies[0] = [...bodies[0], join(names[last])]
  }
  const threads = Object.fromEntries(
    bodies.map((body, i) => {
      const used = registers.filter((r) => JSON.stringify(body).includes(`"${r}"`))
      return [names[i], [...used.map((r) => set(r, 0)), ...body]]
    }),
  )
  const text = JSON.stringify(threads)
  const uses = (name: string) => text.includes(`:"${name}"`)
  return {
    ...declare(uses, draft.permits),
    threads,
    ...(spurious > 0 && uses('c') ? { spuriousWakeups: spurious } : {}),
    ...(draft.compareOutputs && text.includes('"output"') ? { compareOutputs: true } : {}),
    ...(draft.invariant && wanted.has('invariant') && uses('x')
      ? { invariants: { small: ['<', 'x', 2] } }
      : {}),
  }
}

/** Declarations of what the threads use, and of nothing else. */
function declare(uses: (name: string) => boolean, permits: number): Declarations {
  const pick = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => uses(name)))
  const sections = {
    variables: pick({ x: 0, y: 0, spinlock: 0 }),
    arrays: pick({ a: [0, 1] }),
    mutexes: pick({ m: 'plain', n: 'plain', rec: 'recursive', err: 'errorcheck' } as const),
    semaphores: pick({ s: permits }),
    barriers: pick({ b: 2 }),
  }
  const lists = { rwlocks: ['rw'].filter(uses), conditions: ['c'].filter(uses) }
  return {
    ...Object.fromEntries(Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0)),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
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

/** A fragment of any of the kinds wanted, the simplest first. */
function fragment(wanted: ReadonlySet<Primitive>): fc.Arbitrary<Fragment> {
  const kinds: { weight: number; arbitrary: fc.Arbitrary<Fragment> }[] = []
  const add = (primitive: Primitive, weight: number, arbitrary: fc.Arbitrary<readonly Statement[]>) => {
    if (wanted.has(primitive)) kinds.push({ weight, arbitrary: arbitrary.map((body) => () => body) })
  }
  const simple = fc.oneof(...simpleStatements(wanted))
  const inner = fc.array(simple, { maxLength: 2 })

  add('memory', 8, fc.tuple(memory(['x', 'y'])))
  add('array', 2, fc.tuple(memory([at('a', 0), at('a', 1)])))
  add(
    'array',
    1,
    fc.tuple(register).map(([r]) => [load(at('a', ['&', r, 1]), r)]),
  )
  add('atomic', 4, fc.tuple(atomic))
  add(
    'mutex',
    4,
    fc.tuple(fc.constantFrom('m', 'n'), inner).map(([m, body]) => [lock(m), ...body, unlock(m)]),
  )
  add('mutex', 1, fc.constantFrom(nested('m', 'n'), nested('n', 'm')))
  add(
    'trylock',
    2,
    inner.map((body) => [trylock('m', 'k'), when(['==', 'k', 0], [...body, unlock('m')])]),
  )
  add(
    'recursive',
    1,
    fc.tuple(simple).map(([s]) => [lock('rec'), lock('rec'), s, unlock('rec'), unlock('rec')]),
  )
  add('recursive', 1, fc.constant([trylock('rec', 'k'), when(['==', 'k', 0], [unlock('rec')])]))
  add('errorcheck', 1, fc.constant([lock('err'), lock('err', 'k'), unlock('err'), unlock('err', 'q')]))
  add(
    'rwlock',
    2,
    inner.map((body) => [rdlock('rw'), ...body, rwunlock('rw')]),
  )
  add(
    'rwlock',
    2,
    inner.map((body) => [wrlock('rw'), ...body, rwunlock('rw')]),
  )
  add('rwlock', 1, fc.constant([tryrdlock('rw', 'k'), when(['==', 'k', 0], [rwunlock('rw')])]))
  add('rwlock', 1, fc.constant([trywrlock('rw', 'q'), when(['==', 'q', 0], [rwunlock('rw')])]))
  add('condition', 2, fc.constant([lock('m'), wait('c', 'm'), unlock('m')]))
  add('condition', 3, fc.constantFrom([signal('c')], [broadcast('c')]))
  add('condition', 2, fc.constantFrom(setAndTell(signal('c')), setAndTell(broadcast('c'))))
  if (wanted.has('condition'))
    kinds.push({
      weight: 2,
      arbitrary: fc.constantFrom(
        () => waitFor(whileLoop),
        () => waitFor(when),
      ),
    })
  add('semaphore', 2, fc.constant([sempost('s')]))
  add('semaphore', 2, fc.constant([semwait('s')]))
  add('semaphore', 1, fc.constantFrom([semtrywait('s', 'k')], [semvalue('s', 'q')]))
  add('barrier', 2, fc.constantFrom([barrier('b')], [barrier('b', 'k')]))
  add(
    'choose',
    1,
    fc.tuple(fc.integer({ min: 1, max: 3 }), register).map(([n, r]) => [choose(n, r)]),
  )
  add(
    'branch',
    1,
    fc.tuple(condition, inner, inner).map(([c, yes, no]) => [when(c, yes, no)]),
  )
  add(
    'loop',
    1,
    fc.tuple(simple).map(([s]) => [loop(2, [s])]),
  )
  add('spin', 2, fc.constantFrom(spinOn('x', false), spinOn('x', true), spinOn('y', false)))
  add('spin', 1, fc.constantFrom(spinLock(false), spinLock(true)))
  add('spin', 1, fc.constant([set('k', Result.busy), whileLoop('k', [trylock('m', 'k')]), unlock('m')]))
  add('yield', 1, fc.constantFrom([yieldNow()], [point()]))
  add(
    'output',
    1,
    fc.tuple(value).map(([v]) => [output(v)]),
  )
  add(
    'assert',
    2,
    fc.tuple(fc.constantFrom('x', 'y'), fc.nat(2)).map(([v, n]) => [load(v, 'r'), assert(['!=', 'r', n])]),
  )
  add(
    'timed',
    1,
    inner.map((body) => [timedlock('m', 'k'), when(['==', 'k', 0], [...body, unlock('m')])]),
  )
  add('timed', 1, fc.constant([semtimedwait('s', 'k')]))
  if (wanted.has('condition'))
    add('timed', 2, fc.constant([lock('m'), timedwait('c', 'm', 'k'), unlock('m')]))
  add(
    'misuse',
    1,
    fc.constantFrom([unlock('m')], [lock('n'), lock('n')], [wait('c', 'm')], [rwunlock('rw')], [exit()]),
  )
  if (kinds.length === 0) throw new RangeError('no primitive makes fragments; add one such as memory')
  return fc.oneof({ withCrossShrink: true }, ...kinds)
}

const register = fc.constantFrom(...registers)
const value: fc.Arbitrary<Expression> = fc.oneof(
  fc.integer({ min: 1, max: 2 }),
  register.map((r): Expression => ['+', r, 1]),
)
const condition: fc.Arbitrary<Expression> = fc
  .tuple(fc.constantFrom('==', '<'), register, fc.integer({ min: 0, max: 2 }))
  .map(([operator, r, n]): Expression => [operator, r, n])

function memory(places: readonly Place[]): fc.Arbitrary<Statement> {
  const place = fc.constantFrom(...places)
  return fc.oneof(
    fc.tuple(place, register).map(([p, r]) => load(p, r)),
    fc.tuple(place, value).map(([p, v]) => store(p, v)),
  )
}

const atomicPlace = fc.constantFrom<Place>('x', 'y')
const atomic: fc.Arbitrary<Statement> = fc.oneof(
  fc.tuple(atomicPlace, register).map(([p, r]) => atomicLoad(p, r)),
  fc.tuple(atomicPlace, value).map(([p, v]) => atomicStore(p, v)),
  fc.tuple(atomicPlace, value, register).map(([p, v, r]) => exchange(p, v, r)),
  fc.tuple(atomicPlace, fc.integer({ min: 0, max: 2 }), register).map(([p, v, r]) => fetchAdd(p, v, r)),
  fc.tuple(atomicPlace, fc.nat(2), value, register).map(([p, old, v, r]) => compareExchange(p, old, v, r)),
)

function simpleStatements(wanted: ReadonlySet<Primitive>): fc.Arbitrary<Statement>[] {
  const statements: fc.Arbitrary<Statement>[] = []
  if (wanted.has('memory')) statements.push(memory(['x', 'y']))
  if (wanted.has('atomic')) statements.push(atomic)
  if (statements.length === 0) statements.push(fc.tuple(register, value).map(([r, v]) => set(r, v)))
  return statements
}

function nested(outer: string, innermost: string): Statement[] {
  return [lock(outer), lock(innermost), unlock(innermost), unlock(outer)]
}

function setAndTell(tell: Statement): Statement[] {
  return [lock('m'), store('x', 1), tell, unlock('m')]
}

/** Waits until x is set, or once only if it is not. */
function waitFor(again: typeof whileLoop | typeof when): readonly Statement[] {
  return [lock('m'), load('x', 'r'), again(['==', 'r', 0], [wait('c', 'm'), load('x', 'r')]), unlock('m')]
}

function spinOn(variable: string, yields: boolean): Statement[] {
  const body = [load(variable, 'q'), ...(yields ? [yieldNow()] : [])]
  return [set('q', 0), whileLoop(['==', 'q', 0], body)]
}

function spinLock(yields: boolean): Statement[] {
  const take = [exchange('spinlock', 1, 'k'), ...(yields ? [yieldNow()] : [])]
  return [set('k', 1), whileLoop('k', take), load('x', 'r'), atomicStore('spinlock', 0)]
}
