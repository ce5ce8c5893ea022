import { describe as about, expect, test } from 'vitest'
import { isFull } from '../support/effort.js'
import { describe } from './describe.js'
import { examine } from './examine.js'
import { onceWrong, onceWrongAt, onceWrongTransactions, swapClasses, swaps } from './once-wrong.js'
import { chosenQuestions, everyQuestion } from './question.js'
import type { Subject } from './subject.js'

async function faultsOf(subject: Subject) {
  const examined = await examine(subject, everyQuestion(subject, isFull ? 4 : 1))
  if (examined === null) throw new RangeError('too large for brute force')
  return { ...examined, text: examined.findings.length === 0 ? '' : describe(subject, examined.findings) }
}

about('every strategy is right about', () => {
  test.each(Object.entries({ ...onceWrong, ...onceWrongTransactions }))('%s', async (_, program) => {
    expect((await faultsOf(program)).text).toBe('')
  })

  test.each(Object.entries(onceWrongAt))('%s', async (_, { points, program }) => {
    const questions = chosenQuestions(['optimal', 'source', 'dpor', 'icb', 'delay', 'orders'], [points])
    expect((await examine(program, questions))?.findings).toEqual([])
  })

  // Five are what four are, and take as long as all before them.
  test.each(swapClasses.map((classes, i) => [i + 2, classes]).slice(0, isFull ? 4 : 3))(
    '%i swaps of what one store writes',
    async (n, classes) => {
      const { text, classes: found } = await faultsOf(swaps(n))
      expect(text).toBe('')
      expect(found).toBe(classes)
    },
  )
})
