import { describe, expect, it } from 'vitest'
import { deadlock, racyCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'

/** What is printed after each command. */
async function walk(program: object, input: string[]): Promise<string[]> {
  const folder = folderWith({ 'p.json': program })
  const { out } = await faultline(folder, ['check', 'p.json', '--json'])
  const ran = await faultline(folder, ['replay', JSON.parse(out).bugs[0].schedule, '--step'], {
    input,
    width: 80,
  })
  expect(ran.code).toBe(1)
  return ran.out.split('> ')
}

describe('replay --step', () => {
  it('goes forth and back, and to the next switch', async () => {
    const [start, next, back, toSwitch, previous] = await walk(racyCounter(), ['n', 'b', 's', 'p', 'q'])
    expect(start).toContain('1/4  t1: read counter = 0  (t1:0)')
    expect(next).toContain('2/4  t2: read counter = 0')
    expect(next).toContain('t1 is preempted')
    expect(back).toContain('1/4  t1')
    expect(toSwitch).toContain('2/4  t2')
    expect(previous).toContain('No switch comes before')
  })

  it('shows variables and stacks', async () => {
    const [, , , variables, stacks] = await walk(racyCounter(), ['', '', 'v', 't', 'q'])
    expect(variables).toContain('counter = 1  ← now')
    expect(stacks).toMatch(/t1 is stopped before\n {4}t1/)
    expect(stacks).toMatch(/t2 runs/)
  })

  it('ends at the failure', async () => {
    const [, failure, after, jump] = await walk(deadlock, ['f', 'g 99', 'g 1', 'q'])
    expect(failure).toMatch(/✗ \d+\/\d+ {2}(left|right): waits for mutex/)
    expect(after).toContain('Steps go from 1 to')
    expect(jump).toContain('1/')
  })

  it('ends with its input, and knows no other commands', async () => {
    const [, unknown] = await walk(racyCounter(), ['jump'])
    expect(unknown).toContain('"jump" is no command')
  })

  it('does not mix with --json', async () => {
    const ran = await faultline(folderWith({}), ['replay', 'x.json', '--step', '--json'])
    expect(ran.code).toBe(2)
    expect(ran.err).toContain('give one of them')
  })
})
