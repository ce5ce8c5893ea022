import fc from 'fast-check'
import { create, fetchAdd, join, load, store, whileLoop, yieldNow } from '../../src/frontends/model/build.js'
import { type GeneratorProgram, modelMachine, type Program } from '../../src/frontends/model/index.js'
import * as known from '../support/known-programs.js'
import { type Primitive, randomProgram } from '../support/random-program.js'
import { type MakeMachine, machineContract } from './machine.js'

function makers(programs: readonly (readonly [string, Program])[]): Record<string, MakeMachine> {
  return Object.fromEntries(programs.map(([name, program]) => [name, () => modelMachine(program)]))
}

/** Two threads create children of their own: names must not depend on who comes first. */
const family: Program = {
  name: 'family',
  variables: { x: 0 },
  roots: ['main'],
  threads: {
    main: [create('parent'), create('parent'), join('parent'), join('parent')],
    parent: [create('leaf'), create('leaf'), join('leaf'), join('leaf')],
    leaf: [fetchAdd('x', 1)],
  },
}

/** Rounds that look alike but for what they write: no spinning. */
const busy: Program = {
  name: 'busy',
  variables: { x: 0, y: 0 },
  threads: {
    a: [whileLoop(['!', 'r'], [fetchAdd('x', 1), yieldNow(), load('y', 'r')])],
    b: [load('x', 'r'), store('y', 1)],
  },
}

const knownPrograms = [
  family,
  busy,
  known.readers(3),
  known.lastzero(3),
  known.ainc(3),
  known.inc(3),
  known.mutexCounter(3),
  known.writers(3),
  known.storeBuffering(),
  known.figure2(),
]

machineContract(
  'model machines of known programs',
  makers(knownPrograms.map((program) => [program.name!, program])),
)

const generators: Record<string, GeneratorProgram> = {
  'a flag': {
    variables: { flag: 0, data: 0 },
    threads: {
      *producer(t) {
        yield t.store('data', 42)
        yield t.store('flag', 1)
      },
      *consumer(t) {
        yield* t.spinWhile(function* () {
          return (yield t.load('flag')) === 0
        })
        t.assert((yield t.load('data')) === 42)
      },
    },
  },
  'children and a queue': {
    variables: { sum: 0 },
    mutexes: { m: 'plain' },
    conditions: ['c'],
    semaphores: { free: 1, full: 0 },
    roots: ['main'],
    threads: {
      *main(t) {
        const handles = [yield t.create('worker', 1), yield t.create('worker', 2)]
        yield t.semwait('free')
        yield t.sempost('full')
        for (const handle of handles) yield t.join(handle)
      },
      *worker(t, n) {
        if (yield t.choose(2)) yield t.semwait('full')
        yield t.lock('m')
        yield t.store('sum', (yield t.load('sum')) + n)
        yield t.signal('c')
        yield t.unlock('m')
        return n
      },
    },
  },
}

machineContract(
  'model machines of generator functions',
  Object.fromEntries(
    Object.entries(generators).map(([name, program]) => [name, () => modelMachine(program)]),
  ),
)

function random(runs: number, only?: readonly Primitive[]): readonly (readonly [string, Program])[] {
  const programs = fc.sample(randomProgram(only ? { only } : {}), { seed: 17, numRuns: runs })
  return programs.map((program) => [JSON.stringify(program), program])
}

machineContract('model machines of random programs', makers(random(100)), { executions: 6 })

machineContract(
  'model machines of random programs that wait and spin',
  makers(random(50, ['condition', 'mutex', 'timed', 'spurious', 'spin', 'yield', 'barrier', 'semaphore'])),
  { executions: 6 },
)
