import { Reader } from '../rewrite/bytes.js'
import { Emitter } from '../rewrite/emitter.js'
import { OP, TYPE } from '../rewrite/instructions.js'
import type { Body, FunctionType } from '../rewrite/module.js'
import { type Child, type Code, decodeCode, type Level, type Surroundings } from './code.js'
import { type Places, placeLocals } from './live-locals.js'
import { NotKnownError } from './operands.js'

/** Globals of the whole module. */
export interface Control {
  /** 0: code runs as written; 1: the stack is unwound; 2: it is rewound. */
  readonly state: number
  /** Address of two words: where the next frame is saved, and the end of the room for them. */
  readonly data: number
}

/** Makes a function able to be left in its calls; undefined if there is none in which it may be. */
export function withLeaving(
  body: Body,
  type: FunctionType,
  around: Surroundings,
  control: Control,
): Uint8Array | undefined {
  const code = decodeCode(body, type, around)
  return code && new Leaving(code, control).run()
}

/** A block of the original that is open. */
interface Block {
  /** How many blocks of the result were open with it. */
  readonly level: number
  readonly inside: Inside
}

/** The calls, and blocks with calls, of a level. */
interface Inside {
  readonly children: readonly Child[]
  /** The next of them to come. */
  next: number
  /** Nothing lies before the only one: it needs no label. */
  readonly isAlone: boolean
}

const { i32, i64, f32, f64, v128 } = TYPE

/** How to load and store a value of a type; and its size. */
const access: Readonly<Record<number, { load: readonly number[]; store: readonly number[]; size: number }>> =
  {
    [i32]: { load: [0x28], store: [0x36], size: 4 },
    [i64]: { load: [0x29], store: [0x37], size: 8 },
    [f32]: { load: [0x2a], store: [0x38], size: 4 },
    [f64]: { load: [0x2b], store: [0x39], size: 8 },
    [v128]: { load: [OP.vector, 0], store: [OP.vector, 11], size: 16 },
  }

/**
 * A call that a function may be left in is followed by a look at the state. If the stack is being unwound, the function
 * saves the number of the call and the locals that are needed after it, and returns. When it is entered to be rewound, it
 * takes them back, and goes on at that call: what lies before the call, on each level of blocks, is passed by with a branch
 * to a label there:
 *
 * ```
 * block                     one for each call or block with calls of the level
 *   block
 *     local.get $call       0 unless it is being rewound
 *     br_table …
 *   end
 *   …                       as it was, up to the call
 * end
 * call …
 * ```
 *
 * At such a label the stack has to be empty, so operands that lie on it are put into locals before and taken from there after.
 */
class Leaving {
  private readonly out = new Emitter(1024)
  private readonly places: Places
  /** Types of the locals. */
  private readonly types: number[]
  /** A local with the number of the call at which to go on. */
  private readonly call: number
  /** One for the address of the frame. */
  private readonly frame: number
  /** One for the condition of an `if`. */
  private readonly condition: number
  /** Those for operands, by height on the stack and type. */
  private readonly operands = new Map<string, number>()
  private readonly blocks: Block[] = []
  /** How many blocks of the result are open. */
  private open = 0

  constructor(
    private readonly code: Code,
    private readonly control: Control,
  ) {
    this.places = placeLocals(code)
    this.types = [...this.places.types]
    this.call = this.local(i32)
    this.frame = this.local(i32)
    this.condition = this.local(i32)
  }

  run(): Uint8Array {
    const { code, out } = this
    const [result] = code.results
    this.beginBlock(i32)
    this.beginBlock(result ?? TYPE.empty)
    this.blocks.push({ level: this.open, inside: this.beginLevel(code.body, 0) })
    this.instructions()
    out.bytes([OP.end, OP.return, OP.end])
    const operands = code.callSites.flatMap(({ stack }) =>
      stack.map((type, height) => this.operand(height, type)),
    )
    const saved = [...this.places.saved, ...new Set(operands)]
    const whole = new Emitter(out.length + 256)
    this.declareLocals(whole)
    this.takeBack(whole, saved)
    whole.bytes(out.view())
    this.save(whole, saved)
    if (result !== undefined) zero(whole, result)
    whole.byte(OP.end)
    return whole.view()
  }

  private instructions(): void {
    const { code, out } = this
    const { ops, offsets, dead, bytes } = code
    /** Instructions before this one have been copied or replaced. */
    let copied = 0
    const copyTo = (i: number) => {
      if (copied < i) out.bytes(bytes.subarray(offsets[copied], offsets[i]))
      copied = i
    }
    for (let i = 0; i < code.count; i++) {
      const { inside } = this.blocks[this.blocks.length - 1]
      while (inside.children[inside.next]?.from === i) {
        copyTo(i)
        this.goOn(inside.children[inside.next++], inside.isAlone)
      }
      const op = ops[i]
      if (!dead[i] && !isReplaced(op)) continue
      copyTo(i)
      copied = i + 1
      if (!dead[i]) this.replace(i, op)
    }
  }

  private replace(i: number, op: number): void {
    const { code, out, places } = this
    const { offsets, immediates, bytes } = code
    const written = bytes.subarray(offsets[i], offsets[i + 1])
    switch (op) {
      case OP.localGet:
      case OP.localSet:
      case OP.localTee:
        out.op(op, places.of[immediates[i]])
        return
      case OP.block:
      case OP.loop:
      case OP.if: {
        const child = code.childAt.get(i)
        if (op === OP.if && child) this.pushCondition(child)
        out.bytes(written)
        this.open++
        this.beginInside(i)
        return
      }
      case OP.else:
        this.blocks.pop()
        out.byte(op)
        this.beginInside(i)
        return
      case OP.end:
        this.blocks.pop()
        // That of the function comes with what is written after it.
        if (this.blocks.length > 0) this.endBlock()
        return
      case OP.br:
      case OP.brIf:
        out.op(op, this.label(immediates[i]))
        return
      case OP.brTable: {
        const r = new Reader(bytes, offsets[i] + 1)
        const count = r.u32()
        out.op(op, count)
        for (let n = 0; n <= count; n++) out.u32(this.label(r.u32()))
        return
      }
      default: {
        const { inside } = this.blocks[this.blocks.length - 1]
        const child = inside.children[inside.next - 1]
        if (child?.at !== i) out.bytes(written)
        else this.callSite(child, written)
      }
    }
  }

  private callSite({ first: number }: Child, instruction: Uint8Array): void {
    const { out } = this
    out.constant(0)
    out.op(OP.localSet, this.call)
    out.bytes(instruction)
    out.constant(number)
    out.op(OP.globalGet, this.control.state)
    out.op(OP.brIf, this.open - 1)
    out.byte(OP.drop)
  }

  /** In a function that is rewound the condition is 0, as it is if the call to go on at is not in the first part. */
  private pushCondition(child: Child): void {
    const { code, out } = this
    out.op(OP.localGet, this.condition)
    const { children } = code.levels.get(child.at)!
    if (children.length === 0) return
    const { last } = children[children.length - 1]
    out.op(OP.localGet, this.call)
    if (last < child.last) {
      out.constant(child.first)
      out.byte(OP.i32Sub)
      out.constant(last - child.first + 1)
      out.byte(OP.i32LtU)
    }
    out.byte(OP.i32Or)
  }

  private beginInside(i: number): void {
    const level = this.open
    this.blocks.push({ level, inside: this.beginLevel(this.code.levels.get(i)!, i + 1) })
  }

  /** Labels for a level, and the way to them; `first` is its first instruction. */
  private beginLevel({ children }: Level, first: number): Inside {
    const { out } = this
    const isAlone = children.length === 1 && children[0].from === first
    if (children.length === 0 || isAlone) return { children, next: 0, isAlone }
    for (const _ of children) this.beginBlock(TYPE.empty)
    if (children.length === 1) {
      out.op(OP.localGet, this.call)
      out.op(OP.brIf, 0)
    } else {
      const from = children[0].first
      // Before the first there is something to do, for which it goes to a label of its own.
      const others = children[0].from === first ? 0 : 1
      if (others) this.beginBlock(TYPE.empty)
      out.op(OP.localGet, this.call)
      out.constant(from)
      out.byte(OP.i32Sub)
      out.op(OP.brTable, children[children.length - 1].last - from + 1)
      children.forEach((child, i) => {
        for (let number = child.first; number <= child.last; number++) out.u32(i + others)
      })
      out.u32(0)
      if (others) this.endBlock()
    }
    return { children, next: 0, isAlone }
  }

  /** At the label of a call or block: the stack is empty there. */
  private goOn({ at, stack, base }: Child, isAlone: boolean): void {
    const { out, code } = this
    if (code.ops[at] === OP.if) out.op(OP.localSet, this.condition)
    for (let height = stack.length - 1; height >= base; height--) {
      out.op(OP.localSet, this.operand(height, stack[height]))
    }
    if (!isAlone) this.endBlock()
    for (let height = base; height < stack.length; height++) {
      out.op(OP.localGet, this.operand(height, stack[height]))
    }
  }

  private label(label: number): number {
    return this.open - this.blocks[this.blocks.length - 1 - label].level
  }

  private beginBlock(type: number): void {
    this.out.bytes([OP.block, type])
    this.open++
  }

  private endBlock(): void {
    this.out.byte(OP.end)
    this.open--
  }

  private local(type: number): number {
    return this.types.push(type) - 1
  }

  private operand(height: number, type: number): number {
    const key = `${height} ${type}`
    let local = this.operands.get(key)
    if (local === undefined) {
      local = this.local(type)
      this.operands.set(key, local)
    }
    return local
  }

  private declareLocals(out: Emitter): void {
    const groups: { type: number; count: number }[] = []
    for (const type of this.types.slice(this.code.parameters)) {
      const last = groups[groups.length - 1]
      if (last?.type === type) last.count++
      else groups.push({ type, count: 1 })
    }
    out.u32(groups.length)
    for (const { type, count } of groups) {
      out.u32(count)
      out.byte(type)
    }
  }

  /** The beginning of the function: a function that is entered while the stack is rewound takes back what it saved. */
  private takeBack(out: Emitter, saved: readonly number[]): void {
    const { control, frame } = this
    out.op(OP.globalGet, control.state)
    out.bytes([OP.if, TYPE.empty])
    out.op(OP.globalGet, control.data)
    out.op(OP.globalGet, control.data)
    out.memory(OP.i32Load, 2, 0)
    out.constant(this.sizeOf(saved))
    out.byte(OP.i32Sub)
    out.op(OP.localTee, frame)
    out.memory(OP.i32Store, 2, 0)
    this.eachWord(saved, (local, offset) => {
      const type = this.types[local]
      out.op(OP.localGet, frame)
      out.bytes(accessOf(type).load)
      out.byte(type === v128 ? 0 : 2)
      out.u32(offset)
      out.op(OP.localSet, local)
    })
    out.byte(OP.end)
  }

  /** The end: the number of the call is on the stack. */
  private save(out: Emitter, saved: readonly number[]): void {
    const { control, frame } = this
    out.op(OP.localSet, this.call)
    out.op(OP.globalGet, control.data)
    out.memory(OP.i32Load, 2, 0)
    out.op(OP.localSet, frame)
    this.eachWord(saved, (local, offset) => {
      const type = this.types[local]
      out.op(OP.localGet, frame)
      out.op(OP.localGet, local)
      out.bytes(accessOf(type).store)
      out.byte(type === v128 ? 0 : 2)
      out.u32(offset)
    })
    out.op(OP.globalGet, control.data)
    out.op(OP.localGet, frame)
    out.constant(this.sizeOf(saved))
    out.byte(OP.i32Add)
    out.memory(OP.i32Store, 2, 0)
  }

  /** The frame: the number of the call, then the locals. */
  private eachWord(saved: readonly number[], one: (local: number, offset: number) => void): void {
    let offset = 0
    for (const local of [this.call, ...saved]) {
      one(local, offset)
      offset += accessOf(this.types[local]).size
    }
  }

  private sizeOf(saved: readonly number[]): number {
    return [this.call, ...saved].reduce((sum, local) => sum + accessOf(this.types[local]).size, 0)
  }
}

function isReplaced(op: number): boolean {
  return (
    (op >= OP.block && op <= OP.else) ||
    (op >= OP.end && op <= OP.brTable) ||
    op === OP.call ||
    op === OP.callIndirect ||
    (op >= OP.localGet && op <= OP.localTee)
  )
}

function accessOf(type: number) {
  const found = access[type]
  if (!found) throw new NotKnownError(`a local of type 0x${type.toString(16)}`)
  return found
}

function zero(out: Emitter, type: number): void {
  if (type === i32) out.constant(0)
  else if (type === i64) out.bytes([OP.i64Const, 0])
  else if (type === f32) out.bytes([0x43, 0, 0, 0, 0])
  else if (type === f64) out.bytes([0x44, 0, 0, 0, 0, 0, 0, 0, 0])
  else throw new NotKnownError(`a result of type 0x${type.toString(16)}`)
}
