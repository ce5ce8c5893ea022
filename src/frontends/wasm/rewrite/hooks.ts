import type { CodeSiteKind } from '../artifact.js'

/**
 * What a function that user code calls means to the rewriter, by its name. The names are those that clang's
 * thread-sanitizer pass calls, and the library functions that C atomics of odd sizes end in.
 */
export type Hook =
  /** A plain access that follows; its address is the first argument. Becomes inline code. */
  | {
      readonly kind: 'access'
      readonly operation: 'load' | 'store'
      readonly size: number
      readonly extra: number
    }
  /** Nothing to do: the arguments are dropped. */
  | { readonly kind: 'ignore'; readonly arguments: number }
  /** An atomic, done by `runtime/atomics.c`. */
  | { readonly kind: 'atomic'; readonly operation: CodeSiteKind; readonly size: number }
  /** An ordinary call. */
  | { readonly kind: 'call' }

const CALL: Hook = { kind: 'call' }

export function hookOf(name: string): Hook {
  if (name.startsWith('__tsan_')) return sanitizerHook(name)
  if (name.startsWith('__atomic_')) return libraryAtomic(name)
  return CALL
}

function sanitizerHook(name: string): Hook {
  const access = /^__tsan_(?:unaligned_|volatile_)*(read|write|read_write)(\d+)$/.exec(name)
  if (access) {
    const operation = access[1] === 'read' ? 'load' : 'store'
    return { kind: 'access', operation, size: Number(access[2]), extra: 0 }
  }
  const atomic = /^__tsan_atomic(8|16|32|64|128)_(\w+)$/.exec(name)
  if (atomic) return { kind: 'atomic', operation: atomicOperation(atomic[2]), size: Number(atomic[1]) / 8 }
  switch (name) {
    case '__tsan_atomic_thread_fence':
    case '__tsan_atomic_signal_fence':
      return { kind: 'atomic', operation: 'fence', size: 0 }
    case '__tsan_vptr_read':
      return { kind: 'access', operation: 'load', size: 4, extra: 0 }
    case '__tsan_vptr_update':
      return { kind: 'access', operation: 'store', size: 4, extra: 1 }
    case '__tsan_func_entry':
      return { kind: 'ignore', arguments: 1 }
    case '__tsan_func_exit':
    case '__tsan_init':
      return { kind: 'ignore', arguments: 0 }
    default:
      return CALL
  }
}

function libraryAtomic(name: string): Hook {
  const sized = /^__atomic_([a-z_]+?)(?:_(1|2|4|8))?$/.exec(name)
  if (!sized || sized[1].includes('lock_free')) return CALL
  return { kind: 'atomic', operation: atomicOperation(sized[1]), size: Number(sized[2] ?? 0) }
}

function atomicOperation(verb: string): CodeSiteKind {
  return verb === 'load' ? 'atomicLoad' : verb === 'store' ? 'atomicStore' : 'atomicUpdate'
}
