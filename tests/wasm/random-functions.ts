import { Emitter } from '../../src/frontends/wasm/rewrite/emitter.js'
import { OP, TYPE } from '../../src/frontends/wasm/rewrite/instructions.js'
import type { Random } from '../../src/random/random.js'

/**
 * Modules of a few random functions, each of which calls those after it and `env.pause`, wherever an operand is wanted:
 * in expressions, conditions, loops and blocks that give values. All end.
 */
const { i32, i64, f32, f64, empty } = TYPE
const ALL: readonly number[] = [i32, i64, f32, f64]
/** Locals: two parameters, then these. */
const LOCALS = Array.from({ length: 12 }, () => [i32, i64, i32, f64, f32]).flat()
/** What the functions give; the first is what is run. */
const RESULTS: readonly number[] = [i32, i64, i32, f32, f64, i32, i64, f64]
const FUNCTIONS = RESULTS.length
const FUEL = 200
/** `env.pause` and `env.quick`, which nobody is ever left in. */
const IMPORTS = 2

export function randomModule(random: Random): Uint8Array<ArrayBuffer> {
  const bodies = Array.from({ length: FUNCTIONS }, (_, i) => new RandomFunction(random, i).body())
  const out = new Emitter(4096)
  out.bytes([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
  const section = (id: number, fill: (content: Emitter) => void) => {
    const content = new Emitter(1024)
    fill(content)
    out.byte(id)
    out.sized(content.view())
  }
  section(1, (s) => {
    s.bytes([1 + ALL.length, 0x60, 1, i32, 1, i32])
    for (const type of ALL) s.bytes([0x60, 2, i32, i32, 1, type])
  })
  section(2, (s) => {
    s.u32(IMPORTS)
    for (const name of ['pause', 'quick']) {
      s.name('env')
      s.name(name)
      s.bytes([0, 0])
    }
  })
  section(3, (s) => s.bytes([FUNCTIONS, ...RESULTS.map(typeWith)]))
  section(4, (s) => s.bytes([1, 0x70, 0, FUNCTIONS]))
  section(5, (s) => s.bytes([1, 0, 1]))
  section(6, (s) => s.bytes([1, i32, 1, OP.i32Const, 0, OP.end]))
  section(7, (s) => {
    s.u32(2)
    s.name('run')
    s.bytes([0, IMPORTS])
    s.name('memory')
    s.bytes([2, 0])
  })
  section(9, (s) => {
    s.bytes([1, 0, OP.i32Const, 0, OP.end, FUNCTIONS])
    for (let i = 0; i < FUNCTIONS; i++) s.u32(IMPORTS + i)
  })
  section(10, (s) => {
    s.u32(bodies.length)
    for (const body of bodies) s.sized(body)
  })
  return out.view().slice()
}

/** Type of the functions that give this. */
const typeWith = (result: number) => 1 + ALL.indexOf(result)

class RandomFunction {
  private readonly out = new Emitter(1024)
  /** Types of what the labels that are open take; a loop's is never a target. */
  private readonly labels: (number | undefined)[] = []
  private readonly counters: number[] = []
  /** What may still be written. */
  private fuel = FUEL

  constructor(
    private readonly random: Random,
    private readonly index: number,
  ) {}

  body(): Uint8Array {
    const { out } = this
    this.statements(5)
    this.expression(RESULTS[this.index], 3)
    const whole = new Emitter(out.length + 64)
    whole.u32(LOCALS.length + this.counters.length)
    for (const type of [...LOCALS, ...this.counters]) whole.bytes([1, type])
    whole.bytes(out.view())
    whole.byte(OP.end)
    return whole.view().slice()
  }

  private below(n: number): number {
    return this.random.below(n)
  }

  private local(type: number): number {
    const all = [i32, i32, ...LOCALS]
    const fitting = all.flatMap((other, i) => (other === type ? [i] : []))
    // Others as the function goes on: each is needed for a while.
    const passed = Math.floor(((FUEL - Math.max(this.fuel, 0)) / FUEL) * (fitting.length - 3))
    return fitting[passed + this.below(3)]
  }

  private statements(depth: number): void {
    for (let n = 1 + this.below(4); n > 0; n--) this.statement(depth)
  }

  private statement(depth: number): void {
    const { out } = this
    this.fuel--
    const kind = depth > 0 && this.fuel > 0 ? this.below(10) : this.below(3)
    switch (kind) {
      case 0:
      case 1: {
        const type = [i32, ...ALL][this.below(5)]
        this.expression(type, depth)
        out.op(OP.localSet, this.local(type))
        return
      }
      case 2:
        out.constant(8 * this.below(4))
        this.expression(i32, depth)
        out.memory(OP.i32Store, 2, 1024)
        return
      case 3:
      case 4: {
        this.expression(i32, depth - 1)
        this.inside(OP.if, empty, () => {
          this.statements(depth - 1)
          if (this.below(2)) {
            this.out.byte(OP.else)
            this.statements(depth - 1)
          }
        })
        return
      }
      case 5:
        this.inside(OP.block, empty, () => this.statements(depth - 1))
        return
      case 6:
        this.loop(depth)
        return
      case 7:
        this.branch(depth)
        return
      case 8:
        this.expression(i32, depth)
        out.op(OP.globalSet, 0)
        return
      default:
        this.expression(i32, depth)
        this.inside(OP.if, empty, () => {
          this.expression(RESULTS[this.index], depth - 1)
          this.out.byte(OP.return)
          if (this.below(2)) this.statements(1)
        })
    }
  }

  private loop(depth: number): void {
    const { out } = this
    const counter = 2 + LOCALS.length + this.counters.push(i32) - 1
    out.constant(1 + this.below(3))
    out.op(OP.localSet, counter)
    this.inside(OP.loop, empty, () => {
      this.statements(depth - 1)
      out.op(OP.localGet, counter)
      out.constant(1)
      out.byte(OP.i32Sub)
      out.op(OP.localTee, counter)
      out.op(OP.brIf, 0)
    })
  }

  /** Out of one of the blocks, some with a value. */
  private branch(depth: number): void {
    const { out, labels } = this
    const targets = labels.flatMap((type, i) => (type === empty ? [labels.length - 1 - i] : []))
    if (targets.length === 0) {
      this.statement(0)
      return
    }
    const target = () => targets[this.below(targets.length)]
    this.expression(i32, depth - 1)
    if (this.below(2)) {
      out.op(OP.brIf, target())
      return
    }
    this.inside(OP.if, empty, () => {
      this.expression(i32, 1)
      out.op(OP.brTable, 2)
      for (let i = 0; i < 3; i++) out.u32(target() + 1)
      if (this.below(3) === 0) this.expressionDropped()
    })
  }

  /** Code that is never come to. */
  private expressionDropped(): void {
    this.expression(i32, 1)
    this.out.byte(OP.drop)
  }

  private inside(op: number, type: number, fill: () => void): void {
    this.out.bytes([op, type])
    this.labels.push(op === OP.loop ? undefined : type)
    fill()
    this.labels.pop()
    this.out.byte(OP.end)
  }

  private expression(type: number, depth: number): void {
    this.fuel--
    if (type === i32) this.word(depth)
    else if (depth <= 0 || this.fuel <= 0 || this.below(3) === 0) this.out.op(OP.localGet, this.local(type))
    else if (this.below(4) === 0) this.call(type, depth)
    else {
      this.expression(type, depth - 1)
      this.word(depth - 1)
      if (type === i64) this.out.bytes([OP.i64ExtendI32U, [OP.i64Add, OP.i64Xor][this.below(2)]])
      else if (type === f32)
        this.out.bytes([0xb2, 0x92]) // f32.convert_i32_s, f32.add
      else this.out.bytes([0xb7, 0xa0]) // f64.convert_i32_s, f64.add
    }
  }

  private word(depth: number): void {
    const { out } = this
    const kind = depth > 0 && this.fuel > 0 ? this.below(15) : this.below(3)
    switch (kind) {
      case 0:
        out.constant(this.below(1000) - 500)
        return
      case 1:
        out.op(OP.localGet, this.local(i32))
        return
      case 2:
        out.constant(8 * this.below(4))
        out.memory(OP.i32Load, 2, 1024)
        return
      case 3:
      case 4:
        this.word(depth - 1)
        this.word(depth - 1)
        out.byte([OP.i32Add, OP.i32Sub, OP.i32Xor][this.below(3)])
        return
      case 5:
      case 6:
        this.word(depth - 1)
        out.op(OP.call, this.below(5) ? 0 : 1)
        return
      case 7:
      case 8:
        this.call(i32, depth)
        return
      case 9:
        this.inside(OP.block, i32, () => {
          this.word(depth - 1)
          this.word(depth - 1)
          out.op(OP.brIf, 0)
          this.word(depth - 1)
          out.byte(OP.i32Add)
        })
        return
      case 10:
        this.word(depth - 1)
        this.inside(OP.if, i32, () => {
          this.word(depth - 1)
          out.byte(OP.else)
          this.word(depth - 1)
        })
        return
      case 11: {
        const type = this.below(2)
        this.expression([f32, f64][type], depth - 1)
        out.bytes([OP.bulk, 2 * type]) // i32.trunc_sat_f32_s, i32.trunc_sat_f64_s
        return
      }
      case 12:
        this.word(depth - 1)
        this.word(depth - 1)
        this.word(depth - 1)
        out.byte(OP.select)
        return
      case 13:
        out.op(OP.globalGet, 0)
        return
      default:
        this.expression(i64, depth - 1)
        out.byte(0xa7) // i32.wrap_i64
        out.op(OP.localTee, this.local(i32))
    }
  }

  /** Directly or through the table. */
  private call(type: number, depth: number): void {
    const { out } = this
    const callees = RESULTS.flatMap((result, i) => (i > this.index && result === type ? [i] : []))
    if (callees.length === 0) {
      this.expression(type, 0)
      return
    }
    this.word(depth - 1)
    this.word(depth - 1)
    const callee = callees[this.below(callees.length)]
    if (this.below(2)) out.op(OP.call, IMPORTS + callee)
    else {
      out.constant(callee)
      out.bytes([OP.callIndirect, typeWith(type), 0])
    }
  }
}
