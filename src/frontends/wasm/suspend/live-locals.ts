import { Reader } from '../rewrite/bytes.js'
import { OP } from '../rewrite/instructions.js'
import type { Code } from './code.js'

/** Locals as they are kept in fewer: compilers that do not optimise have one for every value. */
export interface Places {
  /** New index by old. */
  readonly of: Uint32Array
  /** Types of the new locals, parameters first. */
  readonly types: readonly number[]
  /** New locals that hold something needed later in a call that the function may be left in. */
  readonly saved: readonly number[]
}

/**
 * Which locals are needed where, by going through the code backwards until nothing new is learned of the beginnings of
 * loops; and from that, which locals can share a place: those of one type whose first and last instructions, with all of
 * a loop around which a value is carried, do not overlap.
 */
export function placeLocals(code: Code): Places {
  const sweep = new Sweep(code)
  while (sweep.run()) {}
  const { first, last, atEntry, atCalls } = sweep
  const { locals, parameters } = code
  const has = (set: Uint32Array, local: number) => (set[local >>> 5] & (1 << (local & 31))) !== 0
  for (const [loop, live] of sweep.loops) {
    for (let local = 0; local < locals.length; local++) {
      // It was given its value before the loop.
      if (has(live, local)) last[local] = Math.max(last[local], code.partners[loop])
    }
  }
  const of = new Uint32Array(locals.length)
  const types = locals.slice(0, parameters)
  for (let local = 0; local < parameters; local++) of[local] = local
  const order: number[] = []
  for (let local = parameters; local < locals.length; local++) {
    // A local that is read before it is written is zero from the beginning.
    if (has(atEntry, local)) first[local] = -1
    if (last[local] >= 0) order.push(local)
  }
  order.sort((a, b) => first[a] - first[b])
  const free = new Map<number, number[]>()
  /** Places in use, and until when. */
  let active: { place: number; until: number; type: number }[] = []
  for (const local of order) {
    const type = locals[local]
    active = active.filter((entry) => {
      if (entry.until >= first[local]) return true
      free.get(entry.type)!.push(entry.place)
      return false
    })
    if (!free.has(type)) free.set(type, [])
    const place = free.get(type)!.pop() ?? types.push(type) - 1
    of[local] = place
    active.push({ place, until: last[local], type })
  }
  const saved = new Set<number>()
  for (let local = 0; local < locals.length; local++) if (has(atCalls, local)) saved.add(of[local])
  return { of, types, saved: [...saved].sort((a, b) => a - b) }
}

/** A label on the way back through the code. */
interface Label {
  readonly at: number
  readonly isLoop: boolean
  /** What is needed where a branch to it leads. */
  readonly live: Uint32Array
  /** Of an `else`, once that was passed: what is needed at its beginning. */
  otherwise: Uint32Array | undefined
}

class Sweep {
  /** First and last instruction of each local. */
  readonly first: Int32Array
  readonly last: Int32Array
  /** Sets of locals: needed at the beginning, in some call that may be left, and at the beginnings of loops. */
  atEntry: Uint32Array
  readonly atCalls: Uint32Array
  readonly loops = new Map<number, Uint32Array>()
  private readonly size: number
  private readonly begins: Uint8Array
  /** By the end of a block: the block. */
  private openers: Int32Array | undefined

  constructor(private readonly code: Code) {
    const { locals, count } = code
    this.size = (locals.length + 31) >>> 5
    this.first = new Int32Array(locals.length).fill(count)
    this.last = new Int32Array(locals.length).fill(-1)
    this.atEntry = this.none()
    this.atCalls = this.none()
    this.begins = new Uint8Array(count)
    for (const { from } of code.callSites) this.begins[from] = 1
    for (let i = 0; i < count; i++) {
      if (code.dead[i] || code.ops[i] < OP.localGet || code.ops[i] > OP.localTee) continue
      const local = code.immediates[i]
      if (this.first[local] > i) this.first[local] = i
      this.last[local] = i
    }
  }

  /** Goes through the code once; true when something new was learned of a loop. */
  run(): boolean {
    const { code, begins, atCalls } = this
    const { ops, immediates, dead } = code
    const labels: Label[] = []
    let live = this.none()
    let hasLearned = false
    for (let i = code.count - 1; i >= 0; i--) {
      if (dead[i]) continue
      const local = immediates[i]
      switch (ops[i]) {
        case OP.localGet:
          live[local >>> 5] |= 1 << (local & 31)
          break
        case OP.localSet:
        case OP.localTee:
          live[local >>> 5] &= ~(1 << (local & 31))
          break
        case OP.end: {
          const at = this.openerOf(i)
          // The end of the function.
          if (at < 0) break
          const isLoop = ops[at] === OP.loop
          labels.push({ at, isLoop, live: isLoop ? this.loop(at) : live.slice(), otherwise: undefined })
          break
        }
        case OP.else: {
          const label = labels[labels.length - 1]
          label.otherwise = live
          live = label.live.slice()
          break
        }
        case OP.block:
          labels.pop()
          break
        case OP.if: {
          const { otherwise, live: after } = labels.pop()!
          unite(live, otherwise ?? after)
          break
        }
        case OP.loop: {
          const known = labels.pop()!.live
          if (unite(known, live)) hasLearned = true
          break
        }
        case OP.br:
          live = this.none()
          unite(live, this.target(labels, local))
          break
        case OP.brIf:
          unite(live, this.target(labels, local))
          break
        case OP.brTable: {
          live = this.none()
          const r = new Reader(code.bytes, code.offsets[i] + 1)
          for (let n = r.u32(); n >= 0; n--) unite(live, this.target(labels, r.u32()))
          break
        }
        case OP.return:
        case OP.unreachable:
          live = this.none()
          break
      }
      if (begins[i]) unite(atCalls, live)
    }
    this.atEntry = live
    return hasLearned
  }

  private openerOf(end: number): number {
    if (!this.openers) {
      const { code } = this
      this.openers = new Int32Array(code.count).fill(-1)
      for (let i = 0; i < code.count; i++) {
        const op = code.ops[i]
        if (code.dead[i] || op < OP.block || op > OP.if) continue
        const partner = code.partners[i]
        this.openers[code.ops[partner] === OP.else ? code.partners[partner] : partner] = i
      }
    }
    return this.openers[end]
  }

  private loop(at: number): Uint32Array {
    const known = this.loops.get(at)
    if (known) return known
    const none = this.none()
    this.loops.set(at, none)
    return none
  }

  /** Out of the function nothing is needed. */
  private target(labels: readonly Label[], label: number): Uint32Array {
    return labels[labels.length - 1 - label]?.live ?? this.none()
  }

  private none(): Uint32Array {
    return new Uint32Array(this.size)
  }
}

/** Adds the members of one set to another; true when there were new ones. */
function unite(set: Uint32Array, more: Uint32Array): boolean {
  let isNew = false
  for (let i = 0; i < set.length; i++) {
    const both = (set[i] | more[i]) >>> 0
    if (both === set[i]) continue
    set[i] = both
    isNew = true
  }
  return isNew
}
