import { atomicVerbs, LogWord, Operands } from '../artifact.js'
import type { AccessEmitter } from './accesses.js'
import type { AtomicHook, UpdateVerb } from './hooks.js'
import { OP, TYPE } from './instructions.js'

/**
 * Writes an atomic in place of the call that clang made of it; the arguments are on the stack, by verb:
 *
 * | verb | arguments | result |
 * |---|---|---|
 * | load | address, order | value |
 * | store | address, value, order | – |
 * | exchange, fetch_* | address, value, order | old value |
 * | compare_exchange | address, address of what is expected, value, order, order of failure | whether it was found |
 * | compare_exchange_val | address, what is expected, value, order, order of failure | old value |
 * | fence | order | – |
 *
 * All threads run inside one, so plain instructions do: preemption point first, then the effect, then a log entry with
 * the order and the outcome. In place and not in a function, so that a switch unwinds one frame less.
 */
export function emitAtomic(out: AccessEmitter, hook: AtomicHook, site: number): void {
  new AtomicWriter(out, hook, site).run()
}

class AtomicWriter {
  private readonly wide: boolean
  private readonly address: number
  private readonly word: number

  constructor(
    private readonly out: AccessEmitter,
    private readonly hook: AtomicHook,
    private readonly site: number,
  ) {
    this.wide = hook.size === 8
    this.address = out.local('address', TYPE.i32)
    this.word = out.local('word', TYPE.i32)
  }

  run(): void {
    const { verb } = this.hook
    if (verb === 'load') this.load()
    else if (verb === 'store') this.store()
    else if (verb === 'fence') this.fence()
    else if (verb === 'compare_exchange') this.compareExchange(true)
    else if (verb === 'compare_exchange_val') this.compareExchange(false)
    else this.update(verb)
  }

  private load(): void {
    this.takeOrder()
    this.set(this.address)
    this.point()
    this.record()
    this.read()
  }

  private store(): void {
    const value = this.value('value')
    this.takeOrder()
    this.set(value)
    this.set(this.address)
    this.point(value)
    this.record()
    this.write(value)
  }

  private fence(): void {
    this.takeOrder()
    this.out.constant(0)
    this.set(this.address)
    this.point()
    this.record()
  }

  private update(verb: UpdateVerb): void {
    const { out } = this
    const value = this.value('value')
    const old = this.value('old')
    this.takeOrder()
    this.set(value)
    this.set(this.address)
    this.point(value)
    this.read()
    this.set(old)
    const mask = this.maskOf(verb, value)
    if (verb !== 'exchange') {
      this.get(old)
      this.get(value)
      for (const op of (this.wide ? i64Operation : i32Operation)[verb]) out.byte(op)
      if (verb === 'fetch_nand') this.invert()
      this.set(value)
    }
    this.write(value)
    this.succeed(old, value)
    this.record(kindOf(verb) | mask.flag)
    if (mask.flag !== 0) out.record(() => this.get(mask.local), out.local('zero', TYPE.i32))
    this.get(old)
  }

  /** Which bits the update sets or clears, kept before the operand is replaced by the result. */
  private maskOf(verb: UpdateVerb, value: number): { readonly flag: number; readonly local: number } {
    const flag = verb === 'fetch_or' ? LogWord.sets : verb === 'fetch_and' ? LogWord.clears : 0
    if (flag === 0 || this.wide) return { flag: 0, local: -1 }
    const local = this.out.local('mask', TYPE.i32)
    this.get(value)
    if (flag === LogWord.clears) this.invert()
    this.set(local)
    return { flag, local }
  }

  private compareExchange(byPointer: boolean): void {
    const { out } = this
    const failure = out.local('failure order', TYPE.i32)
    const pointer = out.local('expected pointer', TYPE.i32)
    const value = this.value('value')
    const old = this.value('old')
    const expected = this.value('expected')
    this.set(failure)
    this.takeOrder()
    this.set(value)
    this.set(byPointer ? pointer : expected)
    this.set(this.address)
    const takeExpected = () => {
      if (!byPointer) return
      this.get(pointer)
      out.memory(this.loadOp(), 0, 0)
      this.set(expected)
    }
    this.point(value, expected, failure, takeExpected)
    this.read()
    this.set(old)
    takeExpected()
    this.differ(old, expected)
    out.bytes([OP.i32Eqz, OP.if, TYPE.empty])
    this.write(value)
    this.succeed(old, value)
    out.byte(OP.else)
    if (byPointer) {
      this.get(pointer)
      this.get(old)
      out.memory(this.storeOp(), 0, 0)
    }
    this.get(failure)
    this.takeOrder()
    out.byte(OP.end)
    if (this.wide) this.record()
    else {
      this.record(LogWord.compares)
      out.record(() => this.get(expected), value)
    }
    if (byPointer) {
      this.differ(old, expected)
      out.byte(OP.i32Eqz)
    } else this.get(old)
  }

  /** Takes an order from the stack; from then on `word` is the site with that order. */
  private takeOrder(): void {
    const { out } = this
    out.constant(LogWord.orderMask)
    out.byte(OP.i32And)
    out.constant(LogWord.orderShift)
    out.byte(OP.i32Shl)
    out.constant(this.site)
    out.byte(OP.i32Or)
    this.set(this.word)
  }

  /** Adds to the word that the update took place, and whether it changed anything. */
  private succeed(old: number, value: number): void {
    const { out } = this
    this.differ(old, value)
    out.constant(Math.log2(LogWord.changed))
    out.byte(OP.i32Shl)
    this.get(this.word)
    out.byte(OP.i32Or)
    out.constant(LogWord.succeeded)
    out.byte(OP.i32Or)
    this.set(this.word)
  }

  /** 1 if two values differ in the bytes of the object, else 0: small arguments may come with other bits above. */
  private differ(a: number, b: number): void {
    const { out } = this
    this.get(a)
    this.get(b)
    if (this.wide) {
      out.byte(OP.i64Ne)
      return
    }
    if (this.hook.size === 4) {
      out.byte(OP.i32Ne)
      return
    }
    out.byte(OP.i32Xor)
    out.constant(this.hook.size === 1 ? 0xff : 0xffff)
    out.byte(OP.i32And)
    out.constant(0)
    out.byte(OP.i32Ne)
  }

  private invert(): void {
    if (this.wide) this.out.bytes([OP.i64Const, 0x7f, OP.i64Xor])
    else this.out.bytes([OP.i32Const, 0x7f, OP.i32Xor])
  }

  /** What the machine is told of an atomic that it is asked about: see `Operands`. */
  private point(value?: number, expected?: number, failure?: number, prepare: () => void = () => {}): void {
    this.out.point(
      this.site,
      () => this.get(this.word),
      this.address,
      this.hook.size,
      true,
      () => {
        prepare()
        if (value !== undefined) this.tell(Operands.value, value)
        if (expected !== undefined) this.tell(Operands.expected, expected)
        this.out.constant(0)
        this.out.constant(atomicVerbs.indexOf(this.hook.verb))
        if (failure !== undefined) {
          this.get(failure)
          this.out.constant(Operands.failureShift)
          this.out.bytes([OP.i32Shl, OP.i32Or])
        }
        this.out.memory(OP.i32Store, 2, this.out.context.spill + Operands.verb)
      },
    )
  }

  private tell(offset: number, local: number): void {
    const { out } = this
    out.constant(0)
    this.get(local)
    out.memory(this.wide ? OP.i64Store : OP.i32Store, 2, out.context.spill + offset)
  }

  private record(more = 0): void {
    const { out } = this
    const word = () => {
      this.get(this.word)
      if (more === 0) return
      out.constant(more)
      out.byte(OP.i32Or)
    }
    out.record(word, this.address)
  }

  private read(): void {
    this.get(this.address)
    this.out.memory(this.loadOp(), 0, 0)
  }

  private write(value: number): void {
    this.get(this.address)
    this.get(value)
    this.out.memory(this.storeOp(), 0, 0)
  }

  private loadOp(): number {
    const { size } = this.hook
    return size === 8 ? OP.i64Load : size === 4 ? OP.i32Load : size === 2 ? OP.i32Load16U : OP.i32Load8U
  }

  private storeOp(): number {
    const { size } = this.hook
    return size === 8 ? OP.i64Store : size === 4 ? OP.i32Store : size === 2 ? OP.i32Store16 : OP.i32Store8
  }

  /** A local as wide as the object's values are on the stack. */
  private value(name: string): number {
    return this.wide ? this.out.local(`${name} 64`, TYPE.i64) : this.out.local(name, TYPE.i32)
  }

  private get(local: number): void {
    this.out.op(OP.localGet, local)
  }

  private set(local: number): void {
    this.out.op(OP.localSet, local)
  }
}

/** What of an update shows in its log word. */
function kindOf(verb: UpdateVerb): number {
  if (verb === 'exchange') return LogWord.exchanges
  return verb === 'fetch_add' || verb === 'fetch_sub' || verb === 'fetch_xor' ? LogWord.isUniform : 0
}

type Fetch = Exclude<UpdateVerb, 'exchange'>

const i32Operation: Record<Fetch, readonly number[]> = {
  fetch_add: [OP.i32Add],
  fetch_sub: [OP.i32Sub],
  fetch_and: [OP.i32And],
  fetch_or: [OP.i32Or],
  fetch_xor: [OP.i32Xor],
  fetch_nand: [OP.i32And],
}

const i64Operation: Record<Fetch, readonly number[]> = {
  fetch_add: [OP.i64Add],
  fetch_sub: [OP.i64Sub],
  fetch_and: [OP.i64And],
  fetch_or: [OP.i64Or],
  fetch_xor: [OP.i64Xor],
  fetch_nand: [OP.i64And],
}
