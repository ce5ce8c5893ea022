import { type Artifact, LogWord, PAIRED } from '../../src/frontends/wasm/artifact.js'

/**
 * The least that can run a built program: one thread, a bump allocator, no scheduling. Used to test what the toolchain
 * makes apart from the machine. With `suspend` every preemption point really unwinds the stack and rewinds it.
 */
export interface MiniRun {
  readonly code: number
  readonly output: string
  /** Decoded log of the whole run. */
  readonly log: readonly LogEntry[]
  readonly points: number
  readonly calls: readonly {
    readonly name: string
    readonly site: number
    readonly stack: readonly number[]
  }[]
}

export interface LogEntry {
  readonly site: number
  readonly address: number
  readonly order: number
  readonly changed: boolean
  readonly succeeded: boolean
  readonly wrote: boolean
  readonly length?: number
}

export interface MiniOptions {
  /** Which sites are preemption points. */
  readonly flag?: (site: number) => boolean
  readonly suspend?: boolean
  readonly arguments?: readonly string[]
}

const STACK = 1 << 17
const SHADOW = 1 << 12
const UNWIND = 1 << 15

export function miniRun(artifact: Artifact, options: MiniOptions = {}): MiniRun {
  const { layout } = artifact
  const stackEnd = layout.free + STACK
  const shadow = stackEnd
  const unwind = shadow + SHADOW
  let heap = unwind + UNWIND
  const log: LogEntry[] = []
  const calls: { name: string; site: number; stack: number[] }[] = []
  let output = ''
  let points = 0
  let rewinding = false
  let unwound = false

  const module = new WebAssembly.Module(artifact.wasm)
  const view = () => new DataView(exports.memory.buffer)
  const bytes = () => new Uint8Array(exports.memory.buffer)

  const drain = () => {
    const data = view()
    const end = layout.log + exports.fl_log.value
    for (let at = layout.log; at < end; at += 8) {
      const word = data.getUint32(at, true)
      const entry = {
        site: word & LogWord.siteMask,
        address: data.getUint32(at + 4, true),
        order: (word >>> LogWord.orderShift) & LogWord.orderMask,
        changed: (word & LogWord.changed) !== 0,
        succeeded: (word & LogWord.succeeded) !== 0,
        wrote: (word & LogWord.wrote) !== 0,
      }
      if (word & LogWord.range) {
        at += 8
        log.push({ ...entry, length: data.getUint32(at, true) })
      } else log.push(entry)
      if (word & PAIRED) at += 8
    }
    exports.fl_log.value = 0
  }

  const system: Record<string, (...args: number[]) => number> = {
    fd_write(_fd, vectors, count, written) {
      const data = view()
      let total = 0
      for (let i = 0; i < count; i++) {
        const at = data.getUint32(vectors + 8 * i, true)
        const length = data.getUint32(vectors + 8 * i + 4, true)
        output += Buffer.from(exports.memory.buffer, at, length).toString('utf8')
        total += length
      }
      data.setUint32(written, total, true)
      return 0
    },
    args_sizes_get(count, size) {
      const args = options.arguments ?? ['program']
      view().setUint32(count, args.length, true)
      view().setUint32(size, args.join('\0').length + 1, true)
      return 0
    },
    args_get(pointers, buffer) {
      let at = buffer
      ;(options.arguments ?? ['program']).forEach((text, i) => {
        view().setUint32(pointers + 4 * i, at, true)
        bytes().set(Buffer.from(`${text}\0`), at)
        at += text.length + 1
      })
      return 0
    },
    proc_exit(code) {
      throw new Exit(code)
    },
  }

  const stack = () => {
    const data = view()
    const sites: number[] = []
    for (let at = exports.fl_shadow.value - 4; at >= shadow; at -= 4) sites.push(data.getUint32(at, true))
    return sites
  }
  const allocate = (size: number) => {
    heap = (heap + 15) & ~15
    const at = heap
    heap += size
    while (heap > exports.memory.buffer.byteLength) exports.memory.grow(1)
    return at
  }

  const imports: Record<string, Record<string, (...args: number[]) => number | undefined>> = {
    fl: {
      point(word) {
        if (rewinding) {
          rewinding = false
          exports.asyncify_stop_rewind()
          return undefined
        }
        if (exports.fl_log.value >= layout.logSize) drain()
        if (bytes()[layout.flags + (word & LogWord.siteMask)] === 0) return undefined
        points++
        if (options.suspend) {
          view().setUint32(unwind, unwind + 8, true)
          view().setUint32(unwind + 4, unwind + UNWIND, true)
          unwound = true
          exports.asyncify_start_unwind(unwind)
        }
        return undefined
      },
      loop() {
        exports.fl_fuel.value = 1_000_000
        return undefined
      },
      grow: (pages) => exports.memory.grow(pages),
      overflow(site) {
        throw new Overflow(site, stack())
      },
    },
  }
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {}
    if (imports[from][name]) continue
    imports[from][name] = (...args) => {
      calls.push({ name, site: stack()[0] ?? -1, stack: stack() })
      if (name === '__wrap_malloc') return allocate(args[0])
      if (name === '__wrap_calloc') return allocate(args[0] * args[1])
      return system[name]?.(...args) ?? 0
    }
  }

  interface Exports {
    memory: WebAssembly.Memory
    fl_log: WebAssembly.Global
    fl_shadow: WebAssembly.Global
    fl_shadow_end: WebAssembly.Global
    fl_stack_end: WebAssembly.Global
    fl_fuel: WebAssembly.Global
    __stack_pointer: WebAssembly.Global
    fl_construct(): void
    fl_run_main(): number
    asyncify_start_unwind(at: number): void
    asyncify_stop_unwind(): void
    asyncify_start_rewind(at: number): void
    asyncify_stop_rewind(): void
  }
  const instance = new WebAssembly.Instance(module, imports as unknown as WebAssembly.Imports)
  const exports = instance.exports as unknown as Exports
  while (exports.memory.buffer.byteLength < heap) exports.memory.grow(1)
  artifact.sites.forEach((_, site) => {
    if (options.flag?.(site)) bytes()[layout.flags + site] = 1
  })
  exports.__stack_pointer.value = stackEnd
  exports.fl_stack_end.value = layout.free + 1024
  exports.fl_shadow.value = shadow
  exports.fl_shadow_end.value = shadow + SHADOW - 64
  exports.fl_fuel.value = 1_000_000
  exports.fl_construct()

  const run = (): number => {
    try {
      for (;;) {
        const code = exports.fl_run_main()
        if (!unwound) return code
        unwound = false
        exports.asyncify_stop_unwind()
        // Globals stay as they were at the suspension: there is no other thread to change them.
        rewinding = true
        exports.asyncify_start_rewind(unwind)
      }
    } catch (error) {
      if (error instanceof Exit) return error.code
      throw error
    }
  }
  const code = run()
  drain()
  return { code, output, log, points, calls }
}

class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`)
  }
}

export class Overflow extends Error {
  constructor(
    readonly site: number,
    readonly calls: readonly number[],
  ) {
    super('stack overflow')
  }
}
