import { arityOf } from './arity.js'
import { Reader } from './bytes.js'
import { OP, skipImmediates } from './instructions.js'
import { memoryInstruction } from './memory-instructions.js'
import type { FunctionType } from './module.js'

/**
 * Which accesses of a function stay in its own stack frame, out of the sight of other threads.
 *
 * "It is an address on my own stack" would be no reason to overlook an access: a local of `main` may be shared. What
 * is overlooked here are frames whose address never leaves the function's own address computations: it is neither
 * stored, nor passed, nor returned, nor compared, nor added to anything but constants. Nobody else can then have a
 * pointer into the frame, save by making one up. One use that is not understood, and all accesses of the function are
 * logged.
 */
export interface Frame {
  /** Positions of loads and stores whose address is the stack pointer on entry plus a constant inside the frame. */
  readonly accesses: ReadonlySet<number>
  /** Lowest byte accessed, relative to the stack pointer on entry: negative, a multiple of 4. */
  readonly low: number
  /** By position of a loop: where the stack pointer is at its header, relative to the stack pointer on entry. */
  readonly pointerAt: ReadonlyMap<number, number>
}

export interface FrameInput {
  readonly bytes: Uint8Array
  /** First instruction, after the locals. */
  readonly code: number
  readonly end: number
  readonly parameters: number
  /** Index of the global that is the stack pointer. */
  readonly stackPointer: number
  readonly typeOfFunction: (index: number) => FunctionType
  readonly types: readonly FunctionType[]
}

/** Functions that call nobody may use this much below the stack pointer. */
const RED_ZONE = 128

/** What is known of a value: a constant, or an address relative to the stack pointer on entry. */
interface Known {
  readonly isAddress: boolean
  readonly value: number
}

export function analyseFrame(input: FrameInput): Frame | undefined {
  return new FrameAnalysis(input).run()
}

class FrameAnalysis {
  private readonly r: Reader
  private readonly stack: (Known | undefined)[] = []
  private readonly locals = new Map<number, Known>()
  /** Locals that hold an address in some place where it is not known which. */
  private readonly hidden = new Set<number>()
  /** Per open block: locals that became known in it. */
  private readonly blocks: number[][] = []
  private readonly accesses = new Set<number>()
  private readonly pointerAt = new Map<number, number>()
  private readonly sets = new Map<number, number>()
  private readonly firstGet = new Map<number, number>()
  /** The stack pointer now, and the lowest it was set to. */
  private pointer = 0
  private lowestPointer = 0
  private low = 0
  private calls = false
  private escapes = false

  constructor(private readonly input: FrameInput) {
    this.r = new Reader(input.bytes, input.code, input.end)
  }

  run(): Frame | undefined {
    this.countLocals()
    const { r } = this
    while (!r.done && !this.escapes) {
      const at = r.at
      this.instruction(at, r.byte())
    }
    if (this.escapes || this.accesses.size === 0) return undefined
    if (this.low < this.lowestPointer && (this.calls || this.low < this.lowestPointer - RED_ZONE))
      return undefined
    return { accesses: this.accesses, low: Math.floor(this.low / 4) * 4, pointerAt: this.pointerAt }
  }

  private countLocals(): void {
    const { code, end, bytes, parameters } = this.input
    for (let i = 0; i < parameters; i++) this.sets.set(i, 1)
    const r = new Reader(bytes, code, end)
    while (!r.done) {
      const at = r.at
      const op = r.byte()
      if (op === OP.localSet || op === OP.localTee) {
        const local = r.u32()
        this.sets.set(local, (this.sets.get(local) ?? 0) + 1)
      } else if (op === OP.localGet) {
        const local = r.u32()
        if (!this.firstGet.has(local)) this.firstGet.set(local, at)
      } else skipImmediates(r, op)
    }
  }

  private instruction(at: number, op: number): void {
    const { r, stack } = this
    switch (op) {
      case OP.localGet:
        stack.push(this.local(r.u32()))
        return
      case OP.localSet:
        this.assign(r.u32(), stack.pop(), at)
        return
      case OP.localTee:
        this.assign(r.u32(), stack.at(-1), at)
        return
      case OP.i32Const:
        stack.push({ isAddress: false, value: r.s32() })
        return
      case OP.i32Add:
      case OP.i32Sub:
        this.add(op === OP.i32Add ? 1 : -1)
        return
      case OP.globalGet:
        stack.push(r.u32() === this.input.stackPointer ? { isAddress: true, value: this.pointer } : undefined)
        return
      case OP.globalSet:
        if (r.u32() === this.input.stackPointer) this.setPointer(stack.pop())
        else this.use(1)
        return
      case OP.drop:
        stack.pop()
        return
      case OP.block:
      case OP.loop:
      case OP.if:
        r.skipLeb()
        if (op === OP.if) this.use(1)
        this.boundary()
        this.blocks.push([])
        if (op === OP.loop) this.pointerAt.set(at, this.pointer)
        return
      case OP.else:
        this.boundary()
        this.forget(this.blocks.at(-1) ?? [])
        return
      case OP.end:
        this.boundary()
        this.forget(this.blocks.pop() ?? [])
        return
      case OP.call:
        this.call(this.input.typeOfFunction(r.u32()), 0)
        return
      case OP.callIndirect: {
        const type = this.input.types[r.u32()]
        r.skipLeb()
        this.call(type, 1)
        return
      }
    }
    const start = r.at
    const memory = memoryInstruction(r, op)
    if (memory && (memory.kind === 'load' || memory.kind === 'store')) {
      if (memory.operand !== undefined) this.use(1)
      this.access(at, stack.pop(), memory.offset, memory.size)
      if (memory.kind === 'load') stack.push(undefined)
      // Lane loads leave the vector they were given.
      return
    }
    if (memory && (memory.kind === 'copy' || memory.kind === 'fill')) {
      // What it touches is logged, and no pointer is left behind.
      stack.splice(Math.max(0, stack.length - 3))
      return
    }
    if (
      memory &&
      (memory.kind === 'atomicLoad' || memory.kind === 'atomicStore' || memory.kind === 'atomicUpdate')
    ) {
      this.use(memory.kind === 'atomicLoad' ? 0 : memory.kind === 'atomicUpdate' && memory.compares ? 2 : 1)
      stack.pop()
      if (memory.kind !== 'atomicStore') stack.push(undefined)
      return
    }
    r.at = start
    this.other(op)
  }

  /** All other instructions: what they take must be no address. */
  private other(op: number): void {
    const { r } = this
    const arity = arityOf(op, r)
    if (arity === undefined) {
      // Not looked into: whatever is on the stack may be used.
      this.boundary()
      if (op === OP.atomic) this.calls = true
      skipImmediates(r, op)
      return
    }
    skipImmediates(r, op)
    this.use(arity.takes)
    for (let i = 0; i < arity.gives; i++) this.stack.push(undefined)
  }

  private call({ parameters, results }: FunctionType, extra: number): void {
    this.calls = true
    this.use(parameters.length + extra)
    for (let i = 0; i < results.length; i++) this.stack.push(undefined)
  }

  private local(index: number): Known | undefined {
    const known = this.locals.get(index)
    if (known === undefined && this.hidden.has(index)) this.escapes = true
    return known
  }

  private assign(local: number, value: Known | undefined, at: number): void {
    if (value === undefined) return
    const first = this.firstGet.get(local)
    const isOnly = this.sets.get(local) === 1 && (first === undefined || first > at)
    if (!isOnly) {
      if (value.isAddress) this.escapes = true
      return
    }
    this.locals.set(local, value)
    this.blocks.at(-1)?.push(local)
  }

  private forget(locals: readonly number[]): void {
    for (const local of locals) {
      if (this.locals.get(local)?.isAddress) this.hidden.add(local)
      this.locals.delete(local)
    }
  }

  private add(sign: number): void {
    const b = this.stack.pop()
    const a = this.stack.pop()
    if (a?.isAddress && b?.isAddress) this.escapes = true
    if (!a?.isAddress && !b?.isAddress) {
      this.stack.push(a && b ? { isAddress: false, value: (a.value + sign * b.value) | 0 } : undefined)
      return
    }
    if (a === undefined || b === undefined || (b.isAddress && sign < 0)) {
      this.escapes = true
      return
    }
    this.stack.push({ isAddress: true, value: (a.value + sign * b.value) | 0 })
  }

  private setPointer(value: Known | undefined): void {
    if (!value?.isAddress) this.escapes = true
    else if (this.blocks.length === 0) {
      this.pointer = value.value
      this.lowestPointer = Math.min(this.lowestPointer, value.value)
    } else if (value.value !== 0) this.escapes = true
  }

  private access(at: number, address: Known | undefined, offset: number, size: number): void {
    if (!address?.isAddress) return
    const start = address.value + offset
    if (start + size > 0 || start % size !== 0 || size > 8) return
    this.accesses.add(at)
    this.low = Math.min(this.low, start)
  }

  /** Takes values that must be no addresses. */
  private use(count: number): void {
    for (let i = 0; i < count; i++) if (this.stack.pop()?.isAddress) this.escapes = true
  }

  /** Control may come from or go elsewhere: nothing on the stack is followed there. */
  private boundary(): void {
    this.use(this.stack.length)
  }
}
