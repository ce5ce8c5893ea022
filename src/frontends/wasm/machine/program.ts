/** What a built module exports, besides the globals that `glue.ts` takes. */
export interface ProgramExports {
  readonly memory: WebAssembly.Memory
  fl_construct(): void
  fl_run_main(): number
  /** The last says what type the start function has: see `StartType`. */
  fl_run_thread(start: number, argument: number, type: number): number
  /** Runs the cleanup handlers and destructors of a thread that was cancelled. */
  fl_run_cancelled(): number
  fl_check(holds: number): number
  asyncify_start_unwind(buffer: number): void
  asyncify_stop_unwind(): void
  asyncify_start_rewind(buffer: number): void
  asyncify_stop_rewind(): void
  asyncify_get_state(): number
  readonly fl_site: WebAssembly.Global
  /** Of a program with exceptions: see `rewrite/exceptions.ts`. */
  readonly fl_thrown_word?: WebAssembly.Global
}

export const PAGE = 65536
const MAX_PAGES = 65536
/** Grown by at least this many pages, so that it happens rarely. */
const STEP = 256
const MAX_TEXT = 4096

/** The program's memory. Views are replaced when it grows: read them from here each time something may have grown. */
export class ProgramMemory {
  bytes: Uint8Array
  words: Int32Array

  constructor(private readonly memory: WebAssembly.Memory) {
    this.bytes = new Uint8Array(memory.buffer)
    this.words = new Int32Array(memory.buffer)
  }

  /** A string of the program, cut where it is too long for a message. */
  text(address: number): string {
    const start = address >>> 0
    const end = this.bytes.indexOf(0, start)
    const last = Math.min(end < 0 ? this.bytes.length : end, start + MAX_TEXT)
    return new TextDecoder().decode(this.bytes.subarray(start, last))
  }

  /** Makes sure that memory reaches up to that address. */
  reserve(end: number): void {
    const { length } = this.bytes
    if (end <= length) return
    const pages = Math.min(Math.max(Math.ceil((end - length) / PAGE), STEP), MAX_PAGES - length / PAGE)
    try {
      this.memory.grow(pages)
    } catch {
      const size = Math.ceil(end / 2 ** 20)
      throw new RangeError(`this system does not give the program ${size} MB of address space`)
    }
    this.bytes = new Uint8Array(this.memory.buffer)
    this.words = new Int32Array(this.memory.buffer)
  }
}
