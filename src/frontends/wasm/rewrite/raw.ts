import { LogWord, SPLIT_FLAG, WORD_SIZE } from '../artifact.js'
import type { AccessEmitter } from './accesses.js'
import type { RawContext } from './context.js'
import { OP, TYPE } from './instructions.js'
import type { MemoryInstruction, PlainAccess } from './memory-instructions.js'
import { BulkWords, range, vectorInWords } from './raw-words.js'

/** Of the pieces of memory in `OwnMemoryLayout.changed`. */
const PIECE_BITS = 12
const SEQUENTIALLY_CONSISTENT = 5 << LogWord.orderShift

/**
 * Puts the hooks of raw mode around an instruction that touches memory: preemption point, log entry, then the
 * instruction as it was, `code`; an atomic update is logged after it, with its outcome. Its operands are kept in locals
 * meanwhile.
 */
export function emitMemoryInstruction(
  out: AccessEmitter,
  raw: RawContext,
  instruction: MemoryInstruction,
  at: number,
  code: Uint8Array,
): void {
  const writer = new RawWriter(out, raw, at, code)
  switch (instruction.kind) {
    case 'load':
    case 'store':
    case 'atomicLoad':
    case 'atomicStore':
      writer.access(instruction)
      break
    case 'atomicUpdate':
      writer.update(instruction)
      break
    case 'fence':
      writer.fence()
      break
    case 'copy':
      writer.bulk('copy')
      break
    case 'fill':
      writer.bulk('fill')
      break
    case 'init':
      writer.init(instruction.segment)
      break
    case 'drop':
      writer.drop(instruction.segment)
      break
    case 'size':
      writer.size()
      break
    case 'grow':
      writer.grow()
      break
  }
}

/** A store that is not logged leaves a mark where it changed memory, so that it can be put back. */
export function emitPrivateStore(
  out: AccessEmitter,
  { changed, changedMask }: RawContext,
  { offset, operand = TYPE.i32 }: PlainAccess,
  code: Uint8Array,
): void {
  const value = out.local(`operand ${operand}`, operand)
  const base = out.local('base', TYPE.i32)
  out.op(OP.localSet, value)
  out.op(OP.localTee, base)
  if (offset !== 0) {
    out.constant(offset | 0)
    out.byte(OP.i32Add)
  }
  out.constant(PIECE_BITS)
  out.byte(OP.i32ShrU)
  out.constant(changedMask)
  out.byte(OP.i32And)
  out.constant(1)
  out.memory(OP.i32Store8, 0, changed)
  out.op(OP.localGet, base)
  out.op(OP.localGet, value)
  out.bytes(code)
}

class RawWriter {
  private readonly address: number

  constructor(
    private readonly out: AccessEmitter,
    private readonly raw: RawContext,
    private readonly at: number,
    private readonly code: Uint8Array,
  ) {
    this.address = out.local('address', TYPE.i32)
  }

  access({ kind, size, offset, operand }: PlainAccess): void {
    const { out } = this
    const site = out.context.addSite(kind, size, this.at)
    const isAtomic = kind === 'atomicLoad' || kind === 'atomicStore'
    const word = isAtomic ? site | SEQUENTIALLY_CONSISTENT : site
    if (isAtomic) this.noteSite(site)
    const value = operand === undefined ? undefined : this.take(operand)
    const base = this.takeAddress(offset)
    const instead = size > WORD_SIZE ? vectorInWords(out, { site, base, offset, value }) : undefined
    if (instead) {
      out.knowLog()
      this.unlessSplit([site], value === undefined ? TYPE.v128 : TYPE.empty, instead)
    }
    out.point(site, () => out.constant(word), this.address, size)
    out.record(() => out.constant(word), this.address)
    this.get(base)
    if (value !== undefined) this.get(value)
    out.bytes(this.code)
    if (instead) out.byte(OP.end)
  }

  /** What it left behind is read again, which tells for every width and operator whether that is what it found. */
  update(instruction: Extract<MemoryInstruction, { kind: 'atomicUpdate' }>): void {
    const { out } = this
    const { size, offset, operand, compares, change } = instruction
    const wide = operand === TYPE.i64
    const site = out.context.addSite('atomicUpdate', size, this.at)
    const word = out.local('word', TYPE.i32)
    const old = out.local(wide ? 'old 64' : 'old', operand)
    this.noteSite(site)
    const value = this.take(operand)
    const expected = compares ? this.take(operand, 'expected') : undefined
    const base = this.takeAddress(offset)
    out.point(site, () => out.constant(site | SEQUENTIALLY_CONSISTENT), this.address, size)
    this.get(base)
    if (expected !== undefined) this.get(expected)
    this.get(value)
    out.bytes(this.code)
    out.op(OP.localTee, old)
    this.get(base)
    out.memory(reload(size, wide), 0, offset)
    out.byte(wide ? OP.i64Ne : OP.i32Ne)
    this.flag(LogWord.changed)
    if (expected === undefined) out.constant(LogWord.succeeded)
    else {
      this.get(old)
      this.get(expected)
      out.byte(wide ? OP.i64Ne : OP.i32Ne)
      out.byte(OP.i32Eqz)
      this.flag(LogWord.succeeded)
    }
    out.byte(OP.i32Or)
    const logsExpected = expected !== undefined && !wide
    const kind = logsExpected ? LogWord.compares : change === undefined ? 0 : LogWord[change]
    out.constant(site | SEQUENTIALLY_CONSISTENT | kind)
    out.byte(OP.i32Or)
    out.op(OP.localSet, word)
    out.record(() => this.get(word), this.address)
    if (logsExpected) out.record(() => this.get(expected), value)
    this.get(old)
  }

  fence(): void {
    const { out } = this
    const site = out.context.addSite('fence', 0, this.at)
    out.constant(0)
    out.op(OP.localSet, this.address)
    out.point(site, () => out.constant(site | SEQUENTIALLY_CONSISTENT), this.address, 0)
    out.record(() => out.constant(site | SEQUENTIALLY_CONSISTENT), this.address)
  }

  /** A copy or a fill: one step, whatever its length, unless the machine wants it word by word. */
  bulk(kind: 'copy' | 'fill' | 'init'): void {
    const { out } = this
    const copies = kind === 'copy'
    const length = this.take(TYPE.i32, 'length')
    const other = this.take(TYPE.i32, copies ? 'source' : 'operand')
    out.op(OP.localSet, this.address)
    const target = this.address
    const load = copies ? out.context.addSite('load', 0, this.at) : -1
    const store = out.context.addSite('store', 0, this.at)
    out.knowLog()
    this.unlessSplit(copies ? [load, store] : [store], TYPE.empty, () => {
      const words = new BulkWords(out, { target, other, length, code: this.code })
      if (copies) words.copy(load, store)
      else words.write(store, kind === 'init')
    })
    this.unlessEmpty(length, () => {
      if (copies) range(out, load, other, length, true)
      range(out, store, target, length, !copies)
    })
    this.get(target)
    this.get(other)
    this.get(length)
    out.bytes(this.code)
    out.byte(OP.end)
  }

  init(segment: number): void {
    const dropped = this.raw.dropped.get(segment)
    if (dropped !== undefined) {
      // A segment that was dropped is empty: the instruction traps unless it copies nothing.
      const { out } = this
      const length = this.take(TYPE.i32, 'length')
      out.op(OP.globalGet, dropped)
      this.get(length)
      out.constant(0)
      out.bytes([OP.i32Ne, OP.i32And, OP.if, TYPE.empty])
      this.noteSite(out.context.addSite('trap', 0, this.at))
      out.bytes([OP.unreachable, OP.end])
      this.get(length)
    }
    this.bulk('init')
  }

  /** Segments belong to an instance, which is a thread: they stay in the module, and the thread remembers. */
  drop(segment: number): void {
    this.out.constant(1)
    this.out.op(OP.globalSet, this.raw.dropped.get(segment)!)
  }

  /** How much memory there is lies in memory itself, so that reading it and growing conflict. */
  size(): void {
    const { out, raw } = this
    if (raw.sizeAddress === 0) {
      out.bytes(this.code)
      return
    }
    const site = out.context.addSite('load', 4, this.at, { callee: 'memory.size' })
    out.constant(raw.sizeAddress)
    out.op(OP.localSet, this.address)
    out.point(site, () => out.constant(site), this.address, 4, false)
    out.record(() => out.constant(site), this.address)
    out.constant(raw.sizeAddress)
    out.memory(OP.i32Load, 2, 0)
  }

  grow(): void {
    const { out, raw } = this
    const word = out.local('word', TYPE.i32)
    const old = out.local('old', TYPE.i32)
    const site = out.context.addSite('atomicUpdate', 4, this.at, { callee: 'memory.grow' })
    const pages = this.take(TYPE.i32)
    out.constant(raw.sizeAddress)
    out.op(OP.localSet, this.address)
    out.point(site, () => out.constant(site | SEQUENTIALLY_CONSISTENT), this.address, 4, false)
    this.get(pages)
    out.op(OP.call, out.context.imports.grow)
    out.op(OP.localTee, old)
    out.constant(-1)
    out.byte(OP.i32Ne)
    this.flag(LogWord.changed)
    out.constant(site | SEQUENTIALLY_CONSISTENT | LogWord.succeeded)
    out.byte(OP.i32Or)
    out.op(OP.localSet, word)
    out.record(() => this.get(word), this.address)
    this.get(old)
  }

  private unlessEmpty(length: number, then: () => void): void {
    const { out } = this
    out.knowLog()
    this.get(length)
    out.bytes([OP.if, TYPE.empty])
    then()
    out.byte(OP.end)
  }

  /** Begins an `if`: `words` where one of the sites is to be split, and else what the caller writes up to its end. */
  private unlessSplit(sites: readonly number[], result: number, words: () => void): void {
    const { out } = this
    sites.forEach((site, i) => {
      out.constant(0)
      out.memory(OP.i32Load8U, 0, out.context.flags + site)
      if (i > 0) out.byte(OP.i32Or)
    })
    out.constant(SPLIT_FLAG)
    out.bytes([OP.i32And, OP.if, result])
    words()
    out.byte(OP.else)
  }

  /** For traps of the instruction itself. */
  private noteSite(site: number): void {
    this.out.constant(site)
    this.out.op(OP.globalSet, this.out.context.globals.site)
  }

  /** Turns the truth value on the stack into a bit of the log word. */
  private flag(bit: number): void {
    this.out.constant(Math.log2(bit))
    this.out.byte(OP.i32Shl)
  }

  private take(type: number, name = 'operand'): number {
    const local = this.out.local(`${name} ${type}`, type)
    this.out.op(OP.localSet, local)
    return local
  }

  /** Takes the base from the stack and leaves the address in `address`; returns where the base is. */
  private takeAddress(offset: number): number {
    const { out } = this
    if (offset === 0) {
      out.op(OP.localSet, this.address)
      return this.address
    }
    const base = out.local('base', TYPE.i32)
    out.op(OP.localTee, base)
    out.constant(offset | 0)
    out.byte(OP.i32Add)
    out.op(OP.localSet, this.address)
    return base
  }

  private get(local: number): void {
    this.out.op(OP.localGet, local)
  }
}

function reload(size: number, wide: boolean): number {
  if (wide) {
    return size === 8 ? OP.i64Load : size === 4 ? OP.i64Load32U : size === 2 ? OP.i64Load16U : OP.i64Load8U
  }
  return size === 4 ? OP.i32Load : size === 2 ? OP.i32Load16U : OP.i32Load8U
}
