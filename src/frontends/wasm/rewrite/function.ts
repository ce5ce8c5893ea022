import { AccessEmitter } from './accesses.js'
import { emitAtomic } from './atomics.js'
import { Reader } from './bytes.js'
import type { Context } from './context.js'
import { Emitter } from './emitter.js'
import type { Frame } from './frames.js'
import { plainName } from './hooks.js'
import { canTrap, EXNREF, memoryArgument, OP, skipImmediates, TYPE } from './instructions.js'
import type { LoopInfo } from './loops.js'
import { memoryInstruction } from './memory-instructions.js'
import type { Body } from './module.js'
import { emitMemoryInstruction, emitPrivateStore } from './raw.js'
import { type CatchingRange, catchingRanges } from './tries.js'

export interface FunctionShape {
  readonly body: Body
  readonly parameters: Uint8Array | readonly number[]
  readonly user: boolean
  readonly loops: readonly LoopInfo[]
  /** Accesses that are not logged; only in raw mode. */
  readonly frame?: Frame | undefined
}

/** Rewrites one body. User functions get hooks; all get new function indexes and the inline functions. */
export function rewriteFunction(shape: FunctionShape, context: Context): Uint8Array {
  return new FunctionRewriter(shape, context).run()
}

/** First instruction of a body, and the types of its locals, parameters first. */
export function readLocals(
  body: Body,
  parameters: Uint8Array | readonly number[],
): { types: number[]; code: number } {
  const r = new Reader(body.bytes, body.start, body.end)
  const types = [...parameters]
  for (let groups = r.u32(); groups > 0; groups--) {
    const count = r.u32()
    const type = r.byte()
    for (let i = 0; i < count; i++) types.push(type)
  }
  return { types, code: r.at }
}

/** The first of the atomic instructions, in the order of their codes: the machine does them. */
const waitInstructions = ['notify', 'wait32', 'wait64'] as const
type WaitInstruction = (typeof waitInstructions)[number]
const LAST_WAIT = waitInstructions.length - 1

class FunctionRewriter {
  private readonly out: AccessEmitter
  private readonly r: Reader
  private readonly types: readonly number[]
  /** Input up to here has been copied or replaced. */
  private copied: number
  private loopCount = 0
  /** It has had a block that catches exceptions, or runs destructors for them. */
  private catches = false
  /** Where an exception that comes out of a call may be caught for good. */
  private readonly catching: readonly CatchingRange[]

  constructor(
    private readonly shape: FunctionShape,
    private readonly context: Context,
  ) {
    const { body } = shape
    const { types, code } = readLocals(body, shape.parameters)
    this.types = types
    this.copied = code
    this.r = new Reader(body.bytes, code, body.end)
    this.out = new AccessEmitter(context, types.length)
    this.catching = context.hasExceptions && shape.user ? catchingRanges(body.bytes, code, body.end) : []
  }

  run(): Uint8Array {
    const { r } = this
    while (!r.done) {
      const at = r.at
      const op = r.byte()
      if (op <= OP.end || op === OP.callIndirect || op === OP.memoryGrow) this.out.logIsKnown = false
      if (op === OP.call) this.call(at, r.u32())
      else if (op === OP.refFunc) {
        const target = r.u32()
        this.upTo(at)
        this.out.op(OP.refFunc, this.context.remap(target))
      } else if (op === OP.memoryGrow && !this.growsItself) {
        r.skipLeb()
        this.upTo(at)
        this.out.op(OP.call, this.context.imports.grow)
      } else if (op === OP.globalSet && this.context.raw) {
        if (r.u32() === this.context.raw.stackPointer) this.setOwnStackPointer(at)
      } else if (op === OP.globalSet) {
        if (r.u32() === this.context.globals.stackPointer && !this.leavesFunction()) {
          this.setStackPointer(at)
          // Where an exception is caught the stack pointer is set first of all: the calls that it came out of are over.
          if (this.catches) this.popCall()
        }
      } else if (op === OP.atomic && r.bytes[r.at] <= LAST_WAIT) {
        this.wait(at, waitInstructions[r.u32()])
      } else if (op === OP.tryTable) {
        skipImmediates(r, op)
        this.catches = this.shape.user
      } else if (this.shape.user) this.userInstruction(at, op)
      else skipImmediates(r, op)
    }
    this.upTo(r.end)
    return this.assemble()
  }

  /** A program with a memory of its own grows it in the sight of other threads. */
  private get growsItself(): boolean {
    return this.shape.user && (this.context.raw?.sizeAddress ?? 0) > 0
  }

  private userInstruction(at: number, op: number): void {
    const { r, context } = this
    const memory = context.raw && memoryInstruction(r, op)
    if (memory && this.shape.frame?.accesses.has(at)) {
      if (memory.kind === 'store') {
        this.upTo(at)
        emitPrivateStore(this.out, context.raw!, memory, r.bytes.subarray(at, r.at))
      }
    } else if (memory) {
      this.upTo(at)
      emitMemoryInstruction(this.out, context.raw!, memory, at, r.bytes.subarray(at, r.at))
    } else if (op === OP.callIndirect) {
      r.skipLeb()
      r.skipLeb()
      this.upToBefore(at)
      this.pushCall(context.addSite('call', 0, at, this.catcher(at)))
      this.upTo(r.at)
      this.popCall()
    } else if (op === OP.loop) {
      r.skipLeb()
      this.upToBefore(at)
      const again = this.out.local(`again ${this.loopCount}`, TYPE.i32)
      this.out.constant(0)
      this.out.op(OP.localSet, again)
      this.upTo(r.at)
      const info = this.shape.loops[this.loopCount++]
      const { frame } = this.shape
      const extra = { end: info.end, ...(frame ? { frame: -frame.low } : {}) }
      this.loopHeader(
        context.addSite('loop', 0, at, extra),
        again,
        info,
        frame && frame.low - frame.pointerAt.get(at)!,
      )
    } else if (canTrap(op)) {
      this.upToBefore(at)
      this.out.constant(context.addSite('trap', 0, at))
      this.out.op(OP.globalSet, context.globals.site)
    } else skipImmediates(r, op)
  }

  private call(at: number, callee: number): void {
    const { context } = this
    const inline = context.inlineOf(callee)
    if (inline) {
      this.upTo(at)
      this.out.runtimeFunction(inline)
      return
    }
    if (!this.shape.user) {
      this.out.logIsKnown = false
      this.upTo(at)
      this.out.op(OP.call, context.remap(callee))
      return
    }
    const name = context.nameOf(callee)
    const hook = context.hookOf(name)
    this.upTo(at)
    switch (hook.kind) {
      case 'access':
        for (let i = 0; i < hook.extra; i++) this.out.byte(OP.drop)
        this.out.access(context.addSite(hook.operation, hook.size, at), hook.size)
        break
      case 'ignore':
        for (let i = 0; i < hook.arguments; i++) this.out.byte(OP.drop)
        break
      case 'atomic':
        emitAtomic(this.out, hook, context.addSite(hook.operation, hook.size, at))
        break
      case 'call':
        this.out.logIsKnown = false
        this.callSite(
          context.addSite(hook.operation, 0, at, { callee: plainName(name), ...this.catcher(at) }),
          callee,
        )
        this.out.op(OP.call, context.remap(context.replacementOf(callee)))
        this.popCall()
        break
    }
  }

  private catcher(at: number): { catches?: true } {
    return this.catching.some(({ start, end }) => start < at && at < end) ? { catches: true } : {}
  }

  /** A call to a function that touches memory outside the program's code is a preemption point itself. */
  private callSite(site: number, callee: number): void {
    const { context, out } = this
    if (context.stopsBeforeCall(callee)) {
      const address = out.local('address', TYPE.i32)
      out.constant(0)
      out.op(OP.localSet, address)
      out.point(site, () => out.constant(site), address, 0)
      out.logIsKnown = false
    }
    this.pushCall(site)
  }

  /** The offset of the instruction is added to the address below its other operands. */
  private wait(at: number, name: WaitInstruction): void {
    const { r, out, context } = this
    const offset = memoryArgument(r).offset
    this.upTo(at)
    out.logIsKnown = false
    if (offset !== 0) {
      const operands = name === 'notify' ? [TYPE.i32] : [name === 'wait32' ? TYPE.i32 : TYPE.i64, TYPE.i64]
      const locals = operands.map((type, i) => out.local(`operand ${i} of type ${type}`, type))
      for (const local of [...locals].reverse()) out.op(OP.localSet, local)
      out.constant(offset | 0)
      out.byte(OP.i32Add)
      for (const local of locals) out.op(OP.localGet, local)
    }
    if (this.shape.user) this.pushCall(context.addSite('call', 0, at, { callee: `memory.atomic.${name}` }))
    out.op(OP.call, context.imports[name])
    if (this.shape.user) this.popCall()
  }

  /**
   * The shadow stack pointer is read once, on entry, into a local: the caller has just set it. A frame has one slot,
   * which holds the call it is in.
   */
  private pushCall(site: number): void {
    const shadow = this.out.local('shadow', TYPE.i32)
    this.out.op(OP.localGet, shadow)
    this.out.constant(site)
    this.out.memory(OP.i32Store, 2, 0)
    this.out.op(OP.localGet, shadow)
    this.out.constant(4)
    this.out.byte(OP.i32Add)
    this.out.op(OP.globalSet, this.context.globals.shadow)
  }

  private popCall(): void {
    this.out.op(OP.localGet, this.out.local('shadow', TYPE.i32))
    this.out.op(OP.globalSet, this.context.globals.shadow)
  }

  /**
   * `again` is a local that tells later visits from the first one; `frame` is where the part of the frame that is not
   * logged begins, relative to the stack pointer.
   */
  private loopHeader(site: number, again: number, info: LoopInfo, frame: number | undefined): void {
    const { globals, imports } = this.context
    const fuel = this.out.local('fuel', TYPE.i32)
    this.out.op(OP.globalGet, globals.fuel)
    this.out.constant(1)
    this.out.byte(OP.i32Sub)
    this.out.op(OP.localTee, fuel)
    this.out.op(OP.globalSet, globals.fuel)
    this.out.op(OP.localGet, fuel)
    this.out.bytes([OP.i32Eqz, OP.if, TYPE.empty])
    let words = 0
    if (frame !== undefined) {
      this.out.constant(0)
      this.out.op(OP.globalGet, this.context.raw!.stackPointer)
      this.out.constant(frame)
      this.out.bytes([OP.i32Add, OP.i64ExtendI32U])
      this.out.memory(OP.i64Store, 3, this.context.spill)
      words++
    }
    for (const local of info.carried) words += this.spill(OP.localGet, local, this.types[local], words)
    for (const { index, type } of this.context.raw?.globals ?? []) {
      words += this.spill(OP.globalGet, index, type, words)
    }
    this.out.constant(site)
    this.out.op(OP.localGet, again)
    this.out.constant(words)
    this.out.op(OP.call, imports.loop)
    // Not a count: the state of a thread that waits in the loop would never be the same again.
    this.out.constant(1)
    this.out.op(OP.localSet, again)
    this.out.byte(OP.end)
  }

  /** Writes a local or a global to the spill area; returns how many 8-byte words it took. */
  private spill(get: number, index: number, type: number, word: number): number {
    const to = this.context.spill + 8 * word
    this.out.constant(0)
    this.out.op(get, index)
    switch (type) {
      case TYPE.v128:
        this.out.bytes([OP.vector, 11, 4])
        this.out.u32(to)
        return 2
      case TYPE.i32:
      // `lowerExceptions` makes it one.
      case EXNREF:
        this.out.byte(OP.i64ExtendI32U)
        break
      case TYPE.f32:
        this.out.bytes([OP.i32ReinterpretF32, OP.i64ExtendI32U])
        break
      case TYPE.f64:
        this.out.byte(OP.i64ReinterpretF64)
        break
    }
    this.out.memory(OP.i64Store, 3, to)
    return 1
  }

  private setStackPointer(at: number): void {
    const { globals, imports, addSite } = this.context
    this.upToBefore(at)
    const pointer = this.out.local('stack pointer', TYPE.i32)
    this.out.op(OP.localTee, pointer)
    this.upTo(this.r.at)
    this.out.op(OP.localGet, pointer)
    this.out.op(OP.globalGet, globals.stackEnd)
    this.out.bytes([OP.i32LtU, OP.if, TYPE.empty])
    this.out.constant(this.shape.user ? addSite('trap', 0, at) : -1)
    this.out.op(OP.call, imports.overflow)
    this.out.byte(OP.end)
    this.out.logIsKnown = false
  }

  /** Frames that are not logged are not checked either: the stack must lie in the program's memory. */
  private setOwnStackPointer(at: number): void {
    const { raw, imports, addSite } = this.context
    const pointer = this.out.local('stack pointer', TYPE.i32)
    this.upToBefore(at)
    this.out.op(OP.localTee, pointer)
    this.upTo(this.r.at)
    this.out.op(OP.localGet, pointer)
    this.out.constant(raw!.limit | 0)
    this.out.bytes([OP.i32GtU, OP.if, TYPE.empty])
    this.out.constant(addSite('trap', 0, at))
    this.out.op(OP.call, imports.overflow)
    this.out.byte(OP.end)
  }

  /** Whether the instruction just read is part of an epilogue: next comes the end of the function. */
  private leavesFunction(): boolean {
    const next = new Reader(this.r.bytes, this.r.at, this.r.end)
    let op = next.byte()
    if (op === OP.localGet) {
      next.skipLeb()
      op = next.byte()
    }
    return op === OP.return || (op === OP.end && next.done)
  }

  private prologue(out: Emitter): void {
    if (!this.out.hasLocal('shadow')) return
    const shadow = this.out.local('shadow', TYPE.i32)
    const { globals, imports, addSite } = this.context
    out.op(OP.globalGet, globals.shadow)
    out.op(OP.localTee, shadow)
    out.op(OP.globalGet, globals.shadowEnd)
    out.bytes([OP.i32GeU, OP.if, TYPE.empty])
    out.constant(addSite('trap', 0, this.shape.body.start))
    out.op(OP.call, imports.overflow)
    out.byte(OP.end)
  }

  private assemble(): Uint8Array {
    const result = new Emitter(this.out.length + 64)
    const { bytes, start } = this.shape.body
    const r = new Reader(bytes, start)
    const groups = r.u32()
    const from = r.at
    for (let i = 0; i < groups; i++) {
      r.skipLeb()
      r.byte()
    }
    const extra = this.out.locals
    result.u32(groups + extra.length)
    result.bytes(bytes.subarray(from, r.at))
    for (const type of extra) result.bytes([1, type])
    this.prologue(result)
    result.bytes(this.out.view())
    return result.view()
  }

  /** Copies the input before the instruction at `at`, and leaves that instruction out. */
  private upTo(at: number): void {
    this.upToBefore(at)
    this.copied = this.r.at
  }

  /** Copies the input before the instruction at `at`, which is to be copied later. */
  private upToBefore(at: number): void {
    if (at > this.copied) this.out.bytes(this.r.bytes.subarray(this.copied, at))
    this.copied = at
  }
}
