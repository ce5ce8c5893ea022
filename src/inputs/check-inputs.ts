import type { LoadedProgram } from '../frontends/front-end.js'
import { frontEndFor } from '../frontends/registry.js'
import { withInputs } from '../frontends/symbolic-program.js'
import { type RunReportOptions, reportRun } from '../reports/build/run.js'
import type { Report } from '../reports/report.js'
import { Budget } from '../runs/budget.js'
import { addCounters, type Counters, noCounters, ranIn } from '../runs/counters.js'
import { evidenceOf } from '../runs/evidence.js'
import { ignoredCaveats } from '../runs/ignored.js'
import type { RunSettings } from '../runs/plan.js'
import { Run, type RunControl } from '../runs/run.js'
import type { StopReason } from '../runs/search.js'
import { type Judgement, judge, weaken } from '../runs/verdict.js'
import { CadicalSolver } from '../symbolic/cadical-solver.js'
import type { Input, InputControl } from '../symbolic/input-control.js'
import { PathTree, type Proposal } from './path-tree.js'
import type { InputProgress } from './progress.js'
import { judgeInputs, statisticsText } from './verdict.js'
import { describedPart, writtenInput } from './written-input.js'

export interface InputCheckOptions extends RunSettings, RunReportOptions, RunControl {
  readonly budget: Budget
  /** Called now and then. */
  readonly onInputs?: ((progress: InputProgress) => void) | undefined
}

/** Seconds for the schedules of one input before others have their turn; twice as many the next time. */
const FIRST_SLICE = 1

/** An input, and how far its schedules are explored. */
interface Candidate {
  readonly input: Input
  readonly proposal: Proposal | undefined
  counters: Counters
  judgement: Judgement | undefined
}

/**
 * Explores inputs and schedules: of each input all schedules as `check` would, by interpreting the program; what the input
 * decided on the way leads to further inputs. A bug is shown again by the compiled program, with its input given.
 */
export async function checkInputs(options: InputCheckOptions, inputs: InputControl): Promise<Report> {
  const search = new InputSearch(options, inputs)
  try {
    return await search.run()
  } finally {
    search.dispose()
  }
}

class InputSearch {
  private tree!: PathTree
  private solver!: CadicalSolver
  private readonly done: Candidate[] = []
  private open: Candidate[] = []
  private last: { run: Run; stopped: StopReason } | undefined
  /** Executions of inputs that are not being explored now. */
  private executions = 0
  private explored = 0
  private solverSeconds = 0

  constructor(
    private readonly options: InputCheckOptions,
    private readonly inputs: InputControl,
  ) {}

  dispose(): void {
    this.solver?.dispose()
  }

  async run(): Promise<Report> {
    const { budget } = this.options
    const isOutOfTime = () => {
      this.tell(0)
      return budget.isSpent
    }
    this.solver = await CadicalSolver.create(this.inputs.expressions, { isOver: isOutOfTime })
    this.tree = new PathTree(this.inputs, this.solver, isOutOfTime)
    this.open = [newCandidate(new Map(), undefined)]
    for (let slice = FIRST_SLICE; this.open.length > 0; slice *= 2) {
      // Those that come up meanwhile have their turn in the same round.
      const later: Candidate[] = []
      for (let next = this.open.shift(); next; next = this.open.shift()) {
        const stopped = await this.explore(next, slice)
        if (stopped === 'patience') later.push(next)
        else this.done.push(next)
        if (this.last!.run.bugs.length > 0) return this.bugReport(next)
        if (isOver(stopped)) return this.passReport(stopped, [...this.open, ...later])
      }
      this.open = later
    }
    return this.passReport('exhausted', [])
  }

  /** The schedules of one input, for a while: why it stopped, `patience` if only the slice was over. */
  private async explore(candidate: Candidate, slice: number): Promise<StopReason> {
    const { options, inputs } = this
    const { budget } = options
    inputs.use(candidate.input)
    inputs.takePaths()
    const isLast = budget.remainingSeconds <= slice
    const own = new Budget(Math.min(slice, budget.remainingSeconds))
    const run = new Run(options, {
      ...options,
      workers: 1,
      spawn: undefined,
      budget: own,
      onSave: undefined,
      onProgress: ({ counters }) => this.tell(ranIn(counters)),
    })
    const stopped = await run.run()
    this.last = { run, stopped }
    if (candidate.judgement === undefined) this.explored++
    this.executions += ranIn(run.counters)
    candidate.counters = run.counters
    candidate.judgement = judge(evidenceOf(run, stopped))
    const before = budget.elapsedSeconds
    const proposals: Proposal[] = []
    for (const path of inputs.takePaths()) {
      // What is asked when time is over is not answered, and that is counted.
      proposals.push(...this.tree.take(path, candidate.input))
    }
    this.solverSeconds += budget.elapsedSeconds - before
    // New branches first.
    for (const proposal of proposals) {
      const found = newCandidate(proposal.input, proposal)
      if (proposal.isNew) this.open.unshift(found)
      else this.open.push(found)
    }
    return stopped === 'budget' && !isLast ? 'patience' : stopped
  }

  private tell(executions: number): void {
    const { options, open, explored, solverSeconds, tree } = this
    options.onInputs?.({
      seconds: options.budget.elapsedSeconds,
      executions: this.executions + executions,
      inputs: explored,
      waiting: open.length,
      counts: tree.counts,
      solverSeconds,
    })
  }

  /** The bug once more, with the program compiled and its input given. */
  private async bugReport({ input }: Candidate): Promise<Report> {
    const { options, inputs } = this
    const { run, stopped } = this.last!
    const recipe = withInputs(options.recipe, writtenInput(inputs, input))
    const program = await frontEndFor(recipe.files).load(recipe, options.directory)
    rebase(run, program)
    const report = reportRun(run, stopped, { ...options, as: { program, recipe } })
    return this.withTotals(report)
  }

  private passReport(stopped: StopReason, left: readonly Candidate[]): Report {
    const { run, stopped: lastStopped } = this.last!
    const report = reportRun(run, lastStopped, this.options)
    const judgement = judgeInputs({
      stopped,
      judgements: this.done.map((candidate) => candidate.judgement!),
      left: left.length,
      counts: this.tree.counts,
      missed: this.done.filter(({ proposal }) => proposal && !proposal.hasShown()).length,
      names: [...this.inputs.parts.values()].map(describedPart),
    })
    const { incomplete: _, ...rest } = report
    const { counters } = this.total
    const caveats = [...(this.options.program.caveats ?? []), ...ignoredCaveats(counters.ignored)]
    return this.withTotals({ ...rest, ...judgement, ...weaken(judgement, caveats) })
  }

  /** Of all inputs so far. */
  private get total(): { readonly counters: Counters; readonly explored: number } {
    const candidates = [...this.done, ...this.open]
    return {
      counters: candidates.reduce((sum, { counters }) => addCounters(sum, counters), noCounters),
      explored: candidates.filter(({ counters }) => counters.executions > 0).length,
    }
  }

  private withTotals(report: Report): Report {
    const { counts } = this.tree
    const { counters, explored } = this.total
    const seconds = this.options.budget.elapsedSeconds
    return {
      ...report,
      executions: Math.max(counters.executions, report.executions),
      seconds,
      statistics: {
        ...report.statistics,
        inputs: {
          inputs: explored,
          ...counts,
          solverSeconds: this.solverSeconds,
          text: statisticsText(explored, counts, this.solverSeconds),
        },
      },
    }
  }
}

function newCandidate(input: Input, proposal: Proposal | undefined): Candidate {
  return { input, proposal, counters: noCounters, judgement: undefined }
}

function isOver(stopped: StopReason): boolean {
  return stopped === 'budget' || stopped === 'interrupted' || stopped === 'memory'
}

/** Schedules name the program that they were recorded on: here it is the same with its input given. */
function rebase(run: Run, { machine }: LoadedProgram): void {
  run.bugs.forEach((bug, i) => {
    const schedule = { ...bug.found.schedule, hash: machine.hash }
    run.bugs[i] = { ...bug, found: { ...bug.found, schedule } }
  })
}
