import type { Trace } from '../../execution/trace.js'
import type { StrategyContext } from '../registry.js'
import { type Branch, Need } from './branch.js'
import type { Choices } from './choices.js'

/** The one branch that priority functions are shown, again and again. */
export class BranchUnderReview implements Branch {
  readonly machine
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

  constructor({ machine }: StrategyContext) {
    this.machine = machine
  }

  /** Shows the tags of that priority function. */
  pick(choices: Choices, f: number): void {
    const tags = choices.tags[f]
    this.tag = tags === null ? 0 : tags[this.option]
    this.previousTag = tags === null ? 0 : choices.previousTags[f]![this.step]
  }
}
