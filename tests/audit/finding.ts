import type { Question } from './question.js'

/** What a strategy got wrong, by kind. */
export type Fault =
  | 'final states lost'
  | 'bugs lost'
  | 'classes lost'
  /** A state, bug or class that does not exist, or is beyond the bound. */
  | 'invented'
  | 'not at its smallest bound'
  /** It says more, or less, than is so. */
  | 'wrong claim'
  | 'does not end'
  | 'throws'
  | 'explored twice'
  | 'blocked'

export interface Finding {
  readonly question: Question
  readonly fault: Fault
  readonly text: string
}

/** Gathers what is wrong with the answer to one question. */
export class Findings {
  readonly list: Finding[] = []

  constructor(private readonly question: Question) {}

  add(fault: Fault, text: string): void {
    this.list.push({ question: this.question, fault, text })
  }

  /** One fault if anything expected is not there. */
  missing(
    fault: Fault,
    expected: Iterable<string>,
    found: { has(key: string): boolean },
    what: string,
  ): void {
    const lost = [...expected].filter((key) => !found.has(key))
    if (lost.length > 0) this.add(fault, `${lost.length} ${what}, for example ${lost[0]}`)
  }
}
