import { LogWord, SPLIT_FLAG } from '../artifact.js'
import type { Context, InlineFunction } from './context.js'
import { Emitter } from './emitter.js'
import { OP, TYPE } from './instructions.js'

/** Writes the code around an access: preemption point, then log entry. Owns the locals that code needs. */
export class AccessEmitter extends Emitter {
  /** Types of the locals added to those of the function. */
  readonly locals: number[] = []
  /**
   * Whether the local `log` holds the log's offset here. Kept within straight code only: reading the global again for
   * each access would make every one wait for the store of the one before.
   */
  logIsKnown = false
  private readonly names = new Map<string, number>()

  constructor(
    readonly context: Context,
    private readonly firstLocal: number,
  ) {
    super(1024)
  }

  /** A local of ours; the same name gives the same local. */
  local(name: string, type: number): number {
    let index = this.names.get(name)
    if (index === undefined) {
      index = this.firstLocal + this.locals.push(type) - 1
      this.names.set(name, index)
    }
    return index
  }

  hasLocal(name: string): boolean {
    return this.names.has(name)
  }

  /** A plain access; its address is on the stack. The access itself comes after. */
  access(site: number, size: number): void {
    const address = this.local('address', TYPE.i32)
    this.op(OP.localSet, address)
    this.point(site, () => this.constant(site), address, size)
    this.recordConstant(site, address)
  }

  /**
   * Stops if the flag of the site is set; raw accesses also if the address is none of the program's. `prepare` is done
   * only then.
   */
  point(
    site: number,
    word: () => void,
    address: number,
    size: number,
    checksLimit = true,
    prepare: () => void = () => {},
  ): void {
    const limit = this.context.raw?.limit ?? 0
    this.knowLog()
    this.constant(0)
    this.memory(OP.i32Load8U, 0, this.context.flags + site)
    if (limit > 0 && size > 0 && checksLimit) {
      this.op(OP.localGet, address)
      this.constant((limit - size) | 0)
      this.bytes([OP.i32GtU, OP.i32Or])
    }
    this.pointIfFlagged(() => {
      prepare()
      word()
      this.op(OP.localGet, address)
      this.constant(size)
    })
  }

  /** The same for a range whose length is in a local; without a site it stops only if it leaves the program's memory. */
  pointOfRange(site: number | undefined, word: () => void, address: number, length: number): void {
    const limit = this.context.raw?.limit ?? 0
    this.knowLog()
    if (site === undefined) this.constant(0)
    else {
      this.constant(0)
      this.memory(OP.i32Load8U, 0, this.context.flags + site)
    }
    if (limit > 0) {
      for (const local of [address, length]) {
        this.op(OP.localGet, local)
        this.byte(OP.i64ExtendI32U)
      }
      this.bytes([OP.i64Add, OP.i64Const])
      this.s64(limit)
      this.bytes([OP.i64GtU, OP.i32Or])
    }
    this.pointIfFlagged(() => {
      word()
      this.op(OP.localGet, address)
      this.op(OP.localGet, length)
    })
  }

  record(word: () => void, address: number): void {
    this.knowLog()
    const { log } = this.context
    const offset = this.local('log', TYPE.i32)
    this.op(OP.localGet, offset)
    word()
    this.memory(OP.i32Store, 2, log)
    this.op(OP.localGet, offset)
    this.op(OP.localGet, address)
    this.memory(OP.i32Store, 2, log + 4)
    this.advance(offset)
  }

  /** The same with a word that is known: one store for both. */
  private recordConstant(word: number, address: number): void {
    this.knowLog()
    const offset = this.local('log', TYPE.i32)
    this.op(OP.localGet, offset)
    this.op(OP.localGet, address)
    this.bytes([OP.i64ExtendI32U, OP.i64Const])
    this.s64(32)
    this.bytes([OP.i64Shl, OP.i64Const])
    this.s64(word)
    this.byte(OP.i64Or)
    this.memory(OP.i64Store, 3, this.context.log)
    this.advance(offset)
  }

  private advance(offset: number): void {
    const { globals } = this.context
    this.op(OP.localGet, offset)
    this.constant(8)
    this.byte(OP.i32Add)
    this.op(OP.localTee, offset)
    this.op(OP.globalSet, globals.log)
  }

  /** What a call to one of the inline functions of `runtime/fl.h` becomes; its arguments are on the stack. */
  runtimeFunction(name: InlineFunction): void {
    const { globals, flags } = this.context
    if (name === 'site') {
      this.op(OP.globalGet, globals.shadow)
      this.constant(4)
      this.byte(OP.i32Sub)
      this.memory(OP.i32Load, 2, 0)
      return
    }
    if (name === 'words') {
      this.memory(OP.i32Load8U, 0, flags)
      this.constant(SPLIT_FLAG)
      this.byte(OP.i32And)
      return
    }
    const word = this.local('word', TYPE.i32)
    const address = this.local('address', TYPE.i32)
    if (name === 'record') {
      this.op(OP.localSet, address)
      this.op(OP.localSet, word)
      this.record(() => this.op(OP.localGet, word), address)
      return
    }
    const size = this.local('size', TYPE.i32)
    this.op(OP.localSet, size)
    this.op(OP.localSet, address)
    this.op(OP.localSet, word)
    this.knowLog()
    this.op(OP.localGet, word)
    this.constant(LogWord.siteMask)
    this.byte(OP.i32And)
    this.memory(OP.i32Load8U, 0, flags)
    this.pointIfFlagged(() => {
      this.op(OP.localGet, word)
      this.op(OP.localGet, address)
      this.op(OP.localGet, size)
    })
  }

  knowLog(): void {
    if (this.logIsKnown) return
    this.op(OP.globalGet, this.context.globals.log)
    this.op(OP.localSet, this.local('log', TYPE.i32))
    this.logIsKnown = true
  }

  /**
   * Takes the flag from the stack; calls the machine when it is set or the log is full, both for one branch. The
   * machine may empty the log.
   */
  private pointIfFlagged(operands: () => void): void {
    const { globals, imports, logBits } = this.context
    const log = this.local('log', TYPE.i32)
    this.op(OP.localGet, log)
    this.constant(logBits)
    this.bytes([OP.i32ShrU, OP.i32Or, OP.if, TYPE.empty])
    operands()
    this.op(OP.call, imports.point)
    this.op(OP.globalGet, globals.log)
    this.op(OP.localSet, log)
    this.byte(OP.end)
  }
}
