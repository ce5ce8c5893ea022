import { LogWord, WORD_SIZE } from '../artifact.js'
import type { AccessEmitter } from './accesses.js'
import { OP, TYPE } from './instructions.js'

/** Point and log entries of an access of a range; both parts of it are in locals. */
export function range(
  out: AccessEmitter,
  site: number,
  address: number,
  length: number,
  stops: boolean,
): void {
  const word = site | LogWord.range
  out.pointOfRange(stops ? site : undefined, () => out.constant(word), address, length)
  out.record(() => out.constant(word), address)
  const zero = out.local('zero', TYPE.i32)
  out.record(() => out.op(OP.localGet, length), zero)
}

/** Locals of an instruction on a range, and the instruction itself. */
interface Bulk {
  readonly target: number
  /** Source of a copy, value of a fill, offset in the segment. */
  readonly other: number
  readonly length: number
  readonly code: Uint8Array
}

/**
 * Writes an instruction on a range word by word, each with its own point and log entry, as the loop of loads and stores
 * that it stands for. The log's offset is known throughout: all that changes it keeps it in its local.
 */
export class BulkWords {
  private readonly done: number
  private readonly piece: number

  constructor(
    private readonly out: AccessEmitter,
    private readonly bulk: Bulk,
  ) {
    this.done = out.local('done', TYPE.i32)
    this.piece = out.local('piece', TYPE.i32)
  }

  /** Pieces end where words of the target do. */
  write(store: number, advances: boolean): void {
    const { out, piece, done } = this
    const { target, other, length, code } = this.bulk
    this.loop(() => {
      const left = out.local('left', TYPE.i32)
      this.emit([OP.localGet, length, OP.localGet, done], OP.i32Sub)
      out.op(OP.localSet, left)
      out.constant(WORD_SIZE)
      out.op(OP.localGet, target)
      out.constant(WORD_SIZE - 1)
      out.bytes([OP.i32And, OP.i32Sub])
      out.op(OP.localTee, piece)
      out.op(OP.localGet, left)
      this.emit([OP.localGet, piece, OP.localGet, left], OP.i32LtU)
      out.byte(OP.select)
      out.op(OP.localSet, piece)
      range(out, store, target, piece, true)
      this.emit([OP.localGet, target, OP.localGet, other, OP.localGet, piece])
      out.bytes(code)
      this.advance(target)
      if (advances) this.advance(other)
      this.advance(done)
    })
  }

  /** Words where the target has whole ones, else bytes; from the end if the source would be overwritten otherwise. */
  copy(load: number, store: number): void {
    const { out, piece, done } = this
    const { target, other: source, length } = this.bulk
    const backwards = out.local('backwards', TYPE.i32)
    const from = out.local('from', TYPE.i32)
    const to = out.local('to', TYPE.i32)
    this.emit([OP.localGet, target, OP.localGet, source], OP.i32Sub)
    out.op(OP.localGet, length)
    out.byte(OP.i32LtU)
    out.op(OP.localSet, backwards)
    this.loop(() => {
      this.emit([OP.localGet, length, OP.localGet, done], OP.i32Sub)
      out.op(OP.localSet, to)
      this.choose(
        backwards,
        () => out.op(OP.localGet, to),
        () => out.op(OP.localGet, done),
      )
      out.op(OP.localGet, target)
      out.byte(OP.i32Add)
      out.constant(WORD_SIZE - 1)
      out.bytes([OP.i32And, OP.i32Eqz])
      out.op(OP.localGet, to)
      out.constant(WORD_SIZE)
      out.bytes([OP.i32GeU, OP.i32And])
      out.op(OP.localSet, piece)
      // 8 or 1
      out.constant(WORD_SIZE)
      out.constant(1)
      out.op(OP.localGet, piece)
      out.byte(OP.select)
      out.op(OP.localSet, piece)
      this.choose(
        backwards,
        () => this.emit([OP.localGet, to, OP.localGet, piece], OP.i32Sub),
        () => out.op(OP.localGet, done),
      )
      out.op(OP.localTee, from)
      out.op(OP.localGet, target)
      out.byte(OP.i32Add)
      out.op(OP.localSet, to)
      this.emit([OP.localGet, from, OP.localGet, source], OP.i32Add)
      out.op(OP.localSet, from)
      range(out, load, from, piece, true)
      this.read(from)
      range(out, store, to, piece, true)
      this.write8(to)
      this.advance(done)
    })
  }

  private read(from: number): void {
    const { out } = this
    this.ifWhole(TYPE.i64)
    out.op(OP.localGet, from)
    out.memory(OP.i64Load, 0, 0)
    out.byte(OP.else)
    out.op(OP.localGet, from)
    out.memory(OP.i64Load8U, 0, 0)
    out.byte(OP.end)
    out.op(OP.localSet, out.local('word 64', TYPE.i64))
  }

  private write8(to: number): void {
    const { out } = this
    const word = out.local('word 64', TYPE.i64)
    this.ifWhole(TYPE.empty)
    this.emit([OP.localGet, to, OP.localGet, word])
    out.memory(OP.i64Store, 0, 0)
    out.byte(OP.else)
    this.emit([OP.localGet, to, OP.localGet, word])
    out.memory(I64_STORE8, 0, 0)
    out.byte(OP.end)
  }

  private ifWhole(result: number): void {
    const { out, piece } = this
    out.op(OP.localGet, piece)
    out.constant(1)
    out.bytes([OP.i32Ne, OP.if, result])
  }

  /** `body` until `done` is the length. */
  private loop(body: () => void): void {
    const { out, done } = this
    const { length } = this.bulk
    out.constant(0)
    out.op(OP.localSet, done)
    out.op(OP.localGet, length)
    out.bytes([OP.if, TYPE.empty, OP.loop, TYPE.empty])
    body()
    this.emit([OP.localGet, done, OP.localGet, length], OP.i32LtU)
    out.op(OP.brIf, 0)
    out.bytes([OP.end, OP.end])
  }

  /** One of two values, by a local. */
  private choose(condition: number, yes: () => void, no: () => void): void {
    const { out } = this
    yes()
    no()
    out.op(OP.localGet, condition)
    out.byte(OP.select)
  }

  private advance(local: number): void {
    this.emit([OP.localGet, local, OP.localGet, this.piece], OP.i32Add)
    this.out.op(OP.localSet, local)
  }

  /** Instructions with one immediate each, then one without. */
  private emit(pairs: readonly number[], last?: number): void {
    for (let i = 0; i < pairs.length; i += 2) this.out.op(pairs[i], pairs[i + 1])
    if (last !== undefined) this.out.byte(last)
  }
}

const I64_STORE8 = 0x3c
const SPLAT = [OP.vector, 0x12]
const EXTRACT = [OP.vector, 0x1d]
const REPLACE = [OP.vector, 0x1e]

/** A plain load or store of 16 bytes as two of 8. */
export function vectorInWords(
  out: AccessEmitter,
  { site, base, offset, value }: { site: number; base: number; offset: number; value: number | undefined },
): () => void {
  return () => {
    const address = out.local('address', TYPE.i32)
    const at = out.local('to', TYPE.i32)
    const piece = out.local('piece', TYPE.i32)
    out.constant(WORD_SIZE)
    out.op(OP.localSet, piece)
    for (const lane of [0, 1]) {
      out.op(OP.localGet, address)
      out.constant(lane * WORD_SIZE)
      out.byte(OP.i32Add)
      out.op(OP.localSet, at)
      range(out, site, at, piece, true)
      out.op(OP.localGet, base)
      if (value === undefined) {
        out.memory(OP.i64Load, 0, offset + lane * WORD_SIZE)
        out.op(OP.localSet, out.local(`lane ${lane}`, TYPE.i64))
        continue
      }
      out.op(OP.localGet, value)
      out.bytes([...EXTRACT, lane])
      out.memory(OP.i64Store, 0, offset + lane * WORD_SIZE)
    }
    if (value !== undefined) return
    out.op(OP.localGet, out.local('lane 0', TYPE.i64))
    out.bytes(SPLAT)
    out.op(OP.localGet, out.local('lane 1', TYPE.i64))
    out.bytes([...REPLACE, 1])
  }
}
