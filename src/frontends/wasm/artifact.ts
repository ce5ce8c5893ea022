import type { Site } from '../../machine/names.js'
import type { FrameTable } from './debug/frames.js'

/**
 * What the C toolchain hands to the machine: one instrumented, asyncified WebAssembly module and the tables that say
 * what its site ids mean. Plain data, cached by content, posted to workers.
 *
 * ## The protocol between module and machine
 *
 * Every place of user code that the machine may hear about has a *site id*, dense from 0, one id space for all kinds.
 * User code is what came from the user's sources; libc and `runtime/*.c` are linked uninstrumented.
 *
 * **Accesses and atomics** (`load`, `store`, `atomicLoad`, `atomicStore`, `atomicUpdate`, `fence`). The module does:
 *
 * ```
 * if (flags[site] != 0 || fl_log >= layout.logSize) fl.point(word, address, size)   // may suspend
 * log[fl_log] = { word, address }; fl_log += 8
 * …the access…                          // atomic updates are logged after it: the word has the outcome
 * ```
 *
 * - The point comes *before* the log entry: what a thread suspended in `fl.point` is about to do is not in the log yet,
 *   and will be the first entry after it resumes. Entries are in program order of the one running thread; whoever
 *   switches threads drains the log first.
 * - `fl.point` is called for two reasons; it must look at both. If `fl_log >= layout.logSize`, drain the log and set
 *   `fl_log` to 0 (a machine that needs no log just sets it to 0). If `flags[site]` is 0, return at once: it is no
 *   preemption point.
 * - Between an access and its log entry the module calls nobody.
 * - What an atomic is about to do is at `layout.spill` when `fl.point` is called for it: see `Operands`.
 * - The machine may empty the log, or let another thread write to it, in any call from the module to the host. The
 *   module keeps the offset in a local between calls, so setting `fl_log` at any other time goes unnoticed.
 *
 * **Log entry**: two little-endian 32-bit words. Word 0: see `LogWord`. Word 1: the address. When `LogWord.range` is
 * set, the entry is followed by a second one whose word 0 is the length in bytes (its word 1 is 0); with
 * `LogWord.compares`, `sets` or `clears` by one with values instead. An entry and its second one are never split by a full log.
 *
 * **Calls** (`call`): before each call instruction of user code its site id is pushed on the thread's *shadow stack*,
 * and popped after: `mem32[fl_shadow] = site; fl_shadow += 4`. So the top of the shadow stack, `mem32[fl_shadow - 4]`,
 * tells a host function which line called it (also through libc: `printf` → `fd_write`), and the whole of it is the
 * call stack: the function of the pending site, then of each entry from the top down. Frames of libc and the runtime do
 * not show. The pointer is per thread: save it at a suspension, set it before the rewind, like `__stack_pointer`.
 * A function that would make calls with `fl_shadow >= fl_shadow_end` calls `fl.overflow` first.
 *
 * **Loops** (`loop`): at each loop header of user code `fl_fuel -= 1`, and when it is 0, `fl.loop(site, visit, words)`
 * (may suspend). Set `fl_fuel` to a large number to catch runaway loops, to 1 to be called at every header (spin
 * detection); the host sets it again in the call. `visit` counts the calls made in this activation of the loop, from 0:
 * states may only be compared between visits of one activation. The wasm locals that carry a value round the loop have
 * been written to memory at `layout.spill`, `words` 8-byte words, unused bytes zero: together with the linear stack
 * they are all the thread's private state. At `-O0` there are next to none.
 *
 * **Traps** (`trap`): before an instruction of user code that can trap by itself (division, `unreachable`, a float
 * conversion) `fl_site` is set to its id. After an out-of-bounds trap look at the last log entry, after one of an
 * indirect call at the top of the shadow stack.
 *
 * ## Imports of the module
 *
 * | import | signature | suspends |
 * |---|---|---|
 * | `fl.point` | (word, address, size); the word as in the log, but without the outcome of an atomic | yes |
 * | `fl.loop` | (site, visit, words) | yes |
 * | `fl.wait32`, `fl.wait64`, `fl.notify` | as the instructions `memory.atomic.*` that they stand for | yes |
 * | `fl.grow` | (pages) → old pages or -1; stands for every `memory.grow` of the program | no |
 * | `fl.overflow` | (site or -1); linear or shadow stack exhausted; throws, or moves the limit and returns | no |
 * | `env.*`, `wasi_snapshot_preview1.*` | listed in `provided-calls.ts`; anything else is refused when building | as listed |
 *
 * A rewound import is called again with the arguments it had; globals are what the machine sets.
 *
 * ## Exports of the module
 *
 * `memory`, `__indirect_function_table`, the functions that `runtime/*.c` exports, asyncify's four control functions
 * (`asyncify_start_unwind`, …), and as mutable i32 globals: `__stack_pointer`, `__tls_base`, `fl_log`, `fl_shadow`,
 * `fl_shadow_end`, `fl_stack_end`, `fl_fuel`, `fl_site`.
 *
 * Functions that have moved `__stack_pointer` below `fl_stack_end` call `fl.overflow` right after, libc and the runtime
 * with site -1; leaf functions may use up to 128 bytes below the stack pointer unseen.
 *
 * ## What `runtime/*.c` can use
 *
 * Declared in `runtime/fl.h`, replaced by inline code when the module is rewritten: `fl_site()` (top of the shadow
 * stack), `fl_words(site)` (whether ranges are to be accessed word by word), `fl_point(word, address, size)`,
 * `fl_record(word, address)`, and on top of them `fl_read(p, n)` and `fl_write(p, n)`, which make a visible access of a
 * range in the name of the user's call. A function `fl_user_NAME`
 * of the runtime takes the place of NAME where user code calls it by name, and in the table of functions that are called through
 * pointers; not inside libc (`runtime/strings.c`).
 */
export interface Artifact {
  /** Instrumented and asyncified module. */
  readonly wasm: Uint8Array<ArrayBuffer>
  /** Of everything that decides behaviour: sources, headers, flags, tool versions, runtime, rewriter version. */
  readonly hash: string
  /** By site id. */
  readonly sites: readonly CodeSite[]
  readonly layout: Layout
  /** Of the whole module, in order of the code section. */
  readonly functions: readonly CodeFunction[]
  /** Static variables of the user's sources, by ascending address. Thread-local ones are left out. */
  readonly variables: readonly Variable[]
  /** Where functions keep their local variables; absent where stacks are the program's own. */
  readonly frames?: FrameTable
  /** What the program was compiled with, for guarantees and reports. */
  readonly build: BuildInfo
}

/**
 * `call` is a call instruction; the runtime logs the accesses it makes on behalf of the caller with the call's id.
 * All others, except `loop` and `trap`, are operations of `src/machine/operation.ts`.
 */
export type CodeSiteKind =
  | 'load'
  | 'store'
  | 'atomicLoad'
  | 'atomicStore'
  | 'atomicUpdate'
  | 'fence'
  | 'call'
  | 'loop'
  | 'trap'

/**
 * A place in user code. `name` is unique: `file:line:column:kind`, with `#2` and so on where that is not enough.
 * `function` is the one it was written in; where the compiler inlined that, `inlined` lists what it was inlined into,
 * innermost first, so that `function`, `inlined` and then the callers make a whole stack.
 */
export interface CodeSite extends Site {
  readonly kind: CodeSiteKind
  /** Bytes accessed; 0 when the log entry tells (ranges) or when it is no access. */
  readonly size: number
  /** Offset in the code section of the linked module, before rewriting: what DWARF speaks of. */
  readonly offset: number
  /** For `call`: the function called, when it is a direct call; for accesses to the size of memory, the instruction. */
  readonly callee?: string
  /** For `loop`: offset of its end. Sites with an offset in between are in the loop. */
  readonly end?: number
  /** For `loop` in raw mode: bytes of the frame that is not logged; its address is the first word spilled. */
  readonly frame?: number
  /** For `call`: what is thrown out of it may be caught in the same function. */
  readonly catches?: true
}

/** Fields of word 0 of a log entry. */
export const LogWord = {
  siteMask: 0xfffff,
  /** C memory order of an atomic (0 relaxed … 5 seq_cst); for a compare-exchange the one that took effect. */
  orderShift: 20,
  orderMask: 7,
  /** An atomic update that left another value than it found. */
  changed: 1 << 23,
  /** An atomic update that took place; clear only for a compare-exchange that failed. */
  succeeded: 1 << 24,
  /** With a `call` site: the runtime wrote; clear: it read. */
  wrote: 1 << 25,
  /** The next entry holds the length. */
  range: 1 << 26,
  /** The next entry holds what a compare-exchange of up to 4 bytes compared with, and what it would put in. */
  compares: 1 << 27,
  /** An exchange: it changes what is there unless that is what it leaves behind. */
  exchanges: 1 << 28,
  /** An update that either changes every value or none (adding a number). */
  isUniform: 1 << 29,
  /** An `or` or `and` of up to 4 bytes: the next entry holds the bits it sets, or those it clears. */
  sets: 1 << 30,
  clears: 1 << 31,
} as const

/** Atomics by what they do; their place here is what `Operands.verb` holds. */
export const atomicVerbs: readonly string[] = [
  'load',
  'store',
  'fence',
  'exchange',
  'fetch_add',
  'fetch_sub',
  'fetch_and',
  'fetch_or',
  'fetch_xor',
  'fetch_nand',
  'compare_exchange',
  'compare_exchange_val',
]

/**
 * What `fl.point` finds at `layout.spill` when it is called for an atomic: offsets of its value and of the value it
 * compares with (as wide as the object, 4 bytes at least), and of a word with its verb and its order in case of failure.
 */
export const Operands = { value: 0, expected: 8, verb: 16, failureShift: 8, size: 24 } as const

/** Bits of entries that values follow in the next one. */
export const PAIRED = LogWord.compares | LogWord.sets | LogWord.clears

/** In the flag of a site: an access of several words is to be made word by word, with a point before each. */
export const SPLIT_FLAG = 4

/** Bytes of a word: accesses up to this size are made at once. */
export const WORD_SIZE = 8

/** At most this many sites in a module. */
export const MAX_SITES = LogWord.siteMask + 1

/** The memory map, in bytes from 0. What is not named is not used by the module as long as nobody calls `fl.grow`. */
export interface Layout {
  /** Addresses below this are never valid: a null pointer, or close to one. */
  readonly nullEnd: number
  /** The stack the linker made for `main`, [start, end); the machine may use another. */
  readonly stackStart: number
  readonly stackEnd: number
  /** Constants of the program and of libc, [start, end). Nothing may write here. */
  readonly constantStart: number
  readonly constantEnd: number
  /** Variables of the program and of libc, [start, end): what an execution can change and a reset must restore. */
  readonly dataStart: number
  readonly dataEnd: number
  /** Address of libc's `errno`, 4 bytes, which the machine must keep per thread; 0 when the program has none. */
  readonly errno: number
  /** Initial image of thread-local data; `__tls_base` must point to such a block. Size 0 when there is none. */
  readonly tls: { readonly base: number; readonly size: number; readonly align: number }
  /** One byte per site: non-zero makes it a preemption point; see also `SPLIT_FLAG`. */
  readonly flags: number
  /** The log: `fl_log` is an offset from here, in bytes. */
  readonly log: number
  /** Full when `fl_log` reaches this; memory goes on a little further, so that a sequence is never cut. */
  readonly logSize: number
  /** Where `fl.loop` finds the locals. */
  readonly spill: number
  /** First byte the machine may use for heap, stacks and buffers; a page boundary and the initial size of the memory. */
  readonly free: number
  /** Initial number of pages. */
  readonly pages: number
  /** Set for a program that brings its stacks, threads and allocator with it: the part of memory that is its own. */
  readonly own?: OwnMemoryLayout
}

/** Memory from 0 up to what `maxPages` makes is the program's; the log tells all that it writes there. */
export interface OwnMemoryLayout {
  readonly pages: number
  readonly maxPages: number
  /** Address, outside of it, of the word that says how many pages the program has now. */
  readonly size: number
  /** A byte per 4096 bytes of it: set where something was written that is not in the log. */
  readonly changed: number
  readonly changedSize: number
  /** Mutable globals, of which every thread has its own, by the name they are exported under. */
  readonly globals: readonly { readonly name: string; readonly type: number }[]
}

/** What is different about a function in which a thread can be started all the same: bits, 0 for one as it should be. */
export type StartType = number
export const START_WITHOUT_ARGUMENT = 1
export const START_WITHOUT_RESULT = 2

export interface CodeFunction {
  /** Name as in the source, demangled. */
  readonly name: string
  /** Name in the name section of the module, as a JavaScript stack trace shows it. */
  readonly symbol: string
  /** Slots of the indirect function table that hold it: what a C function pointer to it is. */
  readonly pointers: readonly number[]
  /** Comes from the user's sources. */
  readonly user: boolean
  readonly file?: string
  readonly line?: number
  /** Of functions that take or return other things than start functions of threads: how to start one there. */
  readonly startType?: StartType
}

export interface Variable {
  readonly name: string
  readonly address: number
  readonly size: number
}

export interface BuildInfo {
  readonly sources: readonly string[]
  /** As given to the compiler, without paths of ours. */
  readonly flags: readonly string[]
  readonly compiler: string
  /** What the compiler warned of, with the user's paths. */
  readonly warnings: string
  /** True when the artifact came from the cache. */
  readonly cached: boolean
}
