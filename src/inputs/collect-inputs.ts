import { explore } from '../execution/explore.js'
import type { Machine } from '../machine/machine.js'
import { createStrategy } from '../strategies/index.js'
import { CadicalSolver } from '../symbolic/cadical-solver.js'
import type { Input, InputControl, PathTaken } from '../symbolic/input-control.js'
import { type PathCounts, PathTree } from './path-tree.js'

export interface CollectOptions {
  /** Inputs to collect at most. */
  readonly most: number
  /** Executions per input, in which what it decides is looked at. */
  readonly executions: number
  readonly isOver: () => boolean
}

export interface Collected {
  /** The one the program has by itself comes first. */
  readonly inputs: readonly Input[]
  readonly counts: PathCounts
  /** There are more that decide otherwise, or there may be. */
  readonly hasMore: boolean
}

/** Outputs of one input that are compared with each other. */
const MOST_OUTPUTS = 8

/** Inputs that decide differently, or for which what is printed differs between schedules: those worth a closer look. */
export async function collectInputs(
  machine: Machine,
  control: InputControl,
  { most, executions, isOver }: CollectOptions,
): Promise<Collected> {
  const solver = await CadicalSolver.create(control.expressions, { isOver })
  try {
    const tree = new PathTree(control, solver, isOver)
    const inputs: Input[] = []
    let open: Input[] = [new Map()]
    for (let input = open.shift(); input && inputs.length < most && !isOver(); input = open.shift()) {
      inputs.push(input)
      control.use(input)
      control.takePaths()
      const strategy = createStrategy('optimal', { machine })
      explore({ machine, strategy, maxExecutions: executions, keepGoing: true, outOfTime: isOver })
      const paths = control.takePaths()
      const proposals = paths.flatMap((path) => tree.take(path, input!))
      const isOther = differences(tree, paths, input)
      const fresh = proposals.filter(({ isNew }) => isNew).map((proposal) => proposal.input)
      const rest = proposals.filter(({ isNew }) => !isNew).map((proposal) => proposal.input)
      open = [...isOther, ...fresh, ...open, ...rest]
    }
    const { unknown, cutValues } = tree.counts
    return { inputs, counts: tree.counts, hasMore: open.length + unknown + cutValues > 0 || isOver() }
  } finally {
    solver.dispose()
  }
}

/** Inputs for which two of the executions print different things. */
function differences(tree: PathTree, paths: readonly PathTaken[], input: Input): Input[] {
  const outputs = new Map(paths.map((path) => [path.output.join(' '), path]))
  const [first, ...others] = [...outputs.values()].slice(0, MOST_OUTPUTS)
  return others.flatMap((other) => tree.differ(first, other, input) ?? [])
}
