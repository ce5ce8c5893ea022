import type { Expression } from '../symbolic/expressions.js'
import type { Decision, Input, InputControl, InputPart, PathTaken } from '../symbolic/input-control.js'
import { Operator } from '../symbolic/operator.js'
import type { Solver } from '../symbolic/solver.js'
import { Variables } from '../symbolic/variables.js'

/** Values that one place is tried with after the same decisions, where a value has to be a number. */
const MOST_VALUES = 16

/** What the input decides after some decisions; schedules may differ in what is asked next. */
interface PathNode {
  readonly children: Map<Expression, PathNode>
  /** By question: the answers that were seen. */
  readonly answers: Map<string, Expression[]>
}

/** An input that should take a path that none has taken yet. */
export interface Proposal {
  readonly input: Input
  /** It turns at a branch of which not all ways have been seen. */
  readonly isNew: boolean
  /** Whether executions have shown what the input was made for. */
  hasShown(): boolean
}

/** How far inputs have been explored, and what was left out. */
export interface PathCounts {
  /** Different sequences of decisions. */
  paths: number
  queries: number
  /** The solver gave up. */
  unknown: number
  /** Places where a value was made a number, and not all were tried. */
  cutValues: number
  /** Paths whose decisions were made by threads that did not know of each other's. */
  unordered: number
  /** Paths on which a thread waited in a loop. */
  spun: number
  /** Ways to go on at branches on the input: those that were taken, and all that there are. */
  waysTaken: number
  ways: number
}

/**
 * All decisions that executions have shown, as a tree; and inputs for what none has shown yet (generational search: Godefroid,
 * Levin and Molnar, "Automated Whitebox Fuzz Testing", NDSS 2008). After the same decisions, all ways to go on are tried.
 */
export class PathTree {
  readonly counts: PathCounts = {
    paths: 0,
    queries: 0,
    unknown: 0,
    cutValues: 0,
    unordered: 0,
    spun: 0,
    waysTaken: 0,
    ways: 0,
  }
  private readonly root: PathNode = newNode()
  private readonly variables: Variables
  private readonly leaves = new Set<PathNode>()
  /** By place: the ways that were taken. */
  private readonly branches = new Map<number, Set<number>>()

  constructor(
    private readonly control: InputControl,
    private readonly solver: Solver,
    /** Asked now and then: true leaves the rest out. */
    private readonly isOver: () => boolean,
  ) {
    this.variables = new Variables(control.expressions)
  }

  /** Takes in what an execution with this input decided; returns inputs that would decide otherwise. */
  take({ decisions, isOrdered, hasSpun }: PathTaken, input: Input): Proposal[] {
    const { counts } = this
    if (!isOrdered) counts.unordered++
    if (hasSpun) counts.spun++
    const proposals: Proposal[] = []
    const before: Expression[] = []
    let node = this.root
    for (const decision of decisions) {
      const { condition, question, kind } = decision
      if (this.isOver()) {
        counts.unknown++
        return proposals
      }
      let child = node.children.get(condition)
      if (child === undefined) {
        child = newNode()
        node.children.set(condition, child)
        this.note(decision)
        const answers = node.answers.get(question) ?? []
        node.answers.set(question, answers)
        answers.push(condition)
        if (kind === 'value' && answers.length >= MOST_VALUES) counts.cutValues++
        else proposals.push(...this.propose(answers, before, input, decision))
      }
      before.push(condition)
      node = child
    }
    if (!this.leaves.has(node)) {
      this.leaves.add(node)
      counts.paths++
    }
    return proposals
  }

  /**
   * Symbolic output comparison (Kasikci, Zamfir and Candea, "Automated Classification of Data Races Under Both Strong and Weak
   * Memory Models", TOPLAS 2015, §4.3.1): an input that takes either path, depending on the
   * schedule, and for which they print different things although they did not for this one.
   */
  differ(a: PathTaken, b: PathTaken, input: Input): Input | undefined {
    const { control, counts } = this
    const { expressions } = control
    if (a.output.length !== b.output.length) return undefined
    let differs = expressions.no
    a.output.forEach((byte, i) => {
      if (byte === b.output[i]) return
      const isOther = expressions.not(expressions.equal(byte, b.output[i]))
      differs = expressions.binary(Operator.or, differs, isOther)
    })
    if (expressions.isConstant(differs)) return undefined
    const before = [...a.decisions, ...b.decisions].map(({ condition }) => condition)
    const { conditions, variables } = this.variables.related([differs], [...control.preconditions, ...before])
    counts.queries++
    const answer = this.solver.solve(conditions)
    if (answer.kind === 'unknown') counts.unknown++
    if (answer.kind !== 'satisfiable') return undefined
    return changed(control.parts, input, variables, answer.assignment)
  }

  private note({ place, way, ways }: Decision): void {
    if (ways === 0) return
    const { branches, counts } = this
    let taken = branches.get(place)
    if (taken === undefined) {
      taken = new Set()
      branches.set(place, taken)
      counts.ways += ways
    }
    if (taken.has(way)) return
    taken.add(way)
    counts.waysTaken++
  }

  /** An input that decides the same before, and answers otherwise than all so far. */
  private propose(
    answers: readonly Expression[],
    before: readonly Expression[],
    input: Input,
    { place, ways }: Decision,
  ): Proposal[] {
    const { control, counts } = this
    const { expressions } = control
    const wanted = answers.map((condition) => expressions.not(condition))
    if (wanted.some((condition) => answers.includes(condition))) return []
    const { conditions, variables } = this.variables.related(wanted, [...control.preconditions, ...before])
    counts.queries++
    const answer = this.solver.solve(conditions)
    if (answer.kind === 'unknown') counts.unknown++
    if (answer.kind !== 'satisfiable') return []
    const known = answers.length
    const isNew = (this.branches.get(place)?.size ?? 0) < ways
    return [
      {
        input: changed(control.parts, input, variables, answer.assignment),
        isNew,
        hasShown: () => answers.length > known,
      },
    ]
  }
}

function newNode(): PathNode {
  return { children: new Map(), answers: new Map() }
}

/** The same input, with other values of some variables. */
function changed(
  parts: ReadonlyMap<string, InputPart>,
  input: Input,
  variables: ReadonlySet<number>,
  values: readonly bigint[],
): Input {
  const result = new Map<string, Uint8Array>()
  for (const { name, variable, initial } of parts.values()) {
    const bytes = (input.get(name) ?? initial).slice()
    for (let i = 0; i < bytes.length; i++) {
      if (variables.has(variable + i)) bytes[i] = Number(values[variable + i] ?? 0n)
    }
    result.set(name, bytes)
  }
  return result
}
