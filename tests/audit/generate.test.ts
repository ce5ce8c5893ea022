import { readFileSync } from 'node:fs'
import { describe as about, expect, test } from 'vitest'
import { allMixes, generate } from './generate.js'
import { operations } from './scripts.js'
import { shrink } from './shrink.js'
import { isScripts } from './subject.js'

about('random programs', () => {
  test('are the same for the same number', () => {
    for (const mix of allMixes) expect(generate(mix, 5)).toEqual(generate(mix, 5))
  })

  test('of a mix have its primitive, and two to five threads', () => {
    const programs = Array.from({ length: 50 }, (_, seed) =>
      generate(allMixes.find((m) => m.name === 'rwlock')!, seed),
    )
    const counts = new Set(programs.map((p) => (isScripts(p) ? 0 : Object.keys(p.threads).length)))
    expect([...counts].sort()).toEqual([2, 3, 4, 5])
    expect(programs.filter((program) => JSON.stringify(program).includes('"rw"')).length).toBeGreaterThan(40)
  })

  test('are shrunk to what is wrong with them', async () => {
    const program = generate(allMixes.find((m) => m.name === 'rwlock')!, 3)
    const small = await shrink(program, async (candidate) => JSON.stringify(candidate).includes('wrlock'))
    expect(Object.values((small as { threads: object }).threads)).toEqual([[{ op: 'wrlock', rwlock: 'rw' }]])
  })
})

test('the operations of tests/c/audit.c are those that scripts name', () => {
  const cases = readFileSync('tests/c/audit.c', 'utf8').matchAll(/case (\d+):/g)
  expect([...cases].map(([, number]) => Number(number))).toEqual(operations.map((_, i) => i + 1))
})
