/**
 * What LLVM's bitcode says of the functions of a unit, as far as it takes a few bytes of it to know: all attributes that
 * functions, parameters and calls have are listed once, near the beginning.
 */

/** Of the format: blocks, abbreviations that every block has, records, kinds of attributes. */
const MODULE_BLOCK = 8
const ATTRIBUTES_BLOCK = 10
const END_BLOCK = 0
const ENTER_BLOCK = 1
const PLAIN_RECORD = 3
const ATTRIBUTES = 3
const BY_VALUE = 3
const TypeOfAttribute = { plain: 0, number: 1, text: 3, texts: 4, untyped: 5, typed: 6 } as const

/** Whether a structure is passed by value to any function; undefined where that does not show at once. */
export function passesByValue(bitcode: Uint8Array): boolean | undefined {
  const bits = new Bits(bitcode)
  if (bits.fixed(32) !== 0xdec04342) return undefined
  if (!enter(bits, MODULE_BLOCK, 2)) return undefined
  const width = bits.enterBlock()
  if (!enter(bits, ATTRIBUTES_BLOCK, width)) return undefined
  const inner = bits.enterBlock()
  for (;;) {
    const abbreviation = bits.fixed(inner)
    if (bits.isBeyond || abbreviation === END_BLOCK) return bits.isBeyond ? undefined : false
    if (abbreviation !== PLAIN_RECORD) return undefined
    const { code, values } = bits.plainRecord()
    const isFound = code === ATTRIBUTES ? namesByValue(values) : undefined
    if (isFound !== false) return isFound
  }
}

/** Goes to the first block of that kind among those that come next; false if something else comes before it. */
function enter(bits: Bits, wanted: number, width: number): boolean {
  while (!bits.isBeyond) {
    const abbreviation = bits.fixed(width)
    if (abbreviation === PLAIN_RECORD) bits.plainRecord()
    else if (abbreviation !== ENTER_BLOCK) return false
    else if (bits.variable(8) === wanted) return true
    else bits.skipBlock()
  }
  return false
}

/** Of a group of attributes: its number, what has it, then each attribute. */
function namesByValue(values: readonly number[]): boolean | undefined {
  for (let i = 2; i < values.length; ) {
    const [type, key] = [values[i], values[i + 1]]
    if (type === TypeOfAttribute.plain) i += 2
    else if (type === TypeOfAttribute.number) i += 3
    else if (type === TypeOfAttribute.text || type === TypeOfAttribute.texts) {
      i = values.indexOf(0, i + 1) + 1
      if (type === TypeOfAttribute.texts) i = values.indexOf(0, i) + 1
      if (i === 0) return undefined
    } else if (type === TypeOfAttribute.untyped || type === TypeOfAttribute.typed) {
      if (key === BY_VALUE) return true
      i += type === TypeOfAttribute.typed ? 3 : 2
    } else return undefined
  }
  return false
}

/** Reads bits, lowest first. Beyond the end all are zero. */
class Bits {
  private at = 0

  constructor(private readonly bytes: Uint8Array) {}

  get isBeyond(): boolean {
    return this.at > this.bytes.length * 8
  }

  fixed(width: number): number {
    let value = 0
    for (let i = 0; i < width; i++, this.at++) {
      if (((this.bytes[this.at >> 3] ?? 0) >> (this.at & 7)) & 1) value += 2 ** i
    }
    return value
  }

  /** In chunks of so many bits, the highest of which says that another one follows. */
  variable(width: number): number {
    const more = 2 ** (width - 1)
    let value = 0
    for (let scale = 1; ; scale *= more) {
      const chunk = this.fixed(width)
      value += (chunk % more) * scale
      if (chunk < more) return value
    }
  }

  /** Once its kind was read: how wide its abbreviations are. */
  enterBlock(): number {
    const width = this.variable(4)
    this.align()
    this.fixed(32)
    return width
  }

  skipBlock(): void {
    this.variable(4)
    this.align()
    const words = this.fixed(32)
    this.at += words * 32
  }

  plainRecord(): { code: number; values: number[] } {
    const code = this.variable(6)
    const count = this.variable(6)
    const values: number[] = []
    for (let i = 0; i < count && !this.isBeyond; i++) values.push(this.variable(6))
    return { code, values }
  }

  private align(): void {
    this.at = Math.ceil(this.at / 32) * 32
  }
}
