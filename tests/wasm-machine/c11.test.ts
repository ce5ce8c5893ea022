import { describe, expect, it } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { endsOf, loadCase, outcomes } from './support.js'

describe('C11 threads', () => {
  it('return what the standard says', async () => {
    const machine = await loadCase('c11', 0)
    machine.usePoints(parsePoints('yield'))
    expect(endsOf(machine)).toEqual(['ok '])
    machine.usePoints(parsePoints('everywhere'))
    expect(endsOf(machine, { strategy: 'random', limit: 100 })).toEqual(['ok '])
  })

  it('keep others out by mutexes', async () => {
    const machine = await loadCase('c11', 1)
    machine.usePoints(parsePoints('lock,unlock,sync'))
    const { ends, executions } = outcomes(machine)
    expect([...ends.keys()]).toEqual(['ok '])
    expect(executions).toBeGreaterThan(5)
    expect(machine.threads.labelOf(1)).toBe('worker (0.1)')
  })

  it('wake by condition variables', async () => {
    const machine = await loadCase('c11', 2)
    machine.usePoints(parsePoints('lock,sync'))
    expect(endsOf(machine)).toEqual(['ok '])
    expect(endsOf(await loadCase('c11', 4), { strategy: 'optimal' })).toEqual([
      'ok signalled',
      'ok timed out',
    ])
  })

  it('run an initialiser once', async () => {
    expect(endsOf(await loadCase('c11', 3), { strategy: 'optimal' })).toEqual(['ok '])
  })

  it.each([
    [5, 'lock-misuse: main locks mutex m, which it holds already'],
    [6, 'lock-misuse: worker (0.1) unlocks mutex m, which main holds'],
    [7, 'lock-misuse: main joins worker (0.1), which is detached'],
  ])('case %i ends as it must', async (number, end) => {
    expect(endsOf(await loadCase('c11', number))).toEqual([end])
  })
})
