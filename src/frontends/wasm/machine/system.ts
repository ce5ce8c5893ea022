import type { Output } from '../../../machine/machine.js'
import { Mode, Op } from '../../../machine/operation.js'
import { argumentName, environmentName, STANDARD_INPUT } from '../../../symbolic/input-names.js'
import { callFrames, ownCall } from './call-stack.js'
import { EPOCH } from './clock.js'
import { errno } from './errno.js'
import type { Files } from './files.js'
import { refuseWaiting } from './interrupts.js'
import type { Kernel } from './kernel.js'
import { pollOneoff } from './poll.js'
import type { InputValues } from './symbolic-inputs.js'
import { ALWAYS } from './thread-states.js'

/** What the program is given. */
export interface ProgramInput {
  readonly name: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly stdin: string | Uint8Array
  /** Bytes a program may print in one execution. */
  readonly maxOutput: number
}

const STDIN = 0
const STDOUT = 1
const STDERR = 2
const CHARACTER_DEVICE = 2
const EPOCH_NANOSECONDS = BigInt(EPOCH) * 1_000_000_000n
/** Reading the clock takes this long, so that whoever waits for it to advance does not wait for ever. */
const CLOCK_READ = 1000

/** A stretch of what was printed. */
interface Print {
  /** Where it ends among the bytes printed. */
  end: number
  readonly thread: number
  readonly site: number
  readonly stream: string
  /** Events logged before it: nothing comes between two with the same number. */
  readonly at: number
  readonly calls: readonly number[] | undefined
}

/** An argument, or a variable of the environment. */
interface Item {
  readonly text: Uint8Array
  /** What its last part, from some byte on, is called as an input of the program. */
  readonly input?: string
  readonly from?: number
}

/** The rest of the operating system: arguments, environment, standard streams, clocks, assertions. */
export class System {
  private readonly printed: Uint8Array
  private length = 0
  private readonly prints: Print[] = []
  private read = 0
  private readonly stdin: Uint8Array
  private readonly random: number[] = []
  private readonly texts = new Map<string, Uint8Array>()

  constructor(
    private readonly kernel: Kernel,
    private readonly input: ProgramInput,
    private readonly values: InputValues,
    private readonly files: Files,
  ) {
    this.printed = new Uint8Array(input.maxOutput)
    this.stdin = typeof input.stdin === 'string' ? new TextEncoder().encode(input.stdin) : input.stdin
    kernel.printed = () => this.output
    kernel.hasState({
      reset: () => this.goBack(0),
      // What was printed only grows.
      mark: () => (this.read === 0 && this.random.length === 0 ? this.length : -1),
      goBack: (printed) => this.goBack(printed),
    })
  }

  private goBack(printed: number): void {
    this.length = printed
    while (this.prints.length > 0 && this.prints[this.prints.length - 1].end > printed) this.prints.pop()
    this.read = 0
    if (this.random.length > 0) this.random.length = 0
  }

  get output(): string {
    return new TextDecoder().decode(this.printed.subarray(0, this.length))
  }

  /** A thousandth of what is taken for printing without end. */
  get hasPrintedMuch(): boolean {
    return this.length > this.printed.length / 1000
  }

  /** What was printed, by who printed it. What one call printed in several pieces is one. */
  get outputs(): readonly Output[] {
    const decoder = new TextDecoder()
    const { sites } = this.kernel.artifact
    let start = 0
    return this.prints.map(({ end, thread, site, stream, at, calls }) => {
      const text = decoder.decode(this.printed.subarray(start, end))
      start = end
      return { thread, site, stream, text, at, ...(calls ? { frames: callFrames(sites, site, calls) } : {}) }
    })
  }

  readonly calls = {
    __wrap_sched_yield: (): number => {
      if (this.kernel.phase() === 0 && this.kernel.stopsBefore(Op.yield, -1, ALWAYS, 0)) return 0
      this.kernel.journal.recordIdle(Op.yield)
      return 0
    },

    fl_sleep: (nanoseconds: number): void => {
      const { kernel } = this
      refuseWaiting(kernel, 'sleeps', kernel.callSite())
      if (kernel.phase() === 0 && kernel.stopsBefore(Op.yield, -1, ALWAYS, 0)) return
      kernel.states.clock[kernel.running] += nanoseconds
      kernel.journal.recordIdle(Op.yield)
      kernel.cancellation.point()
    },

    /** Streams are locked inside: who comes first gets what comes next, and that is no race. */
    fl_stream: (stream: number): void => {
      this.calls.fl_touch(stream, 1)
      this.files.useStream()
    },

    fl_touch: (object: number, changes: number): void => {
      const location = this.kernel.addresses.object('state', object >>> 0)
      if (changes) this.touch(Op.change, Mode.write, location)
      else this.touch(Op.look, Mode.read, location)
    },

    __wrap___assert_fail: (expression: number, file: number, line: number, _function: number): void => {
      const { kernel } = this
      const site = kernel.callSite()
      kernel.fail(
        'assertion',
        `assertion ${kernel.memory.text(expression)} failed at ${kernel.memory.text(file)}:${line}`,
        ownCall(kernel.artifact.sites, kernel.placeOf(site).calls) ?? site,
      )
    },

    __wrap_abort: (): void => {
      this.kernel.fail('trap', 'the program calls abort', this.kernel.callSite())
    },
  }

  readonly systemCalls = {
    proc_exit: (code: number): void => {
      if (this.kernel.phase() === 0) this.kernel.endings.exitProcess(code)
    },

    args_sizes_get: (count: number, size: number): number => this.listSizes(this.args(), count, size),
    args_get: (pointers: number, buffer: number): number => this.list(this.args(), pointers, buffer),
    environ_sizes_get: (count: number, size: number): number =>
      this.listSizes(this.environment(), count, size),
    environ_get: (pointers: number, buffer: number): number =>
      this.list(this.environment(), pointers, buffer),

    clock_res_get: (_clock: number, result: number): number => {
      this.writes(result, 8)
      this.store64(result, BigInt(CLOCK_READ))
      return 0
    },
    clock_time_get: (_clock: number, _precision: bigint, result: number): number => {
      const { states, running } = this.kernel
      this.writes(result, 8)
      states.clock[running] += CLOCK_READ
      this.store64(result, EPOCH_NANOSECONDS + BigInt(Math.floor(states.clock[running])))
      this.kernel.disturb()
      return 0
    },
    /** A sequence of its own per thread. */
    random_get: (buffer: number, length: number): number => {
      const { running, threads } = this.kernel
      this.writes(buffer, length)
      const { bytes } = this.kernel.memory
      let state = this.random[running] ?? threads.hashes[running]
      for (let i = 0; i < length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) | 0
        bytes[(buffer >>> 0) + i] = state >>> 24
      }
      this.random[running] = state
      this.kernel.disturb()
      return 0
    },

    sched_yield: (): number => this.calls.__wrap_sched_yield(),
    poll_oneoff: (subscriptions: number, events: number, count: number, result: number): number =>
      pollOneoff(this.kernel, subscriptions, events, count, result),

    fd_close: (file: number): number => (isStandard(file) ? 0 : this.files.close(file)),
    fd_fdstat_get: (file: number, result: number): number => {
      if (!isStandard(file) && !this.files.has(file)) return errno.badFile
      this.writes(result, 24)
      const { bytes } = this.kernel.memory
      // A terminal: libc then prints line by line, and nothing is lost when the program fails.
      bytes.fill(0, result >>> 0, (result >>> 0) + 24)
      bytes[result >>> 0] = isStandard(file) ? CHARACTER_DEVICE : this.files.typeOf(file)
      if (isStandard(file)) return 0
      this.store64(result + 8, this.files.rights)
      this.store64(result + 16, this.files.rights)
      return 0
    },
    fd_fdstat_set_flags: (): number => errno.badFile,
    fd_seek: (file: number, offset: bigint, whence: number, result: number): number =>
      isStandard(file) ? errno.badFile : this.files.calls.fd_seek(file, offset, whence, result),
    fd_read: (file: number, vectors: number, count: number, result: number): number => {
      if (!isStandard(file)) return this.files.read(file, vectors, count, result)
      if (file !== STDIN) return errno.badFile
      this.moveInput()
      this.reads(vectors, (count >>> 0) * 8)
      this.writes(result, 4)
      const { bytes, words } = this.kernel.memory
      let total = 0
      for (let i = 0; i < count; i++) {
        const at = words[(vectors >>> 2) + 2 * i] >>> 0
        const length = words[(vectors >>> 2) + 2 * i + 1] >>> 0
        const all = this.values.valueOf(STANDARD_INPUT, this.stdin) ?? this.stdin
        const part = all.subarray(this.read, this.read + length)
        this.writes(at, part.length)
        bytes.set(part, at)
        this.values.placed?.(STANDARD_INPUT, bytes, at, part.length, this.read)
        this.read += part.length
        total += part.length
      }
      words[result >>> 2] = total
      this.kernel.disturb()
      return 0
    },
    fd_write: (file: number, vectors: number, count: number, result: number): number => {
      if (!isStandard(file)) return this.files.write(file, vectors, count, result)
      if (file === STDIN) return errno.badFile
      this.reads(vectors, (count >>> 0) * 8)
      this.writes(result, 4)
      const { bytes, words } = this.kernel.memory
      let total = 0
      for (let i = 0; i < count; i++) {
        const at = words[(vectors >>> 2) + 2 * i] >>> 0
        const length = words[(vectors >>> 2) + 2 * i + 1] >>> 0
        this.reads(at, length)
        this.print(bytes.subarray(at, at + length), file === STDOUT ? 'stdout' : 'stderr')
        this.kernel.follower?.printed(at, length)
        total += length
      }
      words[result >>> 2] = total
      this.kernel.disturb()
      return 0
    },
  }

  private touch(kind: number, mode: number, location: number): void {
    const { kernel } = this
    if (kernel.phase() === 0 && kernel.stopsBefore(kind, location, ALWAYS, 0)) return
    kernel.record(kind, mode, location, -1)
  }

  /** Who reads first gets what comes next. Programs linked with our runtime are asked before their buffers are. */
  private moveInput(): void {
    const { kernel } = this
    if (kernel.own === undefined || kernel.constructing) return
    kernel.pending.site[kernel.running] = kernel.callSite()
    kernel.record(Op.atomicUpdate, Mode.write, kernel.locations.intern('process', 'standard input'), -1)
  }

  private reads(address: number, size: number): void {
    this.kernel.journal.hostAccess('buffer to read', address >>> 0, size >>> 0, false)
  }

  private writes(address: number, size: number): void {
    this.kernel.journal.hostAccess('place for a result', address >>> 0, size >>> 0, true)
  }

  private print(text: Uint8Array, stream: string): void {
    if (text.length === 0) return
    if (this.length + text.length > this.printed.length) {
      const message = `the program prints without end: more than ${this.printed.length} bytes in one execution`
      this.kernel.fail('livelock', message, this.kernel.callSite())
    }
    this.printed.set(text, this.length)
    this.length += text.length
    this.notePrint(stream)
  }

  private notePrint(stream: string): void {
    const { kernel } = this
    const thread = kernel.running
    const site = kernel.callSite()
    const at = kernel.events.count
    const last = this.prints.at(-1)
    if (last && last.thread === thread && last.site === site && last.stream === stream && last.at === at) {
      last.end = this.length
      return
    }
    const calls = kernel.keepsStacks ? kernel.placeOf(site).calls : undefined
    this.prints.push({ end: this.length, thread, site, stream, at, calls })
  }

  private args(): Item[] {
    const { name, args } = this.input
    return [{ text: this.encoded(name) }, ...args.map((arg, i) => this.item('', argumentName(i + 1), arg))]
  }

  private environment(): Item[] {
    return Object.entries(this.input.environment).map(([name, value]) =>
      this.item(`${name}=`, environmentName(name), value),
    )
  }

  /** A text that may end with an input of the program. */
  private item(head: string, input: string, given: string): Item {
    const value = this.values.valueOf(input, this.encoded(given))
    const before = this.encoded(head)
    const text = value === undefined ? this.encoded(head + given) : Uint8Array.from([...before, ...value])
    return { text, input, from: before.length }
  }

  /** The same few texts are asked for in every execution. */
  private encoded(text: string): Uint8Array {
    let known = this.texts.get(text)
    if (known === undefined) {
      known = new TextEncoder().encode(text)
      this.texts.set(text, known)
    }
    return known
  }

  private listSizes(items: readonly Item[], count: number, size: number): number {
    this.writes(count, 4)
    this.writes(size, 4)
    const { words } = this.kernel.memory
    words[count >>> 2] = items.length
    words[size >>> 2] = sizeOf(items)
    return 0
  }

  private list(items: readonly Item[], pointers: number, buffer: number): number {
    const { bytes, words } = this.kernel.memory
    let at = buffer >>> 0
    this.writes(pointers, items.length * 4)
    this.writes(buffer, sizeOf(items))
    items.forEach(({ text, input, from = 0 }, i) => {
      words[(pointers >>> 2) + i] = at
      bytes.set(text, at)
      bytes[at + text.length] = 0
      if (input) this.values.placed?.(input, bytes, at + from, text.length - from, 0)
      at += text.length + 1
    })
    return 0
  }

  private store64(address: number, value: bigint): void {
    new DataView(this.kernel.memory.bytes.buffer).setBigUint64(address >>> 0, value, true)
  }
}

export function isStandard(file: number): boolean {
  return file >= STDIN && file <= STDERR
}

/** With a zero after each. */
function sizeOf(items: readonly Item[]): number {
  return items.reduce((sum, { text }) => sum + text.length + 1, 0)
}
