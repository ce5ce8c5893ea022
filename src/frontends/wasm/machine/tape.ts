import type { Glue } from './glue.js'
import type { Piece } from './memory-map.js'
import type { ProgramMemory } from './program.js'

/**
 * What checkpoints are written on, and read back from in the same order. It lies in the program's memory, where the
 * program never gets to, so that parts of that memory are copied by one instruction.
 */
export class Tape {
  /** Address where the next word is written or read. */
  at: number
  private readonly number = new Float64Array(1)
  private readonly halves = new Int32Array(this.number.buffer)

  constructor(
    private readonly memory: ProgramMemory,
    private readonly glue: Glue,
    private readonly place: Piece,
  ) {
    this.at = place.start
  }

  get start(): number {
    return this.place.start
  }

  /** Whether so many bytes more have room; makes sure that memory reaches so far. */
  hasRoom(bytes: number): boolean {
    if (this.at + bytes > this.place.end) return false
    this.memory.reserve(this.place.end)
    return true
  }

  put(word: number): void {
    this.memory.words[this.at >>> 2] = word
    this.at += 4
  }

  take(): number {
    const word = this.memory.words[this.at >>> 2]
    this.at += 4
    return word
  }

  /** Any number, not only a word. */
  putNumber(value: number): void {
    this.number[0] = value
    this.put(this.halves[0])
    this.put(this.halves[1])
  }

  takeNumber(): number {
    this.halves[0] = this.take()
    this.halves[1] = this.take()
    return this.number[0]
  }

  putWords(words: Int32Array): void {
    this.memory.words.set(words, this.at >>> 2)
    this.at += words.byteLength
  }

  clear(at: number, length: number): void {
    this.memory.bytes.fill(0, at, at + length)
  }

  takeWords(words: Int32Array): void {
    const from = this.at >>> 2
    words.set(this.memory.words.subarray(from, from + words.length))
    this.at += words.byteLength
  }

  /** Memory from one address up to another. */
  putMemory(start: number, end: number): void {
    this.glue.copy(this.at, start, end - start)
    this.endAt(this.at + end - start)
  }

  /** Something was written up to an address: goes on at the next word. States are compared, so gaps are zero. */
  endAt(end: number): void {
    this.at = (end + 3) & ~3
    for (let i = end; i < this.at; i++) this.memory.bytes[i] = 0
  }

  takeMemory(start: number, end: number): void {
    this.glue.copy(start, this.at, end - start)
    this.at = (this.at + end - start + 3) & ~3
  }

  /** The first so many words of an array; for few of them. */
  putFirst(words: Int32Array, count: number): void {
    const target = this.memory.words
    const at = this.at >>> 2
    for (let i = 0; i < count; i++) target[at + i] = words[i]
    this.at += count << 2
  }

  takeFirst(words: Int32Array, count: number): void {
    const source = this.memory.words
    const at = this.at >>> 2
    for (let i = 0; i < count; i++) words[i] = source[at + i]
    this.at += count << 2
  }
}
