import type { Expression } from '../../../symbolic/expressions.js'
import { Expressions } from '../../../symbolic/expressions.js'
import type { Decision, DecisionKind, PathTaken } from '../../../symbolic/input-control.js'
import { Operator } from '../../../symbolic/operator.js'
import type { FollowedProgram } from '../program-engine.js'
import { ShadowMemory } from './shadow-memory.js'

/** Where calls of the host are, as a place in the code. */
const HOST = -1

const nobody: FollowedProgram = { running: () => 0, objectAt: () => undefined, isLog: () => false }

/** What the interpreter tells of an execution: how values depend on the input, and what was decided by it. */
export class Path {
  readonly shadow: ShadowMemory
  witness: FollowedProgram = nobody
  private decisions: Decision[] = []
  /** Conditions that were decided in this execution already, by thread. */
  private readonly decided = new Set<string>()
  /** By thread: of how many decisions it knows, as far as threads that were created or joined tell. */
  private known: number[] = []
  private isOrdered = true
  private hasSpun = false
  private output: Expression[] = []
  private isOpen = false
  private readonly finished = new Map<string, PathTaken>()

  constructor(readonly expressions: Expressions = new Expressions()) {
    this.shadow = new ShadowMemory(expressions)
  }

  /** An execution begins; the one before is over. */
  begin(): void {
    this.close()
    this.isOpen = true
    this.shadow.clear()
  }

  private close(): void {
    if (this.isOpen) this.finish()
    this.isOpen = false
    this.decisions = []
    this.decided.clear()
    this.known = []
    this.isOrdered = true
    this.hasSpun = false
    this.output = []
  }

  /** Most executions decide what others have decided. */
  private finish(): void {
    const { decisions, isOrdered, hasSpun, output } = this
    const key = `${isOrdered} ${hasSpun} ${decisions.map(({ condition }) => condition).join(' ')} ${output.join(' ')}`
    if (!this.finished.has(key)) this.finished.set(key, { decisions, isOrdered, hasSpun, output })
  }

  /** Of the executions that are over; those that are alike are one. */
  takePaths(): readonly PathTaken[] {
    this.close()
    const finished = [...this.finished.values()]
    this.finished.clear()
    return finished
  }

  created(child: number): void {
    this.known[child] = this.known[this.witness.running()] ?? 0
  }

  joined(target: number): void {
    const thread = this.witness.running()
    this.known[thread] = Math.max(this.known[thread] ?? 0, this.known[target] ?? 0)
  }

  /** Whether a round of a loop has changed anything was judged by values that may be others for other inputs. */
  spun(): void {
    if (!this.shadow.isEmpty) this.hasSpun = true
  }

  printed(memory: Uint8Array, address: number, size: number): void {
    for (let i = address; i < address + size; i++) {
      this.output.push(this.shadow.byteAt(memory, i) || this.expressions.constant(BigInt(memory[i]), 8))
    }
  }

  /** `condition` holds or does not, for the input that is run, and that made a difference. */
  decide(kind: DecisionKind, condition: Expression, holds: boolean, place: number): void {
    const { expressions } = this
    const opposite = expressions.not(condition)
    this.answer(
      kind,
      holds ? condition : opposite,
      `${Math.min(condition, opposite)}?`,
      place,
      holds ? 1 : 0,
      2,
    )
  }

  /** One of several conditions with the same question holds. */
  answer(
    kind: DecisionKind,
    held: Expression,
    question: string,
    place: number,
    way: number,
    ways: number,
  ): void {
    const { expressions } = this
    if (expressions.isConstant(held)) return
    const thread = this.witness.running()
    const key = `${thread} ${held}`
    if (this.decided.has(key)) return
    this.decided.add(key)
    if ((this.known[thread] ?? 0) !== this.decisions.length) this.isOrdered = false
    this.decisions.push({ kind, condition: held, question, place, way, ways })
    this.known[thread] = this.decisions.length
  }

  /** A value that depends on the input is used as a number from here on. */
  makeConcrete(value: Expression, low: number, high: number, place: number): void {
    const isThat = this.expressions.equal(value, this.constant(value, low, high))
    this.answer('value', isThat, `${value}`, place, 0, 0)
  }

  /** Bytes of memory are used as numbers from here on. */
  makeBytesConcrete(memory: Uint8Array, address: number, size: number): void {
    const { shadow } = this
    const end = Math.min(address + size, memory.length)
    // In words where they are: a value in memory is one number, not four.
    for (let at = address; at < end; ) {
      const length = at % 4 === 0 && at + 4 <= end ? 4 : 1
      const value = shadow.load(memory, at, length)
      if (value !== 0) {
        let number = 0
        for (let i = 0; i < length; i++) number |= memory[at + i] << (8 * i)
        this.makeConcrete(value, number, 0, HOST)
        shadow.store(memory, at, length, 0)
      }
      at += length
    }
  }

  /** An address that depends on the input: whether it lies in the object it lies in is a question of its own. */
  makeAddress(value: Expression, low: number, offset: number, size: number, place: number): void {
    const object = this.witness.objectAt((low >>> 0) + offset)
    if (object !== undefined && object[1] - object[0] >= size)
      this.decideInside(value, low >>> 0, offset, size, object, place)
    this.makeConcrete(value, low, 0, place)
  }

  decideInside(
    address: Expression,
    now: number,
    offset: number,
    size: number,
    [start, end]: readonly [number, number],
    place: number,
  ): void {
    const { expressions } = this
    const number = (n: number) => expressions.constant(BigInt(n), 32)
    const within = expressions.binary(Operator.subtract, address, number(start - offset))
    const isInside = expressions.binary(Operator.lessUnsigned, within, number(end - start - size + 1))
    this.decide('bounds', isInside, now + offset + size <= end, place)
  }

  /** Whether the running thread's path is about inputs with which an address is that number. */
  isDecided(address: Expression, number: number): boolean {
    const isThat = this.expressions.equal(address, this.constant(address, number, 0))
    return this.decided.has(`${this.witness.running()} ${isThat}`)
  }

  /** The constant that a value is for the input that is run. */
  private constant(like: Expression, low: number, high: number): Expression {
    const number = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
    return this.expressions.constant(number, this.expressions.width[like])
  }
}
