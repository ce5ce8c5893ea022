import { DivergenceError, OverdueError, Runner } from '../../execution/runner.js'
import { Budget } from '../../runs/budget.js'
import { ranIn } from '../../runs/counters.js'
import type { Run } from '../../runs/run.js'
import { freshSearch } from '../../runs/search-state.js'
import type { Sketch, SketchedExecution } from '../report.js'

/** More executions make no picture that says more. */
const mostExecutions = 120
const mostSteps = 400
const seconds = 0.5

/**
 * The first executions of a run's first search as a tree: each from where it leaves an earlier one. They are run again,
 * which gives the same ones, since a search is determined by its settings; null where that cannot be done.
 */
export function sketchOf(run: Run): Sketch | null {
  const { stages, deepening, settings, maxSteps } = run
  const search = stages.at(0) ?? deepening?.board.jobs.find(({ counters }) => counters.steps > 0)
  const { program, order, bound, seed, options = {} } = settings
  const { machine } = program
  // Options of strategies may name files that are loaded elsewhere.
  if (search === undefined || search.platform || Object.keys(options).length > 0) return null
  // A search that deepening has taken over has handed in its counters.
  const ran = ranIn(search.counters) || ranIn(run.counters)
  const { points, strategy: name } = search
  const plan = { points, strategy: name, order, bound, seed, maxSteps, keepGoing: true, selfCheck: 0 }
  const patience = new Budget(seconds)
  const before = machine.points
  try {
    const { strategy } = freshSearch(machine, plan)
    const isOverdue = () => patience.isSpent
    const runner = new Runner(machine, { isOverdue, ...(maxSteps === undefined ? {} : { maxSteps }) })
    const tree = new Tree()
    while (tree.executions.length < Math.min(mostExecutions, ran) && !patience.isSpent) {
      if (!runner.run(strategy)) break
      if (!strategy.rerun) tree.add(runner)
    }
    const { executions, threads } = tree
    return {
      strategy: name,
      threads: threads.map((thread) => machine.threads.labelOf(thread)),
      executions,
      isWhole: search.status === 'complete' && executions.length === ran,
    }
  } catch (error) {
    if (error instanceof OverdueError || error instanceof DivergenceError) return null
    throw error
  } finally {
    machine.usePoints(before)
  }
}

/** Executions, each beside the earlier one that it is like for longest. */
class Tree {
  readonly executions: SketchedExecution[] = []
  /** Threads in the order of their first step. */
  readonly threads: number[] = []
  private readonly paths: { thread: Int32Array; value: Int32Array }[] = []

  add({ trace, status, bug, isCutForNow, machine }: Runner): void {
    const length = Math.min(trace.length, mostSteps)
    const path = { thread: trace.thread.slice(0, length), value: trace.value.slice(0, length) }
    let parent = -1
    let common = 0
    this.paths.forEach((other, i) => {
      let at = 0
      while (at < length && path.thread[at] === other.thread[at] && path.value[at] === other.value[at]) at++
      if (at >= common) [parent, common] = [i, at]
    })
    this.paths.push(path)
    const turns: [number, number][] = []
    for (let i = common; i < length; i++) {
      const thread = this.indexOf(path.thread[i])
      const last = turns.at(-1)
      if (last?.[0] === thread) last[1]++
      else turns.push([thread, 1])
    }
    const end =
      bug !== null
        ? 'failed'
        : status === 'blocked' || isCutForNow
          ? 'redundant'
          : status === 'cut'
            ? 'cut'
            : machine.assumptionFailed
              ? 'stopped'
              : 'passed'
    this.executions.push({ parent, common, turns, steps: trace.length, end })
  }

  private indexOf(thread: number): number {
    const known = this.threads.indexOf(thread)
    return known >= 0 ? known : this.threads.push(thread) - 1
  }
}
