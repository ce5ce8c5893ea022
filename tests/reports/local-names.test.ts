import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'

const source = (name: string) => join(import.meta.dirname, '..', name)

async function reportOf(program: string, ...rest: string[]): Promise<string> {
  const { out, code } = await faultline(folderWith({}), ['check', source(program), ...rest])
  expect(code).toBe(1)
  return out.replace(/\s+/g, ' ')
}

/** Case, and what the report says: through whatever pointer, an object is called what its owner calls it. */
const cases: readonly [words: readonly string[], text: string][] = [
  [[], "between count (0.1)'s read of pool.slots[1].last"],
  [['1'], "between count (0.1)'s read of left[1]"],
  [['1', '2'], 'took pool.locks[0] (locals.c:33) and waits for pool.locks[1]'],
]

test.each(cases)('locals of another thread have names: case %j', async (words, text) => {
  expect(await reportOf('c/locals.c', '--', ...words)).toContain(text)
})

test.runIf(isFull)('containers that are locals have names, and what is inside them none', async () => {
  const report = await reportOf('cpp/channel.cpp')
  expect(report).toContain("between main lambda 1 (0.1)'s read of c.queue")
  expect(report).toContain('read c.queue, write, read c.capacity (1), signal c.items')
  expect(report).not.toMatch(/local variable|byte \d+ of block/)
})
