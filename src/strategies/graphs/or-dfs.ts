import { type ChoicePoint, PASS, type Saved, type Script, type Strategy } from '../../execution/strategy.js'
import type { Status, Trace } from '../../execution/trace.js'
import { depthFirst, loadDepthFirst } from '../depth-first.js'
import { type StrategyContext, StrategyError, UnsuitableError } from '../registry.js'
import { graphs, loadGraphs } from './graphs.js'

/**
 * `graphs`, and from when the program does something that `graphs` knows nothing of, every execution from the beginning: by
 * calls in its source alone that cannot always be told.
 */
class GraphsOrDfs implements Strategy {
  readonly name = 'graphs:or-dfs'
  readonly footprints = false
  restarts = 0

  constructor(
    private readonly context: StrategyContext,
    private strategy: Strategy,
    private isDfs: boolean,
  ) {}

  get inner(): Strategy {
    return this.strategy
  }

  get script(): Script {
    return this.strategy.script
  }

  begin(): boolean {
    return this.strategy.begin()
  }

  nominate(point: ChoicePoint): number {
    return this.unlessUnsuitable(() => this.strategy.nominate?.(point) ?? PASS)
  }

  choose(point: ChoicePoint): number {
    return this.unlessUnsuitable(() => this.strategy.choose(point))
  }

  end(trace: Trace, status: Status): void {
    this.unlessUnsuitable(() => {
      this.strategy.end(trace, status)
      return 0
    })
  }

  /** What that returns; -1, which gives the execution up, from when the program turns out to be no such. */
  private unlessUnsuitable(act: () => number): number {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof UnsuitableError)) throw error
      this.strategy = depthFirst(this.context)
      this.isDfs = true
      this.restarts++
      return -1
    }
  }

  save(): Saved {
    return { ...this.strategy.save(), isDfs: this.isDfs }
  }
}

const orDfs = 'or-dfs'

export function graphsByArgument(context: StrategyContext): Strategy {
  if (context.argument === '') return graphs(context)
  checkArgument(context)
  return new GraphsOrDfs(context, graphs(context), false)
}

export function loadGraphsByArgument(context: StrategyContext, saved: Saved): Strategy {
  if (context.argument === '') return loadGraphs(context, saved)
  checkArgument(context)
  const isDfs = saved.isDfs === true
  const inner = isDfs ? loadDepthFirst(context, saved) : loadGraphs(context, saved)
  return new GraphsOrDfs(context, inner, isDfs)
}

function checkArgument({ argument }: StrategyContext): void {
  if (argument !== orDfs) throw new StrategyError(`graphs takes no argument or ${orDfs}, not "${argument}"`)
}
