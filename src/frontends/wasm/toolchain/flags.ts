/** Flags common to everything that is compiled: threads run inside one, but TLS and atomics must be lowered as such. */
export const TARGET = ['--target=wasm32-wasip1', '-matomics', '-mbulk-memory'] as const

/**
 * Asks for clang's thread-sanitizer pass, which the driver refuses on this target. It calls `__tsan_readN(p)` or
 * `__tsan_writeN(p)` right before each access to memory that another thread could see, and replaces atomics.
 *
 * Function entry and exit hooks need a return address, which this target has not. Reads before writes are kept, since
 * between the two another thread may write.
 */
export const SANITIZER = [
  '-Xclang',
  '-fsanitize=thread',
  // A function that must return a value and ends without: C++ traps there, and says nothing.
  '-Xclang',
  '-fsanitize=return',
  '-mllvm',
  '-tsan-instrument-func-entry-exit=0',
  '-mllvm',
  '-tsan-instrument-read-before-write=1',
  // Short ones would become loads after the pass; of memcmp and its like the pass itself sees to it that they do not.
  '-fno-builtin-bcmp',
] as const

/**
 * Programs may ask that a function be left out of instrumentation, or do so where they find a sanitizer: what it accesses
 * would not be seen. Such attributes become one that means nothing.
 */
export const UNHIDDEN = [
  'no_sanitize(...)',
  '__no_sanitize__(...)',
  'no_sanitize_thread',
  '__no_sanitize_thread__',
  'disable_sanitizer_instrumentation',
  '__disable_sanitizer_instrumentation__',
]
  .map((attribute) => `-D${attribute}=annotate("faultline")`)
  // Some versions say so.
  .concat('-U__SANITIZE_THREAD__')

/** Whether code is optimised; what comes last counts. */
export function isOptimised(flags: readonly string[]): boolean {
  const level = flags.findLast((flag) => flag.startsWith('-O'))
  return level !== undefined && level !== '-O0'
}

/** Exceptions that are caught come as references, not as before WebAssembly had its standard for them. */
export const WITH_REFERENCES = '-wasm-use-legacy-eh=false'

/**
 * Exceptions as instructions of WebAssembly, in the form with references, which `rewrite/exceptions.ts` makes plain code
 * of. The sanitizer's calls in handlers are not marked as belonging there, which would have them taken for unreachable.
 */
export const EXCEPTIONS = [
  '-fwasm-exceptions',
  '-mllvm',
  WITH_REFERENCES,
  '-mllvm',
  '-disable-cleanups',
] as const

/** Long jumps, which are exceptions of another kind; besides `EXCEPTIONS`. */
export const JUMPS = ['-mllvm', '-wasm-enable-sjlj'] as const

/**
 * Programs ask what system they are for before they ask which; and which processor's hints to use, which may come as
 * functions of the compiler's. Return addresses, which are there to find out who called, this target has not: they are
 * unknown, as a caller may always be.
 */
export const PLATFORM = [
  '-D__unix__=1',
  '-D__builtin_ia32_pause()=((void)0)',
  '-D__builtin_ia32_mfence()=__atomic_thread_fence(__ATOMIC_SEQ_CST)',
  '-D__builtin_return_address(level)=((void *)0)',
] as const

/** Lets the headers of what the system only emulates be included; `EMULATION_LIBRARIES` has the functions. */
export const EMULATION = [
  '-D_WASI_EMULATED_SIGNAL',
  '-D_WASI_EMULATED_MMAN',
  '-D_WASI_EMULATED_PROCESS_CLOCKS',
  '-D_WASI_EMULATED_GETPID',
] as const

/**
 * Programs that were preprocessed elsewhere hold headers of that machine. What its calling convention puts on functions
 * would be an error here, and means nothing.
 */
export const FOREIGN = ['-D__regparm__(registers)='] as const

export const EMULATION_LIBRARIES = [
  '-lwasi-emulated-signal',
  '-lwasi-emulated-mman',
  '-lwasi-emulated-process-clocks',
  '-lwasi-emulated-getpid',
] as const

/**
 * The runtime is trusted and not instrumented. Optimising it costs seconds on a cold start and was not seen in
 * executions per second: what is hot is written by the rewriter.
 */
export const RUNTIME = [
  ...TARGET,
  ...EMULATION,
  '-O0',
  '-Wall',
  '-Wno-builtin-requires-header',
  '-fno-strict-aliasing',
] as const

/** Size of the stack the linker makes; see `Layout`. */
export const STACK_SIZE = 65536

/** Addresses below are never valid. The bottom of the linker's stack is left unused for it. */
export const NULL_END = 1024

export const LIBRARY_PATHS = ['-L/usr/lib/wasm32-unknown-wasip1', '-L/usr/lib/wasm32-wasip1'] as const

export const BUILTINS = '/usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a'
