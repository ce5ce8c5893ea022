import { describe, expect, it } from 'vitest'
import { recipeText } from '../../src/reports/write/recipe.js'
import { deadlock, longFailure, racyCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'
import { sampleReport } from '../page/sample-report.js'

async function recipe(program: object, ...argv: string[]): Promise<string> {
  const folder = folderWith({ 'p.json': program })
  const { out } = await faultline(folder, ['check', 'p.json', '--json', ...argv])
  const ran = await faultline(folder, ['replay', JSON.parse(out).bugs[0].schedule, '--recipe'], { width: 80 })
  expect([ran.code, ran.err]).toEqual([1, ''])
  return ran.out
}

describe('replay --recipe', () => {
  it('says thread by thread what is done, and where to stop', async () => {
    expect((await recipe(racyCounter())).replace(/counter-\w+-\w+|p-\w+-\w+/, 'p')).toBe(
      `invariant: check at the end all increments are counted fails
at the end of the program, after 1 preemption (no schedule with fewer shows it).

Threads
  t1
  t2

1. t1 begins (step 1)
     t1:0  read counter (0)
   → stop t1 at t1:1, before: write counter

2. t2 begins (steps 2–3)
     t2:0  read counter (0)
     t2:1  write counter (1)
   → t2 has ended

3. t1 goes on (step 4)
     t1:1  write counter (1)

Steps have the numbers that replay --step shows, which walks through them
without a debugger:
  faultline replay .faultline/p.json --step
`,
    )
  })

  it('tells of threads that wait, for a while and for ever', async () => {
    const stuck = await recipe(deadlock)
    // The first of them could have gone on when it was left; the second could not.
    expect(stuck).toMatch(/1\. .*\n.*\n {3}→ stop (left|right) at (left|right):1, before: lock [ab]\n/)
    expect(stuck).toMatch(/2\. .*\n.*\n {3}→ (left|right) waits for mutex [ab] at (left|right):1\n/)
    expect(stuck).toMatch(/→ waits for mutex [ab] at (left|right):1, for ever/)
    const long = await recipe(longFailure, '-s', 'random')
    expect(long).toMatch(/→ [ab] waits for semaphore p[io]ng/)
    expect(long).toMatch(/→ fails at a:\d+: assertion/)
  })

  it('gives lines of files, how often a thread has been there, and what gdb needs', () => {
    const [bug] = sampleReport().bugs
    const text = recipeText(bug, 100, 'faultline')
    expect(text).toContain('set scheduler-locking on')
    // The sample has two threads that read and write in one line, four steps at a time.
    expect(text).toContain(
      '→ stop main within counter.c:4, before: read counter, which it has done 2 times there',
    )
    expect(text).toContain('5. work (0.1) goes on (steps 17–20)')
    expect(text).toMatch(/\n {3}→ fails at counter\.c:8: assertion counter == 2 failed\n/)
    for (const line of recipeText(bug, 60, 'faultline').split('\n'))
      expect(line.length).toBeLessThanOrEqual(62)
  })

  it('is printed instead of other things', async () => {
    for (const other of ['--json', '--step']) {
      const ran = await faultline(folderWith({}), ['replay', 'x.json', '--recipe', other])
      expect([ran.code, ran.out.startsWith('{') || ran.out === '']).toEqual([2, true])
      expect(ran.err).toContain('give one of them')
    }
  })
})
