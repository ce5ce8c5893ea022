import { describe, expect, it } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { drive, eventsOf } from '../support/drive.js'
import { endsOf, loadCase, outcomes } from './support.js'

describe('semaphores', () => {
  it('return what the manual says', async () => {
    const machine = await loadCase('semaphores', 0)
    machine.usePoints(parsePoints('yield'))
    const [end, ...others] = endsOf(machine)
    expect(others).toEqual([])
    expect(end.replaceAll(/\(&s[^)]*\)/g, '')).toMatchInlineSnapshot(`
      "ok sem_init ok
      sem_wait ok
      sem_getvalue ok
      sem_trywait EAGAIN
      sem_timedwait ETIMEDOUT
      sem_timedwait EINVAL
      sem_post ok
      sem_post ok
      sem_getvalue ok
      sem_trywait ok
      sem_timedwait ok
      sem_destroy ok
      sem_init EINVAL
      sem_init ok
      sem_post EOVERFLOW
      "
    `)
  })

  it('of one permit keep others out', async () => {
    const machine = await loadCase('semaphores', 1)
    const { ends, executions } = outcomes(machine)
    expect([...ends.keys()]).toEqual(['ok '])
    expect(executions).toBeGreaterThan(10)
  })

  it('order what comes before a post before what comes after the wait', async () => {
    expect(endsOf(await loadCase('semaphores', 2))).toEqual(['ok '])
  })

  it('make threads wait at zero, and say for what', async () => {
    const { bugs, ends } = outcomes(await loadCase('semaphores', 3))
    expect([...ends.keys()].map((end) => end.split(':')[0])).toEqual(['deadlock', 'deadlock'])
    expect(bugs[0].message).toContain('semaphore s')
    // Either of the two may be the one left over.
    const left = bugs.map((bug) => bug.waits?.find((wait) => wait.object === 'semaphore s')?.thread)
    expect(left.sort()).toEqual([1, 2])
  })

  it('log the count before, and post as an operation that commutes', async () => {
    const machine = await loadCase('semaphores', 2)
    machine.usePoints(parsePoints('sync'))
    // main: start, init, create; the worker writes and posts; main waits.
    const { stopped } = drive(machine, '0 0 0')
    expect(stopped.main).toBe('semaphore wait semaphore s (waits)')
    drive(machine, '0 0 0 0.1 0.1 0')
    expect(eventsOf(machine).filter((event) => event.includes('semaphore'))).toEqual([
      'init or destroy write semaphore s, 0',
      'semaphore post commute semaphore s, 0',
      'semaphore wait write semaphore s, 1',
    ])
  })

  it('stop a thread after a post whatever the points are', async () => {
    const machine = await loadCase('semaphores', 10)
    machine.usePoints(parsePoints('yield'))
    const { stopped } = drive(machine, '0 0 0 0')
    expect(stopped.main).toBe('join (waits)')
    expect([...outcomes(machine).statuses]).toEqual(['stuck'])
  })

  it('let in as many as there are permits', async () => {
    const machine = await loadCase('semaphores', 4)
    machine.usePoints(parsePoints('lock,unlock,sync'))
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(['ok 1', 'ok 2'])
  })

  it('end a timed wait either way, and a try too', async () => {
    expect(endsOf(await loadCase('semaphores', 5))).toEqual([
      'ok sem_timedwait(&s, &soon) ETIMEDOUT\n',
      'ok sem_timedwait(&s, &soon) ok\n',
    ])
    expect(endsOf(await loadCase('semaphores', 6))).toEqual([
      'ok sem_trywait(&s) EAGAIN\n',
      'ok sem_trywait(&s) ok\n',
    ])
  })

  it.each([
    [7, 'lock-misuse: main posts semaphore s, which was not initialised'],
    [8, 'lock-misuse: main waits for semaphore s, which was destroyed'],
    [9, 'lock-misuse: worker (0.1) waits for semaphore s, which was destroyed'],
    [11, 'trap: a null pointer is given as a semaphore'],
  ])('misused as in case %i are a bug', async (number, end) => {
    expect(endsOf(await loadCase('semaphores', number))).toEqual([end])
  })
})
