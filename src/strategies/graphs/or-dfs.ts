import {
  type ChoicePoint,
  emptyScript,
  PASS,
  type Saved,
  type Script,
  type Strategy,
} from '../../execution/strategy.js'
import type { Status, Trace } from '../../execution/trace.js'
import { memoryModelOf } from '../memory-models.js'
import { type StrategyContext, StrategyError, UnsuitableError } from '../registry.js'
import { graphs, loadGraphs } from './graphs.js'
import { loadPrefixes, prefixes } from './prefixes.js'

/**
 * `graphs`, and from when the program does something that `graphs` knows nothing of, every execution from the beginning: by
 * calls in its source alone that cannot always be told.
 */
class GraphsOrDfs implements Strategy {
  readonly name = 'graphs:or-dfs'
  restarts = 0

  constructor(
    private readonly context: StrategyContext,
    private strategy: Strategy,
    private isDfs: boolean,
  ) {}

  get inner(): Strategy {
    return this.strategy
  }

  get footprints(): boolean {
    return this.strategy.footprints
  }

  get rerun(): boolean {
    return this.strategy.rerun ?? false
  }

  get script(): Script {
    return this.strategy.script
  }

  get expected(): Script {
    return this.strategy.expected ?? emptyScript
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
      this.strategy = prefixes(this.context)
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
const byPrefixes = 'prefixes'

/** Under sequential consistency `optimal` explores each graph once, whatever the program does. */
const isByPrefixes = ({ argument, machine }: StrategyContext) =>
  argument === byPrefixes && memoryModelOf(machine) !== 'sc'

export function graphsByArgument(context: StrategyContext): Strategy {
  if (context.argument === '') return graphs(context)
  if (isByPrefixes(context)) return prefixes(context)
  checkArgument(context)
  return new GraphsOrDfs(context, graphs(context), false)
}

export function loadGraphsByArgument(context: StrategyContext, saved: Saved): Strategy {
  if (context.argument === '') return loadGraphs(context, saved)
  if (isByPrefixes(context)) return loadPrefixes(context, saved)
  checkArgument(context)
  const isDfs = saved.isDfs === true
  const inner = isDfs ? loadPrefixes(context, saved) : loadGraphs(context, saved)
  return new GraphsOrDfs(context, inner, isDfs)
}

function checkArgument({ argument }: StrategyContext): void {
  if (argument !== orDfs && argument !== byPrefixes)
    throw new StrategyError(`graphs takes no argument, ${orDfs} or ${byPrefixes}, not "${argument}"`)
}
