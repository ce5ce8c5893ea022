/** Reading and writing the primitive encodings of WebAssembly binaries. */

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The bytes are not what they should be. */
export class WasmFormatError extends Error {
  override readonly name = 'WasmFormatError'
}

/** Never reads past its end: throws a `WasmFormatError` instead. */
export class Reader {
  readonly end: number

  constructor(
    readonly bytes: Uint8Array,
    public at = 0,
    end = bytes.length,
  ) {
    if (end > bytes.length || at > end) throw ended(bytes.length)
    this.end = end
  }

  get done(): boolean {
    return this.at >= this.end
  }

  byte(): number {
    if (this.at >= this.end) throw ended(this.at)
    return this.bytes[this.at++]
  }

  skip(length: number): void {
    if (length > this.end - this.at) throw ended(this.end)
    this.at += length
  }

  /** Unsigned LEB128 of at most 32 bits. */
  u32(): number {
    let result = 0
    let shift = 0
    for (;;) {
      const byte = this.byte()
      result |= (byte & 0x7f) << shift
      if (byte < 0x80) return result >>> 0
      shift += 7
    }
  }

  /** Signed LEB128 of at most 32 bits. */
  s32(): number {
    let result = 0
    let shift = 0
    for (;;) {
      const byte = this.byte()
      result |= (byte & 0x7f) << shift
      shift += 7
      if (byte < 0x80) return shift < 32 && byte & 0x40 ? result | (-1 << shift) : result
    }
  }

  /** Passes over one LEB128 of any width. */
  skipLeb(): void {
    while (this.byte() >= 0x80);
  }

  take(length: number): Uint8Array {
    const start = this.at
    this.skip(length)
    return this.bytes.subarray(start, this.at)
  }

  name(): string {
    return decoder.decode(this.take(this.u32()))
  }
}

function ended(at: number): WasmFormatError {
  return new WasmFormatError(`the module ends too early, at byte ${at}`)
}

export class Writer {
  private buffer: Uint8Array<ArrayBuffer>
  length = 0

  constructor(capacity = 256) {
    this.buffer = new Uint8Array(capacity)
  }

  byte(value: number): void {
    if (this.length === this.buffer.length) this.reserve(1)
    this.buffer[this.length++] = value
  }

  bytes(values: Uint8Array | readonly number[]): void {
    this.reserve(values.length)
    this.buffer.set(values, this.length)
    this.length += values.length
  }

  u32(value: number): void {
    let rest = value >>> 0
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  s32(value: number): void {
    let rest = value | 0
    for (;;) {
      const low = rest & 0x7f
      rest >>= 7
      if ((rest === 0 && !(low & 0x40)) || (rest === -1 && low & 0x40)) {
        this.byte(low)
        return
      }
      this.byte(low | 0x80)
    }
  }

  /** A whole number, of more than 32 bits if need be. */
  s64(value: number): void {
    let rest = BigInt(value)
    for (;;) {
      const low = Number(rest & 0x7fn)
      rest >>= 7n
      if ((rest === 0n && !(low & 0x40)) || (rest === -1n && low & 0x40)) {
        this.byte(low)
        return
      }
      this.byte(low | 0x80)
    }
  }

  name(text: string): void {
    this.sized(encoder.encode(text))
  }

  /** A length and that many bytes. */
  sized(content: Uint8Array): void {
    this.u32(content.length)
    this.bytes(content)
  }

  view(): Uint8Array<ArrayBuffer> {
    return this.buffer.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return
    const grown = new Uint8Array(Math.max(this.buffer.length * 2, this.length + more))
    grown.set(this.buffer.subarray(0, this.length))
    this.buffer = grown
  }
}
