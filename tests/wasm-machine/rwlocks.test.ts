import { describe, expect, it } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { drive, eventsOf } from '../support/drive.js'
import { endsOf, loadCase, outcomes } from './support.js'

describe('reader-writer locks', () => {
  it('return what the manual says', async () => {
    const machine = await loadCase('rwlocks', 0)
    machine.usePoints(parsePoints('yield'))
    const [end, ...others] = endsOf(machine)
    expect(others).toEqual([])
    expect(end.replaceAll('pthread_rwlock_', '').replaceAll(/\(&l[^)]*\)/g, '')).toMatchInlineSnapshot(`
      "ok init ok
      rdlock ok
      rdlock ok
      tryrdlock ok
      unlock ok
      timedrdlock ok
      unlock ok
      rdlock ok
      unlock ok
      trywrlock EBUSY
      timedwrlock ETIMEDOUT
      timedwrlock EINVAL
      unlock ok
      trywrlock EBUSY
      unlock ok
      wrlock ok
      tryrdlock EBUSY
      timedrdlock ETIMEDOUT
      timedrdlock EINVAL
      trywrlock EBUSY
      timedwrlock ETIMEDOUT
      tryrdlock EBUSY
      unlock ok
      timedwrlock ok
      unlock ok
      destroy ok
      "
    `)
  })

  it('keep writers apart', async () => {
    const { ends, executions } = outcomes(await loadCase('rwlocks', 1))
    expect([...ends.keys()]).toEqual(['ok '])
    expect(executions).toBeGreaterThan(10)
  })

  it('let readers in together', async () => {
    const machine = await loadCase('rwlocks', 2)
    machine.usePoints(parsePoints('lock,unlock'))
    expect(endsOf(machine)).toEqual(['ok 1', 'ok 2'])
  })

  it('keep a writer and readers apart', async () => {
    expect(endsOf(await loadCase('rwlocks', 3))).toEqual(['ok 0', 'ok 2'])
  })

  it('log what they found, and make writers wait for all readers', async () => {
    const machine = await loadCase('rwlocks', 3)
    // main starts, reads both handles, creates and read-locks; then the other starts.
    const { stopped } = drive(machine, '0 0 0 0 0 0.1')
    expect(stopped['other (0.1)']).toBe('write lock rwlock l (waits)')
    expect(machine.waitOf(1)).toMatchObject({ object: 'rwlock l', holders: [0] })
    drive(machine, '0 0 0 0 0 0.1 0 0 0 0.1 0.1 0.1 0.1')
    expect(eventsOf(machine).filter((event) => event.includes('rwlock'))).toEqual([
      'read lock commute rwlock l, 0',
      'read unlock commute rwlock l, 1',
      'write lock write rwlock l, 0',
      'write unlock write rwlock l',
    ])
  })

  it.each([
    [10, 'lock-misuse: main unlocks rwlock l, which it does not hold'],
    [11, 'lock-misuse: main unlocks rwlock l, which it does not hold'],
    [12, 'lock-misuse: other (0.1) unlocks rwlock l, which it does not hold'],
    [13, 'lock-misuse: main write-locks rwlock l, which it holds for reading'],
    [14, 'lock-misuse: main read-locks rwlock l, which it holds for writing'],
    [15, 'lock-misuse: main write-locks rwlock l, which it holds for writing'],
    [16, 'lock-misuse: main destroys rwlock l, which it holds itself'],
    [17, 'lock-misuse: main read-locks rwlock l, which was destroyed'],
  ])('misused as in case %i are a bug', async (number, end) => {
    expect(endsOf(await loadCase('rwlocks', number))).toEqual([end])
  })

  it('that were never initialised are a bug', async () => {
    const [end] = endsOf(await loadCase('rwlocks', 19))
    expect(end).toMatch(/^lock-misuse: main read-locks rwlock .*, which was not initialised$/)
  })

  it('that nobody will give back are a deadlock', async () => {
    const { bugs } = outcomes(await loadCase('rwlocks', 18))
    expect(bugs.map((bug) => bug.kind)).toEqual(['deadlock'])
    expect(bugs[0].message).toContain('rwlock l')
  })
})

describe('who reads and reads again while a writer waits', () => {
  it('waits for ever where readers wait for waiting writers', async () => {
    const machine = await loadCase('rwlocks', 20, { platform: { preferWriters: true } })
    expect(machine.platform?.settings).toMatchObject({ preferWriters: true })
    const { bugs, ends } = outcomes(machine)
    expect(bugs).toMatchObject([{ kind: 'deadlock', cycle: [0, 1] }])
    expect([...ends.keys()]).toContain('ok ')
  })

  it('waits for ever where the lock was asked to be such', async () => {
    const machine = await loadCase('rwlocks', 21)
    expect(machine.needsEverywhere).toBe(true)
    const { bugs, ends } = outcomes(machine)
    expect(bugs).toMatchObject([{ kind: 'deadlock', cycle: [0, 1] }])
    expect([...ends.keys()]).toContain('ok ')
    expect([...outcomes(await loadCase('rwlocks', 22)).ends.keys()]).toEqual(['ok '])
  })

  it('goes on elsewhere', async () => {
    expect([...outcomes(await loadCase('rwlocks', 20)).ends.keys()]).toEqual(['ok '])
  })
})
