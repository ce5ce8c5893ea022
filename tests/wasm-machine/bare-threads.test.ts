import { describe, expect, it } from 'vitest'
import { endsOf, loadCase, outcomes } from './support.js'

/** All ends, the same for every strategy that explores everything. */
async function allEnds(number: number): Promise<string[]> {
  const machine = await loadCase('bare-threads', number)
  const all = endsOf(machine)
  for (const strategy of ['dpor', 'source', 'optimal'])
    expect(endsOf(machine, { strategy }), strategy).toEqual(all)
  return all
}

describe('threads for those who write a thread library', () => {
  it('sleep until they are woken', async () => {
    expect(await allEnds(1)).toEqual(['ok '])
  })

  it('sleep for ever if they were woken too early', async () => {
    const ends = await allEnds(2)
    expect(ends).toHaveLength(2)
    expect(ends).toContain('ok ')
    expect(ends.join()).toMatch(/(deadlock|livelock): .*the wake-up of thread 2/)
  })

  it('do not sleep if they must not, whoever comes first', async () => {
    expect(await allEnds(3)).toEqual(['ok -1', 'ok 0'])
  })

  it('have atomic instructions', async () => {
    expect(await allEnds(4)).toEqual(['ok '])
    expect(await allEnds(5)).toEqual(['ok '])
  })

  it('have ids that do not depend on the schedule', async () => {
    expect(await allEnds(6)).toEqual(['ok 123'])
  })

  it('use their stack until they vanish', async () => {
    const { bugs } = outcomes(await loadCase('bare-threads', 7), { strategy: 'optimal' })
    expect([...new Set(bugs.map(({ kind }) => kind))]).toEqual(['use-after-free'])
    expect(await allEnds(8)).toEqual(['ok '])
  })

  it('are not there if nobody made them', async () => {
    expect(await allEnds(9)).toEqual(['ok -1 -1 -1 -1 0 2'])
    expect(await allEnds(10)).toEqual(['ok -1'])
  })

  it('look at what they are given', async () => {
    expect((await allEnds(11)).join()).toMatch(/null/)
  })
})
