import type { FrameTable, FunctionFrame } from '../debug/frames.js'
import { type Part, partAt } from '../debug/types.js'
import { openCalls } from './call-stack.js'
import type { Kernel } from './kernel.js'

/** What enters a program, outermost first; the last of them calls a function of the program. */
const ENTRIES: readonly (readonly string[])[] = [
  ['fl_run_main', '__main_void', '__main_argc_argv'],
  ['fl_run_thread', 'fl_start'],
]

/**
 * The local variable that lies at an address, with the part of it that is meant: `queue.items[2]`. Undefined if it cannot
 * be told for certain.
 *
 * A frame lies where its callers' end, so frames are added up from the beginning of the stack along the calls that the
 * thread is in. The sum holds as long as every function in between is known: it ends at a call through the library.
 */
export function localVariableAt(kernel: Kernel, thread: number, address: number): Part | undefined {
  const { frames, sites } = kernel.artifact
  const slot = kernel.states.slots[thread]
  if (frames === undefined || slot === undefined) return undefined
  const calls = openCalls(kernel, thread).reverse()
  const own = kernel.pending.site[thread]
  // Whoever was left inside a call that the host serves is in the function that calls.
  const places = own >= 0 && own !== calls.at(-1) ? [...calls, own] : calls
  let top = slot.stackTop
  let callee: string | undefined
  for (const [depth, place] of places.entries()) {
    const frame = frameAt(frames, sites[place]?.offset ?? -1)
    if (frame === undefined || frame.size < 0) return undefined
    if (depth === 0) {
      const taken = takenByEntries(frames, thread === 0 ? 0 : 1, frame.symbol)
      if (taken === undefined) return undefined
      top -= taken
    } else if (callee !== undefined && callee !== frame.symbol) return undefined
    if (address >= top - frame.size && address < top) return nameIn(frames, frame, address - top)
    top -= frame.size
    callee = sites[place].callee
  }
  return undefined
}

function nameIn({ types }: FrameTable, { variables }: FunctionFrame, address: number): Part | undefined {
  const found = variables.filter(([, start, type]) => address >= start && address < start + types[type].size)
  // Compilers may give one place to several variables, one after the other.
  if (found.length !== 1) return undefined
  const [name, start, type] = found[0]
  const part = partAt(types, type, address - start)
  return { ...part, name: name + part.name }
}

function frameAt({ functions }: FrameTable, offset: number): FunctionFrame | undefined {
  let low = 0
  let high = functions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (functions[middle].start <= offset) low = middle + 1
    else high = middle
  }
  const found = functions[low - 1]
  return found !== undefined && offset < found.end ? found : undefined
}

/** Bytes of stack that those take through whom the program was entered. */
function takenByEntries({ functions }: FrameTable, kind: number, first: string): number | undefined {
  let taken = 0
  for (const entry of ENTRIES[kind]) {
    if (entry === first) break
    // What is not there was inlined.
    const size = functions.find(({ symbol }) => symbol === entry)?.size ?? 0
    if (size < 0) return undefined
    taken += size
  }
  return taken
}
