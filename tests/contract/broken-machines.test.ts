import { describe, expect, test } from 'vitest'
import { lock, store, unlock, yieldNow } from '../../src/frontends/model/build.js'
import { modelMachine, type Program } from '../../src/frontends/model/index.js'
import type { Driver, Machine } from '../../src/machine/machine.js'
import { Op } from '../../src/machine/operation.js'
import { parsePoints } from '../../src/machine/points.js'
import { ainc, mutexCounter, storeBuffering } from '../support/known-programs.js'
import { defaults, promises } from './machine.js'

/** A machine with some of its members replaced. */
function like(machine: Machine, replaced: Partial<Machine>): Machine {
  return new Proxy(machine, {
    get(target, key) {
      if (Object.hasOwn(replaced, key)) return Reflect.get(replaced, key)
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (target, key, value) => Reflect.set(target, key, value),
  })
}

/** A machine that does something wrong whenever its driver is asked. */
function meddling(
  machine: Machine,
  meddle: (step: number) => void,
  after: (thread: number) => void = () => {},
): Machine {
  return like(machine, {
    run(driver: Driver) {
      let step = 0
      machine.run({
        value: 0,
        next() {
          meddle(step++)
          const thread = driver.next()
          after(thread)
          this.value = driver.value
          return thread
        },
      })
    },
  })
}

const deadlocks: Program = {
  variables: { x: 0 },
  mutexes: { m: 'plain', n: 'plain' },
  threads: {
    a: [lock('m'), store('x', 1), lock('n'), unlock('n'), unlock('m')],
    b: [store('x', 2), lock('n'), yieldNow(), lock('m'), unlock('m'), store('x', 3)],
  },
}

let made = 0

/** By promise: machines that break it. */
const broken: Record<string, Record<string, () => Machine>> = {
  'is the same machine each time it is made': {
    'its hash differs': () => like(modelMachine(ainc(2)), { hash: `hash ${made++}` }),
  },
  'shows what a thread does before it does it': {
    'it shows another object': () => {
      const machine = modelMachine(mutexCounter(2))
      return meddling(machine, () => machine.pending.location.fill(0))
    },
    'it logs another operation': () => {
      const machine = modelMachine(mutexCounter(2))
      return meddling(machine, () => machine.events.kind.fill(Op.atomicLoad))
    },
  },
  'changes nothing that a stopped thread shows, but the alternatives': {
    'objects come and go': () => {
      const machine = modelMachine(mutexCounter(2))
      return meddling(machine, (step) => machine.pending.location.fill(step % 2))
    },
  },
  'can take every alternative it offers, and says what it waits for if there is none': {
    'an unlock has to wait': () => {
      const machine = modelMachine(mutexCounter(2))
      const alternatives = (t: number) =>
        machine.pending.kind[t] === Op.unlock ? 0 : machine.alternatives(t)
      return like(machine, { alternatives })
    },
    'a thread that must wait can be run': () =>
      like(modelMachine(mutexCounter(2)), {
        alternatives: () => 1,
      }),
    'nobody knows what for': () => {
      const machine = modelMachine(deadlocks)
      return like(machine, { waitOf: (t) => ({ ...machine.waitOf(t), object: '' }) })
    },
    'two alternatives have one name': () => {
      const threads = { a: [{ op: 'choose', count: 2, into: 'r' }] } as const
      return like(modelMachine({ threads }), { alternativeName: () => 'the same' })
    },
  },
  'has threads begin by create and end by exit': {
    'a create is not logged': () => {
      const machine = modelMachine(ainc(2))
      const hide = () => {
        const { kind, count } = machine.events
        for (let i = 0; i < count; i++) if (kind[i] === Op.create) kind[i] = Op.yield
      }
      return meddling(machine, hide)
    },
    'an exit is not logged': () => {
      const machine = modelMachine(mutexCounter(2))
      const hide = () => {
        const { kind, count } = machine.events
        for (let i = 0; i < count; i++) if (kind[i] === Op.exit) kind[i] = Op.yield
      }
      return meddling(machine, hide)
    },
  },
  'goes on until all threads have ended, one has failed or none can run': {
    'it stops too early': () => {
      const machine = modelMachine(mutexCounter(2))
      const run = (driver: Driver) => {
        let steps = 0
        machine.run({
          value: 0,
          next: () => (steps++ < 3 ? driver.next() : -1),
        })
      }
      return like(machine, { run })
    },
  },
  'logs values and states of objects that follow from one another': {
    'a read sees nonsense': () => {
      const machine = modelMachine(mutexCounter(2))
      return meddling(machine, (step) => machine.events.seen.fill(step))
    },
    'the owner of a mutex is wrong': () => {
      const machine = modelMachine(mutexCounter(2))
      return meddling(machine, () => machine.events.aux.fill(2))
    },
  },
  'leaves nothing behind in the next execution': {
    'values differ after a while': () => {
      const machine = modelMachine(mutexCounter(2))
      let runs = 0
      return meddling(machine, (step) => {
        if (step === 0) runs++
        if (runs > 50) machine.events.written.fill(99)
      })
    },
    'numbers differ after a while': () => {
      const machine = modelMachine(mutexCounter(2))
      let runs = 0
      return meddling(machine, (step) => {
        if (step === 0) runs++
        if (runs > 50) machine.events.known[0] |= 128
      })
    },
  },
  'does the same with footprints and without': {
    'a thread can do less without': () => {
      const machine = modelMachine(mutexCounter(2))
      const alternatives = (t: number) =>
        machine.footprints || machine.pending.kind[t] !== Op.load ? machine.alternatives(t) : 2
      return like(machine, { alternatives })
    },
  },
  'does one operation per transition when every point is on': {
    'it has only few points': () => {
      const machine = modelMachine(mutexCounter(2))
      machine.usePoints(parsePoints('lock'))
      return machine
    },
  },
  'stops at the points of its set and nowhere else, and so joins what every point separates': {
    'it has all points always': () => like(modelMachine(mutexCounter(2)), { usePoints() {} }),
    'it lacks some points always': () => {
      const machine = modelMachine(deadlocks)
      const usePoints: Machine['usePoints'] = (points) =>
        machine.usePoints({ ...points, kinds: points.kinds.filter((kind) => kind !== 'unlock') })
      return like(machine, { usePoints })
    },
    'it does not say that the state made it stop': () => {
      const machine = modelMachine(deadlocks)
      const hide = () => {
        const { events } = machine
        if (events.count > 0 && events.kind[events.count - 1] === Op.probe) events.count--
      }
      return meddling(machine, hide)
    },
  },
  'gives names that do not depend on the interleaving': {
    'threads are named in the order they run': () => {
      const machine = modelMachine(storeBuffering())
      const ran: number[] = []
      const name = (thread: number) => {
        if (thread < 0 || ran.includes(thread)) return
        ran.push(thread)
        ;(machine.threads.names as string[])[thread] = `r${ran.length}`
      }
      return meddling(machine, () => {}, name)
    },
  },
}

describe('the contract of machines', () => {
  test('has a broken machine for each promise', () => {
    expect(Object.keys(broken)).toEqual(Object.keys(promises))
  })

  describe.each(Object.entries(broken))('%s', (promise, machines) => {
    test.each(Object.entries(machines))('not if %s', async (_, make) => {
      await expect(promises[promise](make, defaults)).rejects.toThrow()
    })
  })

  test('finds nothing wrong with the programs when they are left alone', async () => {
    for (const program of [ainc(2), mutexCounter(2), deadlocks]) {
      for (const check of Object.values(promises)) await check(() => modelMachine(program), defaults)
    }
  })
})
