import type { Machine } from '../../machine/machine.js'
import type { GraphSource } from '../../memory/graph-source.js'
import { type GraphSoFar, type Shown, valueLeft } from './graph-so-far.js'
import type { NewSteps } from './new-steps.js'
import { initial, type Step } from './step.js'

/** Tells whether the memory model allows a graph in which a read of memory sees a new write. */
export class AllowedRevisits {
  private lengths = new Int32Array(16)

  constructor(
    private readonly machine: Machine,
    private readonly source: GraphSource,
    private readonly graph: GraphSoFar,
    private readonly make: NewSteps,
  ) {}

  allows(added: Step, { read, isKept, order, at }: Shown): boolean {
    const { graph } = this
    const { count } = this.machine.threads
    if (count > this.lengths.length) this.lengths = new Int32Array(2 * count)
    const { lengths } = this
    const access = added.access!
    lengths.fill(1)
    for (const step of graph.steps) if (isKept(step)) lengths[step.thread] = step.end
    const after = this.make.eventOf(at === 0 ? initial : order[at - 1], access.location)
    return this.source.memory!.allowsRevisit(
      lengths,
      { thread: added.thread, access, after, written: valueLeft(added) },
      { thread: read.thread, access: read.access!, event: read.event },
    )
  }
}
