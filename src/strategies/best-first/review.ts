import type { Trace } from '../../execution/trace.js'
import type { Machine } from '../../machine/machine.js'
import { type Branch, Need, type PriorityFunction } from './branch.js'
import type { Choices } from './choices.js'
import { keyOf } from './priorities.js'

/** The one branch that priority functions are shown, again and again. */
export class BranchUnderReview implements Branch {
  trace!: Trace
  step = 0
  option = 0
  thread = 0
  value = 0
  previous = -1
  preempts = false
  preemptions = 0
  need: number = Need.none
  asleep = false
  tag = 0
  previousTag = 0

  constructor(
    readonly machine: Machine,
    private readonly choices: Choices,
    private readonly functions: readonly PriorityFunction[],
  ) {}

  /** What the functions say, in one number, of leaving the execution that has just ended by that option. */
  keyOf(d: number, option: number, asleep: boolean): number {
    const { choices } = this
    this.step = d
    this.option = option
    this.thread = choices.optionThread[option]
    this.value = choices.optionValue[option]
    this.previous = choices.previous[d]
    this.preempts = choices.cost(d, option) === 1
    this.preemptions = choices.preemptions[d] + choices.cost(d, option)
    this.need = choices.need[option]
    this.asleep = asleep
    return keyOf(this.functions, this, this.pickTags)
  }

  /** Shows the tags of that priority function. */
  private readonly pickTags = (f: number): void => {
    const tags = this.choices.tags[f]
    this.tag = tags === null ? 0 : tags[this.option]
    this.previousTag = tags === null ? 0 : this.choices.previousTags[f]![this.step]
  }
}
