import { Reader } from './bytes.js'
import { OP, skipImmediates } from './instructions.js'

/**
 * Which locals carry a value round a loop: assigned somewhere in the loop, and read in some iteration before that
 * iteration has surely assigned them. Two visits of a loop header are in the same state only if these agree.
 *
 * Conservative: an assignment counts as sure only up to the end of the block it stands in, since a branch may have
 * left the block before. Naming a local too many costs a word per visit; one too few would call a loop that counts a
 * spin.
 */
export interface LoopInfo {
  /** Indexes of locals, ascending. */
  readonly carried: readonly number[]
  /** Position of the instruction that ends the loop. */
  readonly end: number
}

interface OpenLoop {
  readonly header: number
  readonly assigned: Set<number>
  readonly exposed: Set<number>
  readonly slot: number
}

/** Loops of a function in the order of their headers. `start` is the first instruction, after the locals. */
export function analyseLoops(bytes: Uint8Array, start: number, end: number, locals: number): LoopInfo[] {
  const result: LoopInfo[] = []
  const r = new Reader(bytes, start, end)
  /** Position of the last assignment that surely happened, by local; parameters and zeroes count as position 0. */
  const assignedAt = new Float64Array(locals)
  /** Undo log of `assignedAt`: local, old position. */
  const undo: number[] = []
  /** Per open block: length of the undo log at its start, and whether it is a loop. */
  const blocks: { undo: number; loop: boolean }[] = []
  const open: OpenLoop[] = []

  const rollBack = (to: number) => {
    while (undo.length > to) {
      const position = undo.pop()!
      assignedAt[undo.pop()!] = position
    }
  }

  while (!r.done) {
    const at = r.at
    const op = r.byte()
    if (op === OP.localGet) {
      const local = r.u32()
      for (let i = open.length - 1; i >= 0 && open[i].header > assignedAt[local]; i--)
        open[i].exposed.add(local)
    } else if (op === OP.localSet || op === OP.localTee) {
      const local = r.u32()
      for (const loop of open) loop.assigned.add(local)
      undo.push(local, assignedAt[local])
      assignedAt[local] = at
    } else if (op === OP.block || op === OP.if || op === OP.loop || op === OP.tryTable) {
      skipImmediates(r, op)
      blocks.push({ undo: undo.length, loop: op === OP.loop })
      if (op === OP.loop) {
        open.push({ header: at, assigned: new Set(), exposed: new Set(), slot: result.length })
        result.push({ carried: [], end })
      }
    } else if (op === OP.else) {
      rollBack(blocks[blocks.length - 1].undo)
    } else if (op === OP.end) {
      const block = blocks.pop()
      if (!block) break
      rollBack(block.undo)
      if (block.loop) {
        const { assigned, exposed, slot } = open.pop()!
        const carried = [...exposed].filter((x) => assigned.has(x)).sort((a, b) => a - b)
        result[slot] = { carried, end: at }
      }
    } else skipImmediates(r, op)
  }
  return result
}
