import { findStrategy } from '../../src/strategies/index.js'
import type { Reached } from '../support/brute-force.js'
import { type Finding, Findings } from './finding.js'
import { judge, truth } from './judge.js'
import { judgeAuto, judgeDeepening } from './judge-deepening.js'
import { judgeSampler } from './judge-sampler.js'
import type { Question } from './question.js'
import { shrink } from './shrink.js'
import type { Subject } from './subject.js'

/** What came of putting questions about a program; null when there is too much of it for brute force. */
export interface Examined {
  readonly classes: number
  readonly bugs: number
  readonly findings: readonly Finding[]
}

export async function examine(
  subject: Subject,
  questions: readonly Question[],
  onQuestion: (question: Question) => void = () => {},
): Promise<Examined | null> {
  const truths = new Map<string, Reached | null>()
  const findings: Finding[] = []
  for (const question of questions) {
    onQuestion(question)
    if (!truths.has(question.points)) truths.set(question.points, await truthUnder(subject, question.points))
    const all = truths.get(question.points)
    if (all) findings.push(...(await answer(subject, question, all)))
  }
  const whole = truths.get(questions[0].points)
  if (!whole) return null
  return { classes: whole.classes.size, bugs: whole.bugs.size, findings }
}

/** Interleavings beyond which deepening would take too long. */
const mostForDeepening = 1500

/** A set may name accesses that a smaller program no longer has: nothing to ask then. */
async function truthUnder(subject: Subject, points: string): Promise<Reached | null> {
  try {
    return await truth(subject, points)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

async function answer(subject: Subject, question: Question, all: Reached): Promise<readonly Finding[]> {
  try {
    const isDeepening = question.strategy.startsWith('deepen') || question.strategy === 'auto'
    // Its jobs go over much of the program again and again.
    if (isDeepening && all.executions > mostForDeepening) return []
    if (question.strategy.startsWith('deepen')) return await judgeDeepening(subject, question, all)
    if (question.strategy === 'auto') return await judgeAuto(subject, question, all)
    const isSampler = findStrategy(question.strategy).entry.promise === 'sample'
    return await (isSampler ? judgeSampler : judge)(subject, question, all)
  } catch (error) {
    const findings = new Findings(question)
    findings.add('throws', String(error))
    return findings.list
  }
}

/** Losing a final state, a bug or only a class has one cause more often than not. */
export const kindOf = ({ fault }: Finding) => (fault.endsWith(' lost') ? 'lost' : fault)

/** Leaves out all that can be while a strategy stays wrong in one way. */
export function shrinkFor(
  subject: Subject,
  finding: Finding,
  onQuestion?: (question: Question) => void,
): Promise<Subject> {
  return shrink(subject, async (candidate) => {
    const examined = await examine(candidate, [finding.question], onQuestion)
    return examined?.findings.some((f) => kindOf(f) === kindOf(finding)) ?? false
  })
}
