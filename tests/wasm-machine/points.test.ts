import { describe, expect, it } from 'vitest'
import { Op, operations } from '../../src/machine/operation.js'
import { type PointSet, parsePoints } from '../../src/machine/points.js'
import { drive } from '../support/drive.js'
import { endsOf, lineOf, load } from './support.js'

/** Different outputs, over all executions with these points. */
async function seen(points: PointSet): Promise<string[]> {
  const machine = await load('points')
  machine.usePoints(points)
  return endsOf(machine).map((end) => end.replace('ok ', ''))
}

const observed = (kind: string) => `tests/c/points.c:${lineOf('points', `/* ${kind} */`)}`

describe('preemption points', () => {
  it('always include the end of an operation that lets another thread run', async () => {
    // The worker runs as a whole, before main goes on or after.
    expect(await seen(parsePoints('yield'))).toEqual(['2', 'before 0'])
  })

  it('after a release let another thread in between two critical sections', async () => {
    expect(await seen(parsePoints('unlock'))).toEqual(['1', '2', 'before 0', 'between 1'])
  })

  it('before a lock do, too', async () => {
    expect(await seen(parsePoints('lock'))).toEqual(['2', 'before 0', 'before 1', 'between 1'])
  })

  it('at atomics separate them from the rest', async () => {
    const outputs = await seen(parsePoints('atomic'))
    expect(outputs).toContain('before 1')
    expect(outputs).toContain('before 2')
    expect(outputs.some((output) => output.startsWith('between'))).toBe(false)
  })

  it('everywhere show all of it', async () => {
    const outputs = await seen(parsePoints('everywhere'))
    expect(outputs).toEqual(['1', '2', 'before 0', 'before 1', 'before 2', 'between 1', 'between 2'])
  })

  it('before one racy access concern that access only', async () => {
    expect(await seen(parsePoints(`race:${observed('advance')}`))).toEqual([
      '2',
      'before 0',
      'before 1',
      'between 1',
    ])
    expect(await seen(parsePoints(`race:${observed('advance')}@0.1`))).toEqual(
      await seen(parsePoints(`race:${observed('advance')}`)),
    )
    expect(await seen(parsePoints(`race:${observed('advance')}@0`))).toEqual(await seen(parsePoints('yield')))
  })

  it('can be named as reports name sites', async () => {
    const machine = await load('points')
    const line = lineOf('points', '/* advance */')
    const [read, write] = ['load', 'store'].map((kind) =>
      machine.sites.find((site) => site.line === line && site.name.includes(kind)),
    )
    machine.usePoints(parsePoints(`race:${read!.name}`))
    expect(drive(machine, '0 0.1').stopped['worker (0.1)']).toBe('read step')
    machine.usePoints(parsePoints(`race:${write!.name}`))
    expect(drive(machine, '0 0.1').stopped['worker (0.1)']).toBe('write step')
  })

  it('at a site that does not exist are refused', async () => {
    const machine = await load('points')
    expect(() => machine.usePoints(parsePoints('race:nowhere.c:1'))).toThrow(/no access at "nowhere\.c:1"/)
  })

  it('are narrowed by rules over the whole call stack', async () => {
    const within = { accept: true, function: 'twice' }
    const without = { accept: false, function: 'worker' }
    expect(await seen(parsePoints('atomic,unlock', [within]))).toEqual(await seen(parsePoints('unlock')))
    expect(await seen(parsePoints('unlock', [without]))).toEqual(await seen(parsePoints('yield')))
    expect(await seen(parsePoints('atomic,unlock', [without, within]))).toEqual(
      await seen(parsePoints('unlock')),
    )
    expect(await seen(parsePoints('everywhere', [{ accept: true, function: 'advance' }]))).toContain(
      'between 1',
    )
    const outside = { accept: false, function: 'worker' }
    expect(await seen(parsePoints('everywhere', [outside]))).toEqual(['2', 'before 0', 'before 2'])
  })

  it('everywhere make every transition one operation', async () => {
    const machine = await load('points')
    const sizes: number[] = []
    let last = 0
    machine.run({
      value: 0,
      next() {
        const { events, pending, threads } = machine
        const visible = [...Array(events.count - last).keys()].filter((i) => {
          const kind = events.kind[last + i]
          // The store of a thread's handle, the end of a thread and that of the program come with another operation.
          return operations[kind].point !== 'none' && kind !== Op.processExit
        })
        sizes.push(visible.length)
        last = events.count
        return (
          [...threads.names.keys()].find((t) => pending.status[t] === 1 && machine.alternatives(t) > 0) ?? -1
        )
      },
    })
    expect(Math.max(...sizes)).toBe(2)
    // Only create, and join, which claims the thread, have a second event.
    expect(sizes.filter((size) => size === 2)).toHaveLength(2)
  })

  it('know the call stack', async () => {
    const machine = await load('points')
    drive(machine, '0 0 0.1 0.1 0.1')
    const worker = machine.threads.byName('0.1')
    expect(machine.stackOf(worker)).toEqual(['advance', 'twice', 'worker'])
    drive(machine, '0 0 0.1 0.1')
    expect(machine.stackOf(worker)).toEqual(['twice', 'worker'])
    expect(machine.stackOf(0)).toEqual(['observe', 'main'])
  })
})
