import { type CodeSiteKind, LogWord } from '../artifact.js'
import { Reader } from './bytes.js'
import { Emitter } from './emitter.js'
import { type Hook, hookOf } from './hooks.js'
import { canTrap, OP, skipImmediates, TYPE } from './instructions.js'
import type { LoopInfo } from './loops.js'
import type { Body } from './module.js'

/** What the code of all functions refers to. */
export interface Context {
  /** New index of an old function index. */
  readonly remap: (index: number) => number
  /** Name of an old function index. */
  readonly nameOf: (index: number) => string
  /** Which inline function of the runtime an old function index stands for. */
  readonly inlineOf: (index: number) => 'site' | 'point' | 'record' | undefined
  readonly imports: {
    readonly point: number
    readonly loop: number
    readonly grow: number
    readonly overflow: number
  }
  readonly globals: {
    readonly stackPointer: number
    readonly log: number
    readonly shadow: number
    readonly shadowEnd: number
    readonly stackEnd: number
    readonly fuel: number
    readonly site: number
  }
  readonly flags: number
  readonly log: number
  /** The log is full when its offset has a bit at or above this one. */
  readonly logBits: number
  readonly spill: number
  /** A new site at that position of the original module; its id. */
  readonly addSite: (kind: CodeSiteKind, size: number, at: number, more?: SiteExtra) => number
}

export interface SiteExtra {
  readonly callee?: string
  /** Position where a loop ends. */
  readonly end?: number
}

export interface FunctionShape {
  readonly body: Body
  readonly parameters: Uint8Array | readonly number[]
  readonly user: boolean
  readonly loops: readonly LoopInfo[]
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

class FunctionRewriter {
  private readonly out: Emitter
  private readonly r: Reader
  private readonly types: number[]
  private readonly declared: number
  private readonly scratch = new Map<string, number>()
  /** Input up to here has been copied or replaced. */
  private copied: number
  private loopCount = 0
  /**
   * Whether the local `log` holds the log's offset here. Kept within straight code only: reading the global again for
   * each access would make every one wait for the store of the one before.
   */
  private logIsKnown = false

  constructor(
    private readonly shape: FunctionShape,
    private readonly context: Context,
  ) {
    const { body } = shape
    const { types, code } = readLocals(body, shape.parameters)
    this.types = types
    this.declared = types.length
    this.copied = code
    this.r = new Reader(body.bytes, code, body.end)
    this.out = new Emitter((body.end - body.start) * 2)
  }

  run(): Uint8Array {
    const { r } = this
    while (!r.done) {
      const at = r.at
      const op = r.byte()
      if (op <= OP.end || op === OP.callIndirect) this.logIsKnown = false
      if (op === OP.call) this.call(at, r.u32())
      else if (op === OP.refFunc) {
        const target = r.u32()
        this.upTo(at)
        this.out.op(OP.refFunc, this.context.remap(target))
      } else if (op === OP.memoryGrow) {
        r.skipLeb()
        this.upTo(at)
        this.out.op(OP.call, this.context.imports.grow)
      } else if (op === OP.globalSet) {
        if (r.u32() === this.context.globals.stackPointer && !this.leavesFunction()) this.setStackPointer(at)
      } else if (this.shape.user) this.userInstruction(at, op)
      else skipImmediates(r, op)
    }
    this.upTo(r.end)
    return this.assemble()
  }

  private userInstruction(at: number, op: number): void {
    const { r, context } = this
    if (op === OP.callIndirect) {
      r.skipLeb()
      r.skipLeb()
      this.upToBefore(at)
      this.pushCall(context.addSite('call', 0, at))
      this.upTo(r.at)
      this.popCall()
    } else if (op === OP.loop) {
      r.skipLeb()
      this.upToBefore(at)
      const visit = this.local(`visit ${this.loopCount}`, TYPE.i32)
      this.out.constant(0)
      this.out.op(OP.localSet, visit)
      this.upTo(r.at)
      const info = this.shape.loops[this.loopCount++]
      this.loopHeader(context.addSite('loop', 0, at, { end: info.end }), visit, info)
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
      this.inline(inline)
      return
    }
    if (!this.shape.user) {
      this.logIsKnown = false
      this.upTo(at)
      this.out.op(OP.call, context.remap(callee))
      return
    }
    const name = context.nameOf(callee)
    const hook = hookOf(name)
    this.upTo(at)
    if (hook.kind !== 'access') this.logIsKnown = false
    if (hook.kind === 'access') this.access(at, hook)
    else if (hook.kind === 'ignore') for (let i = 0; i < hook.arguments; i++) this.out.byte(OP.drop)
    else {
      const site =
        hook.kind === 'atomic'
          ? context.addSite(hook.operation, hook.size, at)
          : context.addSite('call', 0, at, { callee: plainName(name) })
      this.pushCall(site)
      this.out.op(OP.call, context.remap(callee))
      this.popCall()
    }
  }

  private access(at: number, hook: Hook & { kind: 'access' }): void {
    const site = this.context.addSite(hook.operation, hook.size, at)
    for (let i = 0; i < hook.extra; i++) this.out.byte(OP.drop)
    const address = this.local('address', TYPE.i32)
    this.out.op(OP.localSet, address)
    this.knowLog()
    this.out.constant(0)
    this.out.memory(OP.i32Load8U, 0, this.context.flags + site)
    this.pointIfFlagged(() => {
      this.out.constant(site)
      this.out.op(OP.localGet, address)
      this.out.constant(hook.size)
    })
    this.record(() => this.out.constant(site), address)
  }

  private knowLog(): void {
    if (this.logIsKnown) return
    this.out.op(OP.globalGet, this.context.globals.log)
    this.out.op(OP.localSet, this.local('log', TYPE.i32))
    this.logIsKnown = true
  }

  /**
   * Takes the flag from the stack; calls the machine when it is set or the log is full, both for one branch. The
   * machine may empty the log.
   */
  private pointIfFlagged(operands: () => void): void {
    const { globals, imports, logBits } = this.context
    const log = this.local('log', TYPE.i32)
    this.out.op(OP.localGet, log)
    this.out.constant(logBits)
    this.out.bytes([OP.i32ShrU, OP.i32Or, OP.if, TYPE.empty])
    operands()
    this.out.op(OP.call, imports.point)
    this.out.op(OP.globalGet, globals.log)
    this.out.op(OP.localSet, log)
    this.out.byte(OP.end)
  }

  private record(word: () => void, address: number): void {
    this.knowLog()
    const { globals, log } = this.context
    const offset = this.local('log', TYPE.i32)
    this.out.op(OP.localGet, offset)
    word()
    this.out.memory(OP.i32Store, 2, log)
    this.out.op(OP.localGet, offset)
    this.out.op(OP.localGet, address)
    this.out.memory(OP.i32Store, 2, log + 4)
    this.out.op(OP.localGet, offset)
    this.out.constant(8)
    this.out.byte(OP.i32Add)
    this.out.op(OP.localTee, offset)
    this.out.op(OP.globalSet, globals.log)
  }

  private inline(name: 'site' | 'point' | 'record'): void {
    const { globals, flags } = this.context
    if (name === 'site') {
      this.out.op(OP.globalGet, globals.shadow)
      this.out.constant(4)
      this.out.byte(OP.i32Sub)
      this.out.memory(OP.i32Load, 2, 0)
      return
    }
    const word = this.local('word', TYPE.i32)
    const address = this.local('address', TYPE.i32)
    if (name === 'record') {
      this.out.op(OP.localSet, address)
      this.out.op(OP.localSet, word)
      this.record(() => this.out.op(OP.localGet, word), address)
      return
    }
    const size = this.local('size', TYPE.i32)
    this.out.op(OP.localSet, size)
    this.out.op(OP.localSet, address)
    this.out.op(OP.localSet, word)
    this.knowLog()
    this.out.op(OP.localGet, word)
    this.out.constant(LogWord.siteMask)
    this.out.byte(OP.i32And)
    this.out.memory(OP.i32Load8U, 0, flags)
    this.pointIfFlagged(() => {
      this.out.op(OP.localGet, word)
      this.out.op(OP.localGet, address)
      this.out.op(OP.localGet, size)
    })
  }

  /**
   * The shadow stack pointer is read once, on entry, into a local: the caller has just set it. A frame has one slot,
   * which holds the call it is in.
   */
  private pushCall(site: number): void {
    const shadow = this.local('shadow', TYPE.i32)
    this.out.op(OP.localGet, shadow)
    this.out.constant(site)
    this.out.memory(OP.i32Store, 2, 0)
    this.out.op(OP.localGet, shadow)
    this.out.constant(4)
    this.out.byte(OP.i32Add)
    this.out.op(OP.globalSet, this.context.globals.shadow)
  }

  private popCall(): void {
    this.out.op(OP.localGet, this.local('shadow', TYPE.i32))
    this.out.op(OP.globalSet, this.context.globals.shadow)
  }

  private loopHeader(site: number, visit: number, info: LoopInfo): void {
    const { globals, imports } = this.context
    const fuel = this.local('fuel', TYPE.i32)
    this.out.op(OP.globalGet, globals.fuel)
    this.out.constant(1)
    this.out.byte(OP.i32Sub)
    this.out.op(OP.localTee, fuel)
    this.out.op(OP.globalSet, globals.fuel)
    this.out.op(OP.localGet, fuel)
    this.out.bytes([OP.i32Eqz, OP.if, TYPE.empty])
    let words = 0
    for (const local of info.carried) words += this.spill(local, words)
    this.out.constant(site)
    this.out.op(OP.localGet, visit)
    this.out.constant(words)
    this.out.op(OP.call, imports.loop)
    this.out.op(OP.localGet, visit)
    this.out.constant(1)
    this.out.byte(OP.i32Add)
    this.out.op(OP.localSet, visit)
    this.out.byte(OP.end)
  }

  /** Writes a local to the spill area; returns how many 8-byte words it took. */
  private spill(local: number, word: number): number {
    const to = this.context.spill + 8 * word
    this.out.constant(0)
    this.out.op(OP.localGet, local)
    switch (this.types[local]) {
      case TYPE.v128:
        this.out.bytes([OP.vector, 11, 4])
        this.out.u32(to)
        return 2
      case TYPE.i32:
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
    const pointer = this.local('stack pointer', TYPE.i32)
    this.out.op(OP.localTee, pointer)
    this.upTo(this.r.at)
    this.out.op(OP.localGet, pointer)
    this.out.op(OP.globalGet, globals.stackEnd)
    this.out.bytes([OP.i32LtU, OP.if, TYPE.empty])
    this.out.constant(this.shape.user ? addSite('trap', 0, at) : -1)
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
    const shadow = this.scratch.get('shadow')
    if (shadow === undefined) return
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
    const extra = this.types.slice(this.declared)
    result.u32(groups + extra.length)
    result.bytes(bytes.subarray(from, r.at))
    for (const type of extra) result.bytes([1, type])
    this.prologue(result)
    result.bytes(this.out.view())
    return result.view()
  }

  /** A local of ours; the same name gives the same local. */
  private local(name: string, type: number): number {
    let index = this.scratch.get(name)
    if (index === undefined) {
      index = this.types.push(type) - 1
      this.scratch.set(name, index)
    }
    return index
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

/** `__tsan_memcpy` is what the user wrote as `memcpy`, `__wrap_pthread_join` is `pthread_join`. */
function plainName(name: string): string {
  return name.replace(/^__(?:tsan|wrap)_/, '')
}
