import { Reader } from '../rewrite/bytes.js'
import { OP } from '../rewrite/instructions.js'

/** What the beginning of a function does to the stack pointer. */
export interface Prologue {
  /** Bytes that it takes of the stack; -1 where that is not a constant. */
  readonly size: number
  /** Locals that hold an address in the stack: relative to the stack pointer on entry. */
  readonly locals: ReadonlyMap<number, number>
}

/** What is known of a value: a constant, or an address relative to the stack pointer on entry. */
type Known = { readonly isAddress: boolean; readonly value: number } | undefined

/**
 * Follows a function from its first instruction as long as that only computes addresses in its frame, which is up to where
 * the stack pointer is set. Functions that never set it have a frame below it, if any, and call nobody.
 */
export function prologueOf(bytes: Uint8Array, code: number, end: number, stackPointer: number): Prologue {
  const r = new Reader(bytes, code, end)
  const stack: Known[] = []
  const values = new Map<number, Known>()
  const result = (size: number): Prologue => {
    const locals = [...values].flatMap(([local, known]) =>
      known?.isAddress ? ([[local, known.value]] as const) : [],
    )
    return { size, locals: new Map(locals) }
  }
  while (!r.done) {
    switch (r.byte()) {
      case OP.globalGet:
        stack.push(r.u32() === stackPointer ? { isAddress: true, value: 0 } : undefined)
        break
      case OP.globalSet: {
        if (r.u32() !== stackPointer) return result(0)
        const pointer = stack.pop()
        return result(pointer?.isAddress ? -pointer.value : -1)
      }
      case OP.i32Const:
        stack.push({ isAddress: false, value: r.s32() })
        break
      case OP.localGet:
        stack.push(values.get(r.u32()))
        break
      case OP.localSet:
        values.set(r.u32(), stack.pop())
        break
      case OP.localTee:
        values.set(r.u32(), stack.at(-1))
        break
      case OP.i32Sub:
        stack.push(plus(stack, -1))
        break
      case OP.i32Add:
        stack.push(plus(stack, 1))
        break
      case OP.i32And:
        // Alignment: how much it takes depends on where the stack is.
        stack.pop()
        stack.pop()
        stack.push(undefined)
        break
      default:
        // A leaf does not set the stack pointer; whoever sets it does so before anything else.
        return result(0)
    }
  }
  return result(0)
}

function plus(stack: Known[], sign: 1 | -1): Known {
  const b = stack.pop()
  const a = stack.pop()
  if (a === undefined || b === undefined || b.isAddress) return undefined
  return { isAddress: a.isAddress, value: a.value + sign * b.value }
}
