/**
 * What a function that user code calls means to the rewriter, by its name. The names are those that clang's
 * thread-sanitizer pass calls, and the library functions that C atomics end in when they may be misaligned.
 */
export type Hook =
  /** A plain access that follows; its address is the first argument, `extra` more are of no interest. */
  | {
      readonly kind: 'access'
      readonly operation: 'load' | 'store'
      readonly size: number
      readonly extra: number
    }
  | AtomicHook
  /** Nothing to do: the arguments are dropped. */
  | { readonly kind: 'ignore'; readonly arguments: number }
  /** A call; `operation` says what its site stands for. */
  | { readonly kind: 'call'; readonly operation: 'call' | AtomicOperation }

/** An atomic to be done in place, by the signature of the function it replaces (see `atomics.ts`). */
export interface AtomicHook {
  readonly kind: 'atomic'
  readonly operation: AtomicOperation
  readonly verb: AtomicVerb
  readonly size: number
}

export type AtomicOperation = 'atomicLoad' | 'atomicStore' | 'atomicUpdate' | 'fence'

const updates = [
  'exchange',
  'fetch_add',
  'fetch_sub',
  'fetch_and',
  'fetch_or',
  'fetch_xor',
  'fetch_nand',
] as const
export type UpdateVerb = (typeof updates)[number]

export type AtomicVerb =
  | 'load'
  | 'store'
  | 'fence'
  | UpdateVerb
  /** With a pointer to what is expected; returns whether it was found. */
  | 'compare_exchange'
  /** With the value expected; returns the value found. */
  | 'compare_exchange_val'

export const CALL: Hook = { kind: 'call', operation: 'call' }

export function hookOf(name: string): Hook {
  if (name.startsWith('__tsan_')) return sanitizerHook(name)
  if (name.startsWith('__atomic_')) return libraryAtomic(name)
  return CALL
}

/** Whether calls to the function are replaced by code, so that nobody has to provide it. */
export function becomesInline(name: string): boolean {
  return hookOf(name).kind !== 'call'
}

function sanitizerHook(name: string): Hook {
  const access = /^__tsan_(?:unaligned_|volatile_)*(read|write|read_write)(\d+)$/.exec(name)
  if (access) {
    const operation = access[1] === 'read' ? 'load' : 'store'
    return { kind: 'access', operation, size: Number(access[2]), extra: 0 }
  }
  const atomic = /^__tsan_atomic(8|16|32|64)_(\w+)$/.exec(name)
  if (atomic) return atomicHook(atomic[2].replace(/_(?:strong|weak)$/, ''), Number(atomic[1]) / 8)
  switch (name) {
    case '__tsan_atomic_thread_fence':
      return { kind: 'atomic', operation: 'fence', verb: 'fence', size: 0 }
    case '__tsan_vptr_read':
      return { kind: 'access', operation: 'load', size: 4, extra: 0 }
    case '__tsan_vptr_update':
      return { kind: 'access', operation: 'store', size: 4, extra: 1 }
    case '__tsan_func_entry':
    // Orders a thread with its own signal handlers only: no other thread can tell.
    case '__tsan_atomic_signal_fence':
      return { kind: 'ignore', arguments: 1 }
    case '__tsan_func_exit':
    case '__tsan_init':
      return { kind: 'ignore', arguments: 0 }
    default:
      return CALL
  }
}

/** `__atomic_load_4` is done in place; `__atomic_load`, of any size, is in `runtime/atomics.c`. */
function libraryAtomic(name: string): Hook {
  const [, verb, size] = /^__atomic_([a-z_]+?)(?:_(1|2|4|8))?$/.exec(name) ?? []
  if (!verb) return CALL
  const hook = atomicHook(verb, Number(size ?? 0))
  if (hook.kind !== 'atomic' || size) return hook
  return { kind: 'call', operation: hook.operation }
}

function atomicHook(verb: string, size: number): Hook {
  if (verb === 'load') return { kind: 'atomic', operation: 'atomicLoad', verb, size }
  if (verb === 'store') return { kind: 'atomic', operation: 'atomicStore', verb, size }
  if (isUpdate(verb)) return { kind: 'atomic', operation: 'atomicUpdate', verb, size }
  return CALL
}

function isUpdate(verb: string): verb is AtomicVerb {
  return (updates as readonly string[]).includes(verb) || /^compare_exchange(?:_val)?$/.test(verb)
}

/**
 * The name the user wrote: `__tsan_memcpy` is `memcpy`, `__wrap_pthread_join` is `pthread_join`; the linker's
 * `signature_mismatch:puts` is `puts` called with the wrong arguments.
 */
export function plainName(name: string): string {
  return name.replace(/^(?:signature_mismatch|undefined_weak):/, '').replace(/^__(?:tsan|wrap)_/, '')
}
