import type { Expression, Program, Statement } from '../../src/frontends/model/program.js'
import { type AbortCauses, TxStatus } from '../../src/machine/transactions.js'

/**
 * Transactions as hardware does them, written apart from everything in `src`: a transaction runs step by step, others
 * run in between, what it writes stays in a buffer of its own, and whoever makes a conflicting access public (a plain
 * access, or a commit) makes it abort. All interleavings, by searching the states.
 *
 * The results are compared with those of programs whose transactions run at once or abort at once.
 */

export interface Speculated {
  readonly finalStates: ReadonlySet<string>
  /** Kind and thread, and the state where nobody can go on. */
  readonly bugs: ReadonlySet<string>
  readonly states: number
}

type Instruction =
  | { readonly op: 'visible'; readonly statement: Statement; readonly never?: boolean }
  | { readonly op: 'set'; readonly into: string; readonly value: Expression }
  | { readonly op: 'assert'; readonly condition: Expression }
  | { readonly op: 'unless'; readonly condition: Expression; to: number }
  | { readonly op: 'jump'; to: number }

interface Transaction {
  readonly begin: number
  readonly registers: Readonly<Record<string, number>>
  readonly reads: readonly string[]
  readonly writes: Readonly<Record<string, number>>
  /** Places whose old value did not matter: written before they were read. */
  readonly depth: number
  readonly isDoomed: boolean
  /** It has found a mutex held: it gives up, unless a conflict makes it abort before. */
  readonly isBlocked: boolean
  readonly never: boolean
}

interface Thread {
  readonly at: number
  readonly registers: Readonly<Record<string, number>>
  readonly transaction: Transaction | null
  /** What it has read before it gave up, until some of it changes. */
  readonly waits: readonly string[] | null
}

interface State {
  readonly memory: Readonly<Record<string, number>>
  readonly threads: readonly Thread[]
}

class Bug extends Error {}

function flatten(statements: readonly Statement[], out: Instruction[]): void {
  for (const s of statements) {
    if (s.op === 'set') out.push({ op: 'set', into: s.into, value: s.value })
    else if (s.op === 'assert') out.push({ op: 'assert', condition: s.condition })
    else if (s.op === 'if') {
      const skip: Instruction = { op: 'unless', condition: s.condition, to: 0 }
      out.push(skip)
      flatten(s.then, out)
      const leave: Instruction = { op: 'jump', to: 0 }
      out.push(leave)
      skip.to = out.length
      flatten(s.else ?? [], out)
      leave.to = out.length
    } else if (s.op === 'while') {
      const begin = out.length
      const leave: Instruction = { op: 'unless', condition: s.condition, to: 0 }
      out.push(leave)
      flatten(s.body, out)
      out.push({ op: 'jump', to: begin })
      leave.to = out.length
    } else if (s.op === 'atomically') {
      const status = s.into ?? '%'
      out.push({ op: 'visible', statement: { op: 'xbegin', into: status }, never: s.else === undefined })
      const skip: Instruction = { op: 'unless', condition: ['==', status, -1], to: 0 }
      out.push(skip)
      flatten(s.body, out)
      out.push({ op: 'visible', statement: { op: 'xend' } })
      const leave: Instruction = { op: 'jump', to: 0 }
      out.push(leave)
      skip.to = out.length
      flatten(s.else ?? [], out)
      leave.to = out.length
    } else out.push({ op: 'visible', statement: s })
  }
}

function evaluate(e: Expression, registers: Readonly<Record<string, number>>): number {
  if (typeof e === 'number') return e
  if (typeof e === 'string') return registers[e] ?? 0
  const [operator, ...operands] = e
  const [x, y] = operands.map((operand) => evaluate(operand as Expression, registers))
  switch (operator) {
    case '+':
      return (x + y) | 0
    case '==':
      return x === y ? 1 : 0
    case '!=':
      return x !== y ? 1 : 0
    case '<':
      return x < y ? 1 : 0
    default:
      throw new Error(`this model does not know ${operator}`)
  }
}

export class Speculation {
  private readonly code: Instruction[][]
  private readonly names: string[]
  private readonly finalStates = new Set<string>()
  private readonly bugs = new Set<string>()
  private readonly seen = new Set<string>()

  constructor(
    private readonly program: Program,
    private readonly causes: AbortCauses,
  ) {
    this.names = Object.keys(program.threads)
    this.code = Object.values(program.threads).map((body) => {
      const out: Instruction[] = []
      flatten(body, out)
      return out
    })
  }

  /** Null when there are more states than that. */
  run(most: number): Speculated | null {
    const memory = { ...this.program.variables }
    for (const mutex of Object.keys(this.program.mutexes ?? {})) memory[mutex] = 0
    const threads: Thread[] = this.code.map(() => ({ at: 0, registers: {}, transaction: null, waits: null }))
    const first: State = { memory, threads }
    const work: State[] = []
    try {
      let state = first
      for (let t = 0; t < this.code.length; t++) state = this.settle(state, t)
      work.push(state)
    } catch (error) {
      if (!(error instanceof Bug)) throw error
      this.bugs.add(error.message)
    }
    while (work.length > 0) {
      const state = work.pop()!
      const key = JSON.stringify(state)
      if (this.seen.has(key)) continue
      this.seen.add(key)
      if (this.seen.size > most) return null
      let isStuck = true
      let isDone = true
      for (let t = 0; t < this.code.length; t++) {
        if (state.threads[t].at >= this.code[t].length) continue
        isDone = false
        for (const step of this.stepsOf(state, t)) {
          isStuck = false
          try {
            const next = step()
            if (next !== null) work.push(next)
          } catch (error) {
            if (!(error instanceof Bug)) throw error
            this.bugs.add(error.message)
          }
        }
      }
      if (isDone) this.finalStates.add(this.describe(state))
      else if (isStuck) this.bugs.add(`stuck\n${this.describe(state)}`)
    }
    return { finalStates: this.finalStates, bugs: this.bugs, states: this.seen.size }
  }

  describe({ memory, threads }: State): string {
    const variables = Object.keys(this.program.variables ?? {}).map((name) => `${name} = ${memory[name]}`)
    const registers = threads.map((thread, t) => {
      const own = Object.entries(thread.registers)
        .filter(([name, value]) => name !== '%' && value !== 0)
        .map(([name, value]) => `${name}=${value}`)
      return `${this.names[t]}: ${own.sort().join(' ')}`
    })
    return [...variables, ...registers].join('\n')
  }

  /** The ways the thread can go on: each is a step of its own. */
  private stepsOf(state: State, t: number): (() => State | null)[] {
    const thread = state.threads[t]
    const instruction = this.code[t][thread.at]
    if (instruction.op !== 'visible') throw new Error('a thread stops before visible operations only')
    const { statement } = instruction
    const { transaction } = thread
    if (thread.waits !== null) return []
    if (transaction !== null) {
      const { retry, conflict } = this.causes
      const steps: (() => State | null)[] = []
      if (retry && !transaction.never) steps.push(() => this.abort(state, t, TxStatus.retry))
      if (transaction.isDoomed) {
        // Where the program is not told of conflicts, it is told to retry; or it is tried again without its knowing.
        const status = conflict ? TxStatus.conflict | TxStatus.retry : TxStatus.retry
        const isTold = (conflict || retry) && !transaction.never
        steps.push(() => (isTold ? this.abort(state, t, status) : this.restart(state, t)))
      } else if (transaction.isBlocked) steps.push(() => this.giveUp(state, t, transaction.reads))
      else steps.push(() => this.speculate(state, t, statement))
      return steps
    }
    if (statement.op === 'xbegin') {
      const begin: Transaction = {
        begin: thread.at,
        registers: thread.registers,
        reads: [],
        writes: {},
        depth: 1,
        isDoomed: false,
        isBlocked: false,
        never: instruction.never ?? false,
      }
      const started = { ...thread, transaction: begin }
      const start = () => this.goOn(this.with(state, t, started), t, statement.into, TxStatus.started)
      if (!this.causes.retry || instruction.never) return [start]
      return [start, () => this.goOn(state, t, statement.into, TxStatus.retry)]
    }
    if (statement.op === 'lock' && ![0, t + 1].includes(state.memory[statement.mutex])) return []
    return [() => this.plain(state, t, statement)]
  }

  private with(state: State, t: number, thread: Thread): State {
    return { memory: state.memory, threads: state.threads.with(t, thread) }
  }

  /** After an operation: its result, and local code up to the next one. */
  private goOn(state: State, t: number, into: string | undefined, result: number): State {
    const thread = state.threads[t]
    const registers = into === undefined ? thread.registers : { ...thread.registers, [into]: result }
    return this.settle(this.with(state, t, { ...thread, registers, at: thread.at + 1 }), t)
  }

  private settle(state: State, t: number): State {
    const thread = state.threads[t]
    let { at, registers } = thread
    for (;;) {
      const instruction = this.code[t][at]
      if (instruction === undefined || instruction.op === 'visible') break
      if (instruction.op === 'set')
        registers = { ...registers, [instruction.into]: evaluate(instruction.value, registers) }
      if (instruction.op === 'assert' && evaluate(instruction.condition, registers) === 0)
        throw new Bug(`assertion ${this.names[t]}`)
      if (instruction.op === 'jump') at = instruction.to
      else if (instruction.op === 'unless' && evaluate(instruction.condition, registers) === 0)
        at = instruction.to
      else at++
    }
    if (at >= this.code[t].length && thread.transaction !== null)
      throw new Bug(`transaction-misuse ${this.names[t]}`)
    return this.with(state, t, { ...thread, at, registers })
  }

  private abort(state: State, t: number, status: number): State {
    const { begin, registers } = state.threads[t].transaction!
    const instruction = this.code[t][begin]
    const into =
      instruction.op === 'visible' && instruction.statement.op === 'xbegin' ? instruction.statement.into : ''
    return this.goOn(
      this.with(state, t, { at: begin, registers, transaction: null, waits: null }),
      t,
      into,
      status,
    )
  }

  private restart(state: State, t: number): State {
    const { begin, registers } = state.threads[t].transaction!
    return this.with(state, t, { at: begin, registers, transaction: null, waits: null })
  }

  /** What others have in their transactions and this touches makes those abort; what it changes lets others go on. */
  private publish(
    state: State,
    t: number,
    reads: readonly string[],
    writes: Readonly<Record<string, number>>,
  ): State {
    const threads = state.threads.map((thread, other) => {
      if (other === t) return thread
      const { transaction, waits } = thread
      if (waits?.some((place) => place in writes)) return { ...thread, waits: null }
      if (transaction === null) return thread
      const isHit =
        Object.keys(writes).some(
          (place) => transaction.reads.includes(place) || place in transaction.writes,
        ) || reads.some((place) => place in transaction.writes)
      return isHit ? { ...thread, transaction: { ...transaction, isDoomed: true } } : thread
    })
    return { memory: { ...state.memory, ...writes }, threads }
  }

  /** What an access reads and writes, given a value; null for what is no access. */
  private access(
    s: Statement,
    registers: Readonly<Record<string, number>>,
    value: (place: string) => number,
  ) {
    const of = (e: Expression) => evaluate(e, registers)
    switch (s.op) {
      case 'load':
      case 'atomicLoad':
        return { place: s.var, reads: true, into: s.into, result: value(s.var), write: null }
      case 'store':
      case 'atomicStore':
        return { place: s.var, reads: false, into: undefined, result: 0, write: of(s.value) }
      case 'fetchAdd':
        return {
          place: s.var,
          reads: true,
          into: s.into,
          result: value(s.var),
          write: (value(s.var) + of(s.value)) | 0,
        }
      case 'exchange':
        return { place: s.var, reads: true, into: s.into, result: value(s.var), write: of(s.value) }
      case 'compareExchange': {
        const old = value(s.var)
        return {
          place: s.var,
          reads: true,
          into: s.into,
          result: old,
          write: old === of(s.expected) ? of(s.desired) : old,
        }
      }
      default:
        return null
    }
  }

  private plain(state: State, t: number, s: Statement): State {
    const { registers } = state.threads[t]
    const access = this.access(s, registers, (place) => state.memory[place])
    if (access !== null) {
      const writes = access.write === null ? {} : { [access.place]: access.write }
      const next = this.publish(state, t, access.reads ? [access.place] : [], writes)
      return this.goOn(next, t, access.into, access.result)
    }
    switch (s.op) {
      case 'lock':
        if (state.memory[s.mutex] === t + 1) throw new Bug(`lock-misuse ${this.names[t]}`)
        return this.goOn(this.publish(state, t, [], { [s.mutex]: t + 1 }), t, undefined, 0)
      case 'unlock':
        if (state.memory[s.mutex] !== t + 1) throw new Bug(`lock-misuse ${this.names[t]}`)
        return this.goOn(this.publish(state, t, [], { [s.mutex]: 0 }), t, undefined, 0)
      case 'xend':
        throw new Bug(`transaction-misuse ${this.names[t]}`)
      case 'xtest':
        return this.goOn(state, t, s.into, 0)
      default:
        return this.goOn(state, t, undefined, 0)
    }
  }

  private speculate(state: State, t: number, s: Statement): State {
    const thread = state.threads[t]
    const transaction = thread.transaction!
    const { reads, writes } = transaction
    const touched = new Set([...reads, ...Object.keys(writes)])
    if (!transaction.never && touched.size > this.causes.capacity)
      return this.abort(state, t, TxStatus.capacity)
    const value = (place: string) => writes[place] ?? state.memory[place]
    const become = (change: Partial<Transaction>, into?: string, result = 0) =>
      this.goOn(
        this.with(state, t, { ...thread, transaction: { ...transaction, ...change } }),
        t,
        into,
        result,
      )
    const reading = (place: string) => (place in writes || reads.includes(place) ? reads : [...reads, place])
    const access = this.access(s, thread.registers, value)
    if (access !== null) {
      const change = {
        reads: access.reads ? reading(access.place) : reads,
        writes: access.write === null ? writes : { ...writes, [access.place]: access.write },
      }
      return become(change, access.into, access.result)
    }
    switch (s.op) {
      case 'lock':
        if (value(s.mutex) === t + 1) throw new Bug(`lock-misuse ${this.names[t]}`)
        if (value(s.mutex) !== 0) {
          const blocked = { ...transaction, reads: reading(s.mutex), isBlocked: true }
          return this.with(state, t, { ...thread, transaction: blocked })
        }
        return become({ reads: reading(s.mutex), writes: { ...writes, [s.mutex]: t + 1 } })
      case 'unlock':
        if (value(s.mutex) !== t + 1) throw new Bug(`lock-misuse ${this.names[t]}`)
        if (state.memory[s.mutex] === t + 1) throw new Bug(`transaction-misuse ${this.names[t]}`)
        return become({ writes: { ...writes, [s.mutex]: 0 } })
      case 'xbegin':
        if (!transaction.never && transaction.depth + 1 > this.causes.nested)
          return this.abort(state, t, TxStatus.nested)
        return become({ depth: transaction.depth + 1 }, s.into, TxStatus.started)
      case 'xend': {
        if (transaction.depth > 1) return become({ depth: transaction.depth - 1 })
        const isTaken = ([place, v]: [string, number]) => place in (this.program.mutexes ?? {}) && v === t + 1
        if (Object.entries(writes).some(isTaken)) throw new Bug(`transaction-misuse ${this.names[t]}`)
        const next = this.publish(state, t, reads, writes)
        return this.goOn(this.with(next, t, { ...thread, transaction: null }), t, undefined, 0)
      }
      case 'xabort': {
        if (!transaction.never)
          return this.abort(state, t, TxStatus.explicit | (evaluate(s.code ?? 0, thread.registers) << 24))
        return this.giveUp(state, t, reads)
      }
      case 'xtest':
        return become({}, s.into, 1)
      case 'fence':
        return become({})
      default:
        return this.giveUp(state, t, reads)
    }
  }

  /** Not possible as it is: aborts, or waits until something it has read changes. */
  private giveUp(state: State, t: number, reads: readonly string[]): State {
    const { begin, registers, never } = state.threads[t].transaction!
    if (!never) return this.abort(state, t, TxStatus.capacity)
    return this.with(state, t, { at: begin, registers, transaction: null, waits: [...reads] })
  }
}
