import { outsideOf } from '../symbolic/input-names.js'
import type { InputValues } from './wasm/machine/symbolic-inputs.js'
import { UnsupportedError } from './wasm/toolchain/errors.js'

const NUMBERS = [1, 2, 4, 8]
/** Text that needs no quotes in a report. */
const printable = /^[\x20-\x7e]*$/

/** The bytes of an input as `--input` takes them: a number, `text:…`, or `hex:…`. */
export function writeValue(bytes: Uint8Array, isText = false): string {
  if (!isText && NUMBERS.includes(bytes.length)) return numberIn(bytes).toString()
  const end = bytes.indexOf(0)
  const text = Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('latin1')
  const isPadded = end < 0 || bytes.subarray(end).every((byte) => byte === 0)
  return isPadded && printable.test(text) ? `text:${text}` : `hex:${Buffer.from(bytes).toString('hex')}`
}

function numberIn(bytes: Uint8Array): bigint {
  const value = [...bytes].reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return BigInt.asIntN(8 * bytes.length, value)
}

/** The bytes that a value stands for, for an object of so many. */
export function readValue(name: string, text: string, size: number): Uint8Array {
  const fail = (why: string): never => {
    throw new UnsupportedError(`--input ${name}=${text}: ${why}`, [])
  }
  if (/^-?(?:0x[0-9a-f]+|\d+)$/i.test(text)) {
    const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
    const bits = 8 * size
    if (BigInt.asUintN(bits, value) !== value && BigInt.asIntN(bits, value) !== value)
      fail(`${name} has ${size} bytes, into which that number does not fit`)
    const cut = BigInt.asUintN(bits, value)
    return Uint8Array.from({ length: size }, (_, i) => Number((cut >> BigInt(8 * i)) & 0xffn))
  }
  const bytes = bytesIn(text) ?? fail('write a number, text:… or hex:… with two digits per byte')
  if (bytes.length > size) fail(`${name} has ${size} bytes, these are ${bytes.length}`)
  return Uint8Array.from({ length: size }, (_, i) => bytes[i] ?? 0)
}

/** Of a value that is no number. */
export function bytesIn(text: string): Uint8Array | undefined {
  if (text.startsWith('text:')) return Buffer.from(text.slice(5))
  return /^hex:(?:[0-9a-f]{2})*$/i.test(text) ? Buffer.from(text.slice(4), 'hex') : undefined
}

/** Inputs with values that were given. */
export class GivenInputs implements InputValues {
  readonly areInputs = true
  private readonly met = new Set<string>()

  constructor(private readonly given: Readonly<Record<string, string>>) {}

  /** What sets a program with these values apart. */
  get mark(): string {
    return JSON.stringify(this.given)
  }

  valueOf(name: string, now: Uint8Array): Uint8Array | undefined {
    this.met.add(name)
    const text = this.given[name]
    return text === undefined ? undefined : readValue(name, text, now.length)
  }

  /** Values that no object has asked for, in words. */
  get warnings(): readonly string[] {
    const unused = Object.keys(this.given).filter((name) => !this.met.has(name))
    const known = [...this.met].filter((name) => outsideOf(name) === undefined)
    return unused.map(
      (name) =>
        `--input ${name}: the program has declared no input of that name; ${known.length > 0 ? `known are ${known.join(', ')}` : 'it has declared none'}`,
    )
  }
}
