import { describe, expect, it } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { drive, eventsOf } from '../support/drive.js'
import { isFull } from '../support/effort.js'
import { endsOf, lineOf, load, loadCase, outcomes } from './support.js'

describe('mutexes', () => {
  it('keep others out', async () => {
    const machine = await load('mutex-counter')
    const { ends, executions } = outcomes(machine)
    expect([...ends.keys()]).toEqual(['ok '])
    expect(executions).toBeGreaterThan(10)
  })

  it('make a second thread wait, and name the holder', async () => {
    const machine = await load('mutex-counter')
    // main: start, two creates; then the first worker takes the mutex.
    const { stopped, alternatives } = drive(machine, '0 0 0 0.1 0.1 0.2')
    expect(stopped['add (0.1)']).toBe('read counter')
    expect(stopped['add (0.2)']).toBe('lock mutex mutex (waits)')
    expect(alternatives['add (0.2)']).toBe(0)
    const waiting = machine.threads.byName('0.2')
    expect(machine.waitOf(waiting)).toMatchObject({
      object: 'mutex mutex',
      holders: [machine.threads.byName('0.1')],
    })
  })

  it('are probed by a thread that stops only because it must wait', async () => {
    const machine = await load('mutex-counter')
    machine.usePoints(parsePoints('unlock'))
    // The first worker stops after its unlock: nobody has to wait.
    drive(machine, '0 0 0.1 0.2')
    expect(eventsOf(machine).filter((event) => event.startsWith('find blocked'))).toEqual([])
    machine.usePoints(parsePoints(`race:tests/c/mutex-counter.c:${lineOf('mutex-counter', 'counter++')}`))
    drive(machine, '0 0 0.1 0.2')
    expect(eventsOf(machine).at(-1)).toBe('find blocked read mutex mutex')
    machine.usePoints(parsePoints('everywhere'))
    drive(machine, '0 0 0 0.1 0.1 0.2')
    expect(eventsOf(machine).filter((event) => event.startsWith('find blocked'))).toEqual([])
  })

  it('of every type return what the manual says', async () => {
    const machine = await load('mutex-types')
    machine.usePoints(parsePoints('yield'))
    const [end, ...others] = endsOf(machine)
    expect(others).toEqual([])
    expect(
      end.replaceAll('pthread_mutex_', '').replaceAll('(&m)', '').replaceAll('(&m, &now)', ''),
    ).toMatchInlineSnapshot(`
      "ok lock ok
      lock ok
      trylock ok
      timedlock ok
      unlock ok
      unlock ok
      unlock ok
      unlock ok
      destroy ok
      unlock EPERM
      lock ok
      lock EDEADLK
      trylock EBUSY
      timedlock EDEADLK
      destroy EBUSY
      trylock EBUSY
      timedlock ETIMEDOUT
      unlock EPERM
      unlock ok
      destroy ok
      timedlock ok
      trylock EBUSY
      timedlock ETIMEDOUT
      unlock ok
      destroy ok
      lock ok
      unlock ok
      "
    `)
  })

  it('report deadlocks with the circle', async () => {
    const { ends, bugs } = outcomes(await load('deadlock'))
    expect([...ends.keys()].map((end) => end.split(':')[0])).toEqual(['ok ', 'deadlock'])
    expect(bugs[0].message).toContain('mutex left')
    expect(bugs[0].message).toContain('mutex right')
    expect([...(bugs[0].cycle ?? [])].sort()).toEqual([0, 1])
  })

  it.each([
    [1, 'lock-misuse: main unlocks mutex m, which nobody holds'],
    [2, 'lock-misuse: other (0.1) unlocks mutex m, which main holds'],
    [3, 'lock-misuse: main locks mutex m, which it holds already'],
    [4, 'lock-misuse: main waits on condition variable c with mutex m, which it does not hold'],
    [5, 'lock-misuse: main destroys mutex m, which it holds itself'],
    [6, 'lock-misuse: main locks mutex m, which was destroyed'],
    [9, 'lock-misuse: main waits on condition variable c with mutex m, locked more than once'],
    [10, 'trap: a null pointer is given as a mutex'],
  ])('misused as in case %i are a bug', async (number, end) => {
    expect(endsOf(await loadCase('misuse', number))).toEqual([end])
  })

  it('that were never initialised are a bug', async () => {
    const [end] = endsOf(await loadCase('misuse', 7))
    expect(end).toMatch(/^lock-misuse: main locks mutex .*, which was not initialised$/)
  })

  it('and conditions destroyed under a waiter are a bug', async () => {
    const ends = endsOf(await loadCase('misuse', 8), { strategy: 'random', limit: 300 })
    expect(ends).toContain('lock-misuse: main destroys condition variable c, on which other (0.1) waits')
  })
})

describe('condition variables', () => {
  it('wake who waits in a loop', async () => {
    expect(endsOf(await loadCase('conditions', 1))).toEqual(['ok '])
  })

  it('lose a signal nobody waits for', async () => {
    const { ends, bugs } = outcomes(await loadCase('conditions', 2))
    expect([...ends.keys()].map((end) => end.split(':')[0]).sort()).toEqual(['deadlock', 'ok '])
    expect(bugs[0].message).toContain('a signal on c')
  })

  it('wake one of two by a signal, and either', async () => {
    const machine = await loadCase('conditions', 3)
    machine.usePoints(parsePoints('lock,sync'))
    const { ends, bugs } = outcomes(machine)
    expect(new Set([...ends.keys()].map((end) => end.split(':')[0]))).toEqual(new Set(['deadlock', 'ok ']))
    // Whoever is left over waits for a signal.
    const left = new Set(
      bugs.flatMap((bug) => bug.waits?.filter((w) => w.object.includes('signal')).map((w) => w.thread)),
    )
    expect([...left].sort()).toEqual([1, 2])
  })

  it('offer each waiter to a signal, by name', async () => {
    const machine = await loadCase('conditions', 3)
    machine.usePoints(parsePoints('lock,sync'))
    // Both waiters wait; main is about to signal.
    const { stopped, alternatives } = drive(machine, '0 0 0 0.2 0.2 0.2 0.1 0.1 0.1 0')
    expect(stopped.main).toBe('signal condition variable c')
    expect(alternatives.main).toBe(2)
    expect(machine.alternativeName(0, 0)).toBe('wakes 0.2')
    expect(machine.alternativeName(0, 1)).toBe('wakes 0.1')
    expect(stopped['waiter (0.1)']).toBe('reacquire mutex m (waits)')
  })

  it('wake the thread that the schedule names', async () => {
    const machine = await loadCase('conditions', 3)
    machine.usePoints(parsePoints('lock,sync'))
    const script = '0 0 0 0.2 0.2 0.2 0.1 0.1 0.1 0'
    for (const [value, woken, left] of [
      [0, 'waiter (0.2)', 'waiter (0.1)'],
      [1, 'waiter (0.1)', 'waiter (0.2)'],
    ] as const) {
      // Signal, then unlock.
      const { alternatives } = drive(machine, `${script} 0=${value} 0`)
      expect(alternatives[woken]).toBe(1)
      expect(alternatives[left]).toBe(0)
    }
  })

  it('wake all by a broadcast', async () => {
    const machine = await loadCase('conditions', 4)
    machine.usePoints(parsePoints('lock,sync'))
    expect(endsOf(machine)).toEqual(['ok '])
  })

  it('wake two by two signals', async () => {
    const machine = await loadCase('conditions', 5)
    machine.usePoints(parsePoints('lock,unlock,sync'))
    expect(endsOf(machine)).toEqual(['ok '])
  })

  it('end a wait without a signal where the platform may do so', async () => {
    const machine = await loadCase('conditions', 2, { platform: { spurious: 1 } })
    expect(endsOf(machine).map((end) => end.split(':')[0])).toEqual(['assertion', 'deadlock', 'ok '])
    // The loop of the first case stands it, however often.
    for (const spurious of [1, 2]) {
      expect(endsOf(await loadCase('conditions', 1, { platform: { spurious } }))).toEqual(['ok '])
    }
  })

  it.each([
    [1, 2],
    [2, 1],
    [3, isFull ? 2 : 1],
    [6, 1],
  ])('that end without a signal are choices like others: case %i, at most %i', async (number, spurious) => {
    const machine = await loadCase('conditions', number, { platform: { spurious } })
    machine.usePoints(parsePoints('lock,sync'))
    const all = endsOf(machine)
    for (const strategy of ['dpor', 'source', 'optimal', 'icb']) {
      expect([strategy, ...endsOf(machine, { strategy })]).toEqual([strategy, ...all])
    }
  })

  it('end a timed wait either way, with the mutex held', async () => {
    const machine = await loadCase('conditions', 6)
    expect(endsOf(machine)).toEqual(['ok signalled', 'ok timed out'])
  })
})

describe('threads', () => {
  it.each([1, 2])('follow the manual, case %i', async (number) => {
    expect(endsOf(await loadCase('threads', number))).toEqual(['ok '])
  })

  it('end the program by exit', async () => {
    expect(endsOf(await loadCase('threads', 5))).toEqual(['exit-code: the program ends with exit code 3'])
    expect(endsOf(await loadCase('threads', 10))).toEqual(['exit-code: the program ends with exit code 5'])
  })

  it('may outlive main only by running to their end or being named', async () => {
    const machine = await loadCase('threads', 6)
    const { unfinished, ends } = outcomes(machine)
    expect([...ends.keys()]).toEqual(['ok '])
    // The end of the program waits until nobody else can run.
    expect(unfinished).toEqual(new Set())
    drive(machine, '0 0 0 0')
    expect(machine.unfinished).toEqual(['0.1'])
  })

  it('go on when main leaves by pthread_exit', async () => {
    expect(endsOf(await loadCase('threads', 7))).toEqual(['ok worker\n'])
  })

  it('that join each other are deadlocked', async () => {
    const { bugs } = outcomes(await loadCase('threads', 8))
    expect(bugs.map((bug) => bug.kind)).toEqual(['deadlock'])
    expect(bugs[0].message).toContain('thread worker (0.1) to end')
  })

  it('are named by parent and rank', async () => {
    const machine = await loadCase('threads', 9)
    outcomes(machine)
    expect([...machine.threads.names].sort()).toEqual(['0', '0.1', '0.1.1', '0.2'])
  })

  it('run an initialiser once', async () => {
    const machine = await load('once')
    const { ends, executions } = outcomes(machine)
    expect([...ends.keys()]).toEqual(['ok '])
    expect(executions).toBeGreaterThan(100)
  })

  it('have their own data, thread-local variables and errno', async () => {
    const machine = await load('keys')
    machine.usePoints(parsePoints('sync'))
    expect(endsOf(machine)).toEqual(['ok '])
    machine.usePoints(parsePoints('everywhere'))
    expect(endsOf(machine, { strategy: 'random', limit: 200 })).toEqual(['ok '])
  })
})

describe('atomics', () => {
  it('of every size compute what C says and lose nothing', async () => {
    const machine = await load('atomics')
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(['ok '])
    machine.usePoints(parsePoints('atomic'))
    expect(endsOf(machine, { strategy: 'random', limit: 500 })).toEqual(['ok '])
  })
})

describe('random numbers', () => {
  it('are drawn by each thread for itself', async () => {
    const machine = await load('random')
    expect(endsOf(machine, { strategy: 'random', limit: 100 })).toEqual(['ok '])
  })
})

describe('time', () => {
  it('is virtual', async () => {
    const machine = await load('time')
    expect(endsOf(machine, { strategy: 'random', limit: 50 })).toEqual(['ok '])
  })
})

describe('input and output', () => {
  it('are what the user gives', async () => {
    const machine = await load('io', {
      name: 'folder/prog.c',
      args: ['one', 'two words'],
      environment: { COLOUR: 'green' },
      stdin: 'first\nsecond\n',
    })
    const expected =
      'argument one\nargument two words\nenvironment green\ninput first\ninput second\nerror\nno newline'
    expect(endsOf(machine)).toEqual([`ok ${expected}`])
    expect(endsOf(await load('io', { name: 'prog.c' }))).toEqual(['ok environment none\nerror\nno newline'])
  })
})
