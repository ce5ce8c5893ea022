import { describe, expect, it } from 'vitest'
import { endsOf, load } from './support.js'

describe('programs in the style of SV-COMP run as they are', () => {
  it.each([
    ['lazy-sum', ['LAST=2'], true],
    ['lazy-sum', ['LAST=1'], false],
    ['atomic-swap', [], false],
    ['atomic-swap', ['BROKEN'], true],
    ['any-value', ['EXCLUDED=1'], true],
    ['any-value', ['EXCLUDED=2'], false],
    ['own-assumption', ['EXCLUDED=1'], true],
    ['own-assumption', ['EXCLUDED=2'], false],
    ['own-assumption', ['EXCLUDED=1', 'ENDLESS'], true],
    ['own-assumption', ['EXCLUDED=2', 'ENDLESS'], false],
  ])('%s %j: error reached is %s', async (name, define, reached) => {
    const machine = await load(`svcomp/${name}`, { define })
    for (const strategy of ['source', 'optimal']) {
      const ends = endsOf(machine, { strategy })
      expect(ends.some((end) => end.startsWith('assertion'))).toBe(reached)
      expect(ends.every((end) => end.startsWith('assertion') || end === 'ok ')).toBe(true)
    }
  })
})
