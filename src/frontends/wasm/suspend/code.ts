import { Reader } from '../rewrite/bytes.js'
import { readLocals } from '../rewrite/function.js'
import { OP, skipImmediates, TYPE } from '../rewrite/instructions.js'
import type { Body, FunctionType } from '../rewrite/module.js'
import { NotKnownError, operandsOf } from './operands.js'
import type { Suspending } from './suspending.js'

/** What the code of a function refers to. */
export interface Surroundings {
  readonly suspending: Suspending
  readonly typeOf: (index: number) => FunctionType
  readonly types: readonly FunctionType[]
  readonly globals: readonly number[]
}

/** A call in which the function may be left, or a block, loop or `if` with some of them. */
export interface Child {
  /** The instruction. */
  readonly at: number
  /** Where a rewound function goes on: at the instruction, or at the first of those that do no more than push its operands. */
  readonly from: number
  /** Numbers of the first and the last call. */
  readonly first: number
  last: number
  /** Types of the operands there, from the bottom of the function's stack; without the condition of an `if`. */
  readonly stack: readonly number[]
  /** How many of these belong to blocks further out. */
  readonly base: number
}

/** What lies between the beginning of a block, or an `else`, and its end. */
export interface Level {
  readonly children: Child[]
}

/** A decoded body: instructions are numbers, in their order. */
export interface Code {
  readonly bytes: Uint8Array
  /** Types of the locals, parameters first. */
  readonly locals: readonly number[]
  readonly parameters: number
  readonly results: readonly number[]
  readonly count: number
  readonly ops: Uint8Array
  /** Where each begins; one more for the end of the last. */
  readonly offsets: Uint32Array
  /** The first immediate: a local, a label, a function, a type. */
  readonly immediates: Uint32Array
  /** Of a block and of `else`: its end; of an `if` that has one: its `else`. */
  readonly partners: Uint32Array
  /** Nothing ever comes here: left out. */
  readonly dead: Uint8Array
  /** How many calls it may be left in. */
  readonly calls: number
  readonly body: Level
  /** By the instruction that begins them. */
  readonly levels: ReadonlyMap<number, Level>
  /** By number, from 1. */
  readonly callSites: readonly Child[]
  /** The block, loop or `if` that an instruction begins, if it may be left in there. */
  readonly childAt: ReadonlyMap<number, Child>
}

interface Open {
  readonly at: number
  readonly height: number
  readonly results: readonly number[]
  readonly child: { at: number; from: number; first: number; last: number; stack: number[]; base: number }
  level: Level
  readonly outer: Level
}

/** Undefined if the function cannot be left in any call. */
export function decodeCode(body: Body, type: FunctionType, around: Surroundings): Code | undefined {
  const { types: locals, code } = readLocals(body, type.parameters)
  const decoder = new Decoder(body, code, locals, [...type.results], around)
  decoder.run()
  return decoder.callSites.length === 0 ? undefined : decoder.result(type.parameters.length)
}

class Decoder {
  readonly callSites: Child[] = []
  private readonly ops: number[] = []
  private readonly offsets: number[] = []
  private readonly immediates: number[] = []
  private readonly partners: number[] = []
  private readonly dead: number[] = []
  private readonly levels = new Map<number, Level>()
  private readonly childAt = new Map<number, Child>()
  private readonly body: Level = { children: [] }
  private readonly open: Open[] = []
  private stack: number[] = []
  private level = this.body
  private isDead = false
  /** Blocks that were begun where nothing ever comes. */
  private deadBlocks = 0

  constructor(
    private readonly source: Body,
    private readonly start: number,
    private readonly locals: readonly number[],
    private readonly results: readonly number[],
    private readonly around: Surroundings,
  ) {
    if (results.length > 1) throw new NotKnownError('several results')
  }

  run(): void {
    const { source, ops, offsets, immediates, partners, dead } = this
    const r = new Reader(source.bytes, this.start, source.end)
    while (!r.done) {
      const i = ops.length
      offsets.push(r.at)
      const op = r.byte()
      ops.push(op)
      partners.push(0)
      const at = r.at
      const hasImmediate =
        (op >= OP.br && op <= OP.brIf) ||
        op === OP.call ||
        op === OP.callIndirect ||
        (op >= OP.localGet && op <= OP.globalSet)
      immediates.push(hasImmediate ? r.u32() : 0)
      r.at = at
      dead.push(0)
      this.take(i, op, r)
      r.at = at
      skipImmediates(r, op)
    }
    offsets.push(r.at)
  }

  result(parameters: number): Code {
    const { body, levels, callSites, childAt } = this
    return {
      bytes: this.source.bytes,
      locals: this.locals,
      parameters,
      results: this.results,
      count: this.ops.length,
      ops: Uint8Array.from(this.ops),
      offsets: Uint32Array.from(this.offsets),
      immediates: Uint32Array.from(this.immediates),
      partners: Uint32Array.from(this.partners),
      dead: Uint8Array.from(this.dead),
      calls: callSites.length,
      body,
      levels,
      callSites,
      childAt,
    }
  }

  private take(i: number, op: number, r: Reader): void {
    if (this.isDead && this.skipsDead(i, op)) return
    const { stack, around, immediates } = this
    const immediate = immediates[i]
    switch (op) {
      case OP.block:
      case OP.loop:
        this.begin(i, this.blockResults(r))
        return
      case OP.if:
        stack.pop()
        this.begin(i, this.blockResults(r))
        return
      case OP.else: {
        const top = this.open[this.open.length - 1]
        this.partners[top.at] = i
        stack.length = top.height
        top.level = { children: [] }
        this.levels.set(i, top.level)
        this.level = top.level
        return
      }
      case OP.end:
        this.end(i)
        return
      case OP.br:
      case OP.brTable:
      case OP.return:
      case OP.unreachable:
        this.isDead = true
        return
      case OP.brIf:
        stack.pop()
        return
      case OP.call: {
        const type = around.typeOf(immediate)
        if (around.suspending.inFunction(immediate)) this.callSite(i, type.parameters.length)
        this.call(type, 0)
        return
      }
      case OP.callIndirect: {
        const type = around.types[immediate]
        if (around.suspending.throughTable(immediate)) this.callSite(i, type.parameters.length + 1)
        this.call(type, 1)
        return
      }
      case OP.select:
        stack.length -= 2
        return
      case OP.localGet:
        stack.push(this.locals[immediate])
        return
      case OP.localSet:
      case OP.globalSet:
        stack.pop()
        return
      case OP.localTee:
        return
      case OP.globalGet:
        stack.push(around.globals[immediate])
        return
      default: {
        const { takes, gives } = operandsOf(op, r)
        stack.length -= takes
        if (gives) stack.push(gives)
      }
    }
  }

  /** Whether the instruction changes nothing about that nothing comes here. */
  private skipsDead(i: number, op: number): boolean {
    if (op === OP.block || op === OP.loop || op === OP.if) this.deadBlocks++
    else if (op === OP.end && this.deadBlocks > 0) this.deadBlocks--
    else if ((op === OP.end || op === OP.else) && this.deadBlocks === 0) {
      this.isDead = false
      return false
    }
    this.dead[i] = 1
    return true
  }

  private blockResults(r: Reader): readonly number[] {
    const type = r.bytes[r.at]
    if (type === TYPE.empty) return []
    if (type > 0x40 && type < 0x80) return [type]
    const { parameters, results } = this.around.types[new Reader(r.bytes, r.at).u32()]
    if (parameters.length > 0) throw new NotKnownError('a block that takes values')
    return [...results]
  }

  private call({ parameters, results }: FunctionType, more: number): void {
    this.stack.length -= parameters.length + more
    if (results.length > 1) throw new NotKnownError('several results')
    if (results.length === 1) this.stack.push(results[0])
  }

  private begin(at: number, results: readonly number[]): void {
    const { stack, level } = this
    const child = {
      at,
      from: at,
      first: this.callSites.length + 1,
      last: 0,
      stack: [...stack],
      base: this.base,
    }
    const inner: Level = { children: [] }
    this.open.push({ at, height: stack.length, results, child, level: inner, outer: level })
    this.levels.set(at, inner)
    this.level = inner
  }

  private end(i: number): void {
    const top = this.open.pop()
    if (!top) return
    const { at, height, results, child, outer } = top
    this.partners[this.ops[at] === OP.if && this.partners[at] ? this.partners[at] : at] = i
    this.stack.length = height
    this.stack.push(...results)
    this.level = outer
    child.last = this.callSites.length
    if (child.last < child.first) return
    outer.children.push(child)
    this.childAt.set(at, child)
  }

  private get base(): number {
    return this.open.length === 0 ? 0 : this.open[this.open.length - 1].height
  }

  private callSite(at: number, operands: number): void {
    const { ops, stack, callSites } = this
    let from = at
    while (at - from < operands && from > 0 && isPush(ops[from - 1])) from--
    const number = callSites.length + 1
    const child = {
      at,
      from,
      first: number,
      last: number,
      stack: stack.slice(0, stack.length - (at - from)),
      base: this.base,
    }
    callSites.push(child)
    this.level.children.push(child)
  }
}

function isPush(op: number): boolean {
  return op === OP.localGet || op === OP.i32Const || op === OP.i64Const || op === 0x43 || op === 0x44
}
