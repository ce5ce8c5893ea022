import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const mailbox = fileURLToPath(new URL('../c/mailbox.c', import.meta.url))

/** Whole reports of C programs, as a terminal of that width shows them. `vitest -u` writes them anew. */
const reports: [string, string, number][] = [
  ['counter-60', '01-counter/racy.c', 60],
  ['counter-80', '01-counter/racy.c', 80],
  ['counter-120', '01-counter/racy.c', 120],
  ['deadlock-80', '02-deadlock/racy.c', 80],
  ['lost-wakeup-60', '03-lost-wakeup/racy.c', 60],
  ['bounded-queue-80', '04-bounded-queue/racy.c', 80],
  ['use-after-free-80', '05-reference-count/racy.c', 80],
  ['ring-buffer-120', '06-ring-buffer/racy.c', 120],
  ['mailbox-130', mailbox, 130],
]

/** Times, digests (they depend on the compiler) and folders differ from run to run. */
const steady = (text: string, out: string) =>
  text
    .replaceAll(out, '.faultline')
    .replace(/\d+\.\d\d s\b/g, '0.00 s')
    .replace(/-[0-9a-f]{10}\.json/g, '-0123456789.json')

describe('terminal report', () => {
  it.each(reports)('%s', async (name, program, width) => {
    const out = folderWith({})
    const argv = ['check', program, '--strategy', 'pos', '--out', out]
    const ran = await faultline(examples, argv, { width })
    expect(ran.code).toBe(1)
    await expect(steady(ran.out, out)).toMatchFileSnapshot(`golden/${name}.txt`)
    for (const line of ran.out.split('\n')) {
      if (!line.includes('faultline replay')) expect(line.length).toBeLessThanOrEqual(width)
    }
  })

  it('marks in colour what it marks with signs', async () => {
    const out = folderWith({})
    const argv = ['check', '01-counter/racy.c', '--strategy', 'pos', '--out', out]
    const plain = await faultline(examples, argv, { width: 80 })
    const colour = await faultline(examples, argv, { width: 80, colour: true })
    expect(steady(stripVTControlCharacters(colour.out), out)).toBe(steady(plain.out, out))
    expect(colour.out).toContain('\x1b[1m• 8 read counter')
    expect(colour.out).toContain('\x1b[33m── preempted ──')
  })
})
