import { describe, expect, it } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { parsePoints } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { endsOf, lineOf, load, outcomes } from './support.js'

const machineOf = (number: number, leaks = true) => load('leaks', { args: [String(number)], leaks })

describe('leaks', () => {
  it('are found at the end, on request, in whatever thread they are', async () => {
    const machine = await machineOf(1)
    const expected = ['leak: a block of 10 bytes is not freed when the program ends']
    const { ends, bugs, executions } = outcomes(machine, { strategy: 'optimal' })
    expect([...ends.keys()]).toEqual(expected)
    expect(executions).toBe(2)
    expect(machine.sites[bugs[0].site].line).toBe(lineOf('leaks', '/* make */'))
    expect(endsOf(await machineOf(1, false), { strategy: 'optimal' })).toEqual(['ok '])
  })

  it.each([
    [2, ['leak: 2 blocks, 30 bytes in all, are not freed when the program ends']],
    [3, ['ok 1\n']],
    [4, ['ok ']],
    [5, ['exit-code: the program ends with exit code 3']],
  ])('are what is left of a program that ended well, case %i', async (number, ends) => {
    expect(endsOf(await machineOf(number))).toEqual(ends)
  })
})

describe('stacks of a bug of the heap', () => {
  const stacksOf = async (number: number, points: string, keepsStacks = true) => {
    const machine = await machineOf(number)
    machine.usePoints(parsePoints(points))
    machine.inspection!.keepsStacks = keepsStacks
    const runner = new Runner(machine)
    runner.run(createStrategy('random', { machine }))
    const bug = runner.bug!
    const show = (frames: readonly { function: string; line?: number }[]) =>
      frames.map((frame) => `${frame.function}:${frame.line}`)
    return {
      own: show(machine.inspection!.framesOf(bug.thread, bug.site)),
      others: (bug.stacks ?? []).map(({ title, frames }) => [title, ...show(frames)]),
    }
  }
  const line = (text: string) => lineOf('leaks', text)
  const allocated = (caller: number) => ['allocated', `make:${line('/* make */')}`, `main:${caller}`]
  const caseLine = (number: number, offset: number) => line(`case ${number}:`) + offset

  it.each(['everywhere', 'yield'])(
    'tell where a block was used, allocated and freed; points %s',
    async (points) => {
      const { own, others } = await stacksOf(6, points)
      expect(own).toEqual([`use:${line('/* used */')}`, `main:${caseLine(6, 3)}`])
      expect(others).toEqual([
        allocated(caseLine(6, 1)),
        ['freed', `drop:${line('/* dropped */')}`, `main:${caseLine(6, 2)}`],
      ])
    },
  )

  it('tell both frees', async () => {
    const { own, others } = await stacksOf(7, 'everywhere')
    expect(own).toEqual([`drop:${line('/* dropped */')}`, `main:${caseLine(7, 3)}`])
    expect(others[1]).toEqual(['freed', `drop:${line('/* dropped */')}`, `main:${caseLine(7, 2)}`])
  })

  it('tell where leaked blocks come from', async () => {
    const { others } = await stacksOf(2, 'everywhere')
    expect(others).toEqual([allocated(caseLine(2, 1)), allocated(caseLine(2, 2))])
  })

  it('are not kept while exploring', async () => {
    expect((await stacksOf(6, 'everywhere', false)).others).toEqual([])
  })
})
