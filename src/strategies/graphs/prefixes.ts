import type { ChoicePoint, Saved, Script, Strategy } from '../../execution/strategy.js'
import type { Status, Trace } from '../../execution/trace.js'
import { graphSource } from '../../memory/graph-source.js'
import { depthFirst, loadDepthFirst } from '../depth-first.js'
import { type StrategyContext, StrategyError } from '../registry.js'
import { ReachedStates } from './reached-states.js'

/**
 * Depth first, each beginning of an execution graph once: an execution that comes to a state that another one has come to
 * is given up there. Unlike `Graphs` it keeps all of these in memory and runs an execution for each way to come to one, but
 * it needs to know nothing of what an operation does, so any program will do.
 */
class Prefixes implements Strategy {
  readonly name = 'graphs:prefixes'
  readonly footprints = true
  /** The execution that has just ended is one that was seen before, but for the order of what is independent. */
  rerun = false
  private readonly reached: ReachedStates

  constructor(
    context: StrategyContext,
    readonly inner: Strategy,
  ) {
    const source = graphSource(context.machine)
    if (source === undefined)
      throw new StrategyError('graphs: these programs have no execution graph; use dfs')
    this.reached = new ReachedStates(context.machine, source)
  }

  get script(): Script {
    return this.inner.script
  }

  begin(): boolean {
    this.rerun = false
    this.reached.begin()
    return this.inner.begin()
  }

  choose(point: ChoicePoint): number {
    return this.reached.isNew(point.trace) ? this.inner.choose(point) : -1
  }

  end(trace: Trace, status: Status): void {
    this.inner.end(trace, status)
    if (status === 'completed' || status === 'stuck') this.rerun = !this.reached.isNew(trace)
  }

  untried(depth: number): number {
    return this.inner.untried!(depth)
  }

  /** What was reached is not saved: a search that is read back may come to it again. */
  save(): Saved {
    return this.inner.save()
  }
}

export function prefixes(context: StrategyContext): Strategy {
  return new Prefixes(context, depthFirst(context))
}

export function loadPrefixes(context: StrategyContext, saved: Saved): Strategy {
  return new Prefixes(context, loadDepthFirst(context, saved))
}
