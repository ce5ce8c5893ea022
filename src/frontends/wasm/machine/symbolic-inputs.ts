import { Mode, Op } from '../../../machine/operation.js'
import { outsideOf } from '../../../symbolic/input-names.js'
import { UnsupportedError } from '../toolchain/errors.js'
import { bytes } from './amounts.js'
import { resettable } from './execution-state.js'
import type { Kernel } from './kernel.js'

/** Bytes that one object may have: a test with more input than this is not explored to any end. */
export const LARGEST_INPUT = 4096

/** Where the values of inputs come from. */
export interface InputValues {
  /** Values that nothing determines are inputs, not choices. */
  readonly areInputs: boolean
  /** What sets a program with these values apart from the same with others. */
  readonly mark?: string
  /** What an input is to be, if that is given; `now` is what the program has put there. */
  valueOf(name: string, now: Uint8Array): Uint8Array | undefined
  /** Bytes of an input, from one on, are now at an address of memory. */
  placed?(name: string, memory: Uint8Array, address: number, size: number, from: number): void
  /** Told in words of a declaration that comes late. */
  late?(message: string): void
}

export const noInputs: InputValues = { areInputs: false, valueOf: () => undefined }

/** Objects that the program declares to be its input: `faultline_symbolic`, `__VERIFIER_nondet_int` and its kin. */
export class SymbolicInputs {
  /** How often each thread has declared an input of each name. */
  private readonly declared = new Map<string, number>()
  private readonly objects: { readonly start: number; readonly end: number; readonly name: string }[] = []

  constructor(
    private readonly kernel: Kernel,
    private readonly values: InputValues,
  ) {
    const reset = () => {
      this.declared.clear()
      this.objects.length = 0
    }
    kernel.hasState(resettable(() => this.declared.size === 0, reset))
  }

  readonly calls = {
    fl_symbolic: (address: number, size: number, name: number): void =>
      this.declare(address >>> 0, size >>> 0, this.kernel.memory.text(name)),

    fl_has_inputs: (): number => (this.values.areInputs ? 1 : 0),
  }

  private declare(address: number, size: number, name: string): void {
    const { kernel, values } = this
    this.check(address, size, name)
    const input = this.numbered(name)
    const memory = kernel.memory.bytes
    const value = values.valueOf(input, memory.slice(address, address + size))
    if (value !== undefined) memory.set(value, address)
    values.placed?.(input, memory, address, size, 0)
    kernel.disturb()
  }

  /** Independent of what other threads do: by name, then by the thread unless it is main, then by count. */
  private numbered(name: string): string {
    const { threads, running } = this.kernel
    const own = running === 0 ? name : `${name}@${threads.names[running]}`
    const count = (this.declared.get(own) ?? 0) + 1
    this.declared.set(own, count)
    return count === 1 ? own : `${own}#${count}`
  }

  private check(address: number, size: number, name: string): void {
    const { kernel } = this
    const { dataStart, dataEnd } = kernel.artifact.layout
    if (kernel.constructing) this.refuse(name, 'is declared before main')
    if (name === '' || /[=@#]/.test(name)) this.refuse(name, 'needs a name, without =, @ and #')
    if (outsideOf(name) !== undefined)
      this.refuse(
        name,
        'has a name that stands for what comes from outside (stdin, arg1, env.HOME): take another',
      )
    if (size === 0) this.refuse(name, 'has no bytes: give the size of the object')
    if (size > LARGEST_INPUT)
      this.refuse(name, `has ${bytes(size)}; at most ${LARGEST_INPUT} can be an input`)
    kernel.faults.checkRange('symbolic object', address, size)
    // Stacks are used again and again.
    const isKept = (address >= dataStart && address < dataEnd) || kernel.heap.blockAt(address) !== undefined
    if (!isKept) return
    const end = address + size
    const other = this.objects.find((object) => address < object.end && object.start < end)
    if (other && (other.start !== address || other.end !== end))
      this.refuse(name, `overlaps "${other.name}", which is an input already`)
    if (other === undefined) this.noteUse(address, end, name)
    this.objects.push({ start: address, end, name })
  }

  /** What has been read before did not depend on the input, which is hardly what was meant. */
  private noteUse(address: number, end: number, name: string): void {
    const { kernel, values } = this
    const { events, addresses, locations } = kernel
    for (let i = 0; i < events.count && values.late; i++) {
      const location = events.location[i]
      if (location < 0 || locations.kinds[location] !== 'memory') continue
      if (events.mode[i] !== Mode.read && events.kind[i] !== Op.atomicUpdate) continue
      const start = addresses.start[location]
      if (start >= end || start + addresses.size[location] <= address) continue
      const read = this.placeOf(events.site[i])
      values.late(
        `${this.here()}the symbolic object "${name}" has been read before${read ? `, at ${read}` : ''}: what came of that does not depend on the input`,
      )
      return
    }
  }

  private placeOf(site: number): string {
    const { file, line } = this.kernel.artifact.sites[site] ?? {}
    return file && line ? `${file}:${line}` : ''
  }

  private here(): string {
    const place = this.placeOf(this.kernel.callSite())
    return place && `${place}: `
  }

  private refuse(name: string, what: string): never {
    throw new UnsupportedError(`${this.here()}the symbolic object "${name}" ${what}`, ['faultline_symbolic'])
  }
}
