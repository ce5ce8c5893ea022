import { describe as about, expect, test } from 'vitest'
import { times } from '../support/effort.js'
import { describe } from './describe.js'
import { examine } from './examine.js'
import { generate } from './generate.js'
import { mixes } from './mixes.js'
import { fewQuestions } from './question.js'

/** `npm run test:long` asks much more, of other programs, for as long as one likes, and of C programs too. */
const firstSeed = 20261116
const runs = times(5)

about('every reduction is right about random programs', () => {
  test.each(mixes.map((mix) => [mix.name, mix] as const))(
    '%s',
    async (name, mix) => {
      let examinedPrograms = 0
      for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
        const subject = generate(mix, seed)
        const examined = await examine(subject, fewQuestions(subject, seed))
        if (examined === null) continue
        examinedPrograms++
        const text = examined.findings.length === 0 ? '' : describe(subject, examined.findings)
        expect(text, `node tests/audit/run.mjs --mix '${name}' --seed ${seed} --runs 1`).toBe('')
      }
      expect(examinedPrograms).toBeGreaterThan(runs / 2)
    },
    600_000,
  )
})
