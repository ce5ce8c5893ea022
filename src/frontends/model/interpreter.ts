import { grown } from '../../machine/growing.js'
import { Action } from './actions.js'
import {
  A,
  ACTION,
  ARGUMENTS,
  B,
  type Body,
  Code,
  DEST,
  INDEX,
  LENGTH,
  LOOP,
  OBJECT,
  ORDER,
  ROW,
  SITE,
  TARGET,
  X,
  Y,
} from './code.js'
import { ANNOUNCED, type Control, ENDED, type ModelState } from './state.js'
import { joinTarget, threadOfHandle } from './thread.js'

/** Jumps back within one stretch of code without operations, after which the thread is said never to stop. */
const FUEL = 200_000

/** Runs the code of data programs. */
export class Interpreter implements Control {
  /** By thread: the row of its pending operation. */
  private pc = new Int32Array(16)
  /** Register files, `slots` numbers per thread. */
  private registers: Int32Array
  private readonly slots: number
  /**
   * Per thread and `while`: the stamp and the row count at an earlier visit of its head, and the registers then; how many
   * visits ago that was, and after how many another one is kept.
   */
  private readonly loops: number
  private headStamp: Int32Array
  private headRow: Int32Array
  private headAge: Int32Array
  private headSpan: Int32Array
  private headRegisters: Int32Array
  /** The thread kept: see `Control.keep`. */
  private keptPc = 0
  private readonly kept: Int32Array

  constructor(
    private readonly s: ModelState,
    private readonly bodies: readonly Body[],
  ) {
    this.slots = Math.max(...bodies.map((body) => body.initial.length), 1)
    this.loops = Math.max(...bodies.map((body) => body.loops))
    this.registers = new Int32Array(16 * this.slots)
    this.kept = new Int32Array(this.slots)
    this.headStamp = new Int32Array(16 * this.loops)
    this.headRow = new Int32Array(16 * this.loops)
    this.headAge = new Int32Array(16 * this.loops)
    this.headSpan = new Int32Array(16 * this.loops)
    this.headRegisters = new Int32Array(16 * this.loops * this.slots)
  }

  canSpin(body: number): boolean {
    return this.bodies[body].loops > 0
  }

  bodyName(body: number): string {
    return this.bodies[body].name
  }

  outputText(thread: number): string {
    return String(this.s.a[thread])
  }

  register(thread: number, name: string): number {
    const slot = this.bodies[this.s.body[thread]].registers.indexOf(name)
    return slot < 0 ? 0 : this.registers[thread * this.slots + slot]
  }

  ownState(thread: number): Int32Array {
    const base = thread * this.slots
    return Int32Array.of(this.pc[thread], ...this.registers.subarray(base, base + this.slots))
  }

  describe(thread: number): string {
    return this.bodies[this.s.body[thread]].registers
      .map((name, slot) => `${name}=${this.registers[thread * this.slots + slot]}`)
      .filter((_, slot) => !this.bodies[this.s.body[thread]].registers[slot].startsWith('loop '))
      .join(' ')
  }

  start(thread: number, body: number, parent: number): number {
    if (thread >= this.pc.length) this.grow(thread + 1)
    const { initial, loops } = this.bodies[body]
    const { registers } = this
    const base = thread * this.slots
    for (let i = 0; i < initial.length; i++) registers[base + i] = initial[i]
    for (let i = 0; i < loops; i++) this.headStamp[thread * this.loops + i] = -1
    if (parent >= 0) this.passArguments(parent, base)
    return this.run(thread, body, 0)
  }

  private passArguments(parent: number, base: number): void {
    const creator = this.bodies[this.s.body[parent]]
    const list = creator.code[this.pc[parent] + ARGUMENTS]
    if (list < 0) return
    for (const [from, to] of creator.argumentLists[list]) {
      this.registers[base + to] = this.registers[parent * this.slots + from]
    }
  }

  advance(thread: number): number {
    const body = this.s.body[thread]
    const at = this.pc[thread]
    const dest = this.bodies[body].code[at + DEST]
    if (dest >= 0) this.registers[thread * this.slots + dest] = this.s.result[thread]
    return this.run(thread, body, at + ROW)
  }

  /** Runs local instructions from a row on, up to the next operation. */
  private run(t: number, body: number, from: number): number {
    const { s, registers } = this
    const { code } = this.bodies[body]
    const base = t * this.slots
    let fuel = FUEL
    let p = from
    for (;;) {
      switch (code[p]) {
        case Code.operate:
          return this.announce(t, code, p, base)
        case Code.end:
          s.pending.site[t] = code[p + SITE]
          return ENDED
        case Code.move:
          registers[base + code[p + DEST]] = registers[base + code[p + X]]
          p += ROW
          break
        case Code.jump: {
          const target = code[p + TARGET]
          if (target <= p && --fuel === 0) return this.neverStops(t, code[p + SITE])
          p = target
          break
        }
        case Code.jumpIfZero:
          p = registers[base + code[p + X]] === 0 ? code[p + TARGET] : p + ROW
          break
        case Code.head:
          if (!this.visitHead(t, body, code[p + LOOP], base)) return this.neverStops(t, code[p + SITE])
          p += ROW
          break
        case Code.assert:
          if (registers[base + code[p + X]] === 0) return this.failAssertion(t, body, code[p + SITE])
          p += ROW
          break
        case Code.join: {
          const target =
            code[p + X] >= 0
              ? joinTarget(s, t, code[p + X])
              : threadOfHandle(s, registers[base + code[p + Y]])
          this.pc[t] = p
          s.announce(t, Action.join, target, 0, 0, code[p + SITE])
          return ANNOUNCED
        }
        default: {
          const y = registers[base + code[p + Y]]
          const operation = code[p] - Code.compute
          if (y === 0 && (operation === 3 || operation === 4)) {
            return s.failAt(t, 'trap', 'divides by zero', code[p + SITE])
          }
          registers[base + code[p + DEST]] = compute(operation, registers[base + code[p + X]], y)
          p += ROW
        }
      }
    }
  }

  private announce(t: number, code: Int32Array, p: number, base: number): number {
    const { s, registers } = this
    this.pc[t] = p
    const action = code[p + ACTION]
    let object = code[p + OBJECT]
    if (code[p + INDEX] >= 0) {
      const index = registers[base + code[p + INDEX]]
      if (index < 0 || index >= code[p + LENGTH]) {
        const bounds = `${s.nameOf(object)}[0..${code[p + LENGTH] - 1}]`
        return s.failAt(t, 'trap', `uses index ${index}, outside ${bounds}`, code[p + SITE])
      }
      object += index
    }
    if (action === Action.txBegin) return this.arrive(t, code, p, base)
    const a = code[p + A] >= 0 ? registers[base + code[p + A]] : 0
    const b = code[p + B] >= 0 ? registers[base + code[p + B]] : 0
    if (action === Action.choose && a < 1) {
      return s.failAt(t, 'trap', `chooses among ${a} values`, code[p + SITE])
    }
    s.announce(t, action, object, a, b, code[p + SITE])
    s.order[t] = code[p + ORDER]
    return ANNOUNCED
  }

  /** The thread has come to the begin of a transaction. */
  private arrive(t: number, code: Int32Array, p: number, base: number): number {
    const { s } = this
    const loop = code[p + LOOP]
    const changes = s.spins.changes[t]
    const isInside = s.transactions.isOpen
    const isAgain = !isInside && this.isSameVisit(t, s.body[t], loop, base, changes)
    if (!isAgain && !isInside) this.keepVisit(t, s.body[t], loop, base, changes)
    s.announce(t, Action.txBegin, -1, loop, code[p + B], code[p + SITE])
    s.transactions.arrive(t, !isAgain, code[p + ORDER] === 1)
    return ANNOUNCED
  }

  /** Whether the thread was there with the same registers, and nothing has changed since. */
  private isSameVisit(t: number, body: number, loop: number, base: number, stamp: number): boolean {
    const { registers, headRegisters } = this
    const h = t * this.loops + loop
    const saved = h * this.slots
    const count = this.bodies[body].registers.length
    if (this.headStamp[h] !== stamp) return false
    for (let i = 0; i < count; i++) if (headRegisters[saved + i] !== registers[base + i]) return false
    return true
  }

  /** Brent: the visit compared with is replaced after 1, 2, 4, … more, so that a cycle of any length is found. */
  private keepVisit(t: number, body: number, loop: number, base: number, stamp: number): void {
    const { registers, headRegisters } = this
    const h = t * this.loops + loop
    const saved = h * this.slots
    const isIdle = this.headStamp[h] === stamp
    if (isIdle && ++this.headAge[h] < this.headSpan[h]) return
    this.headSpan[h] = isIdle ? this.headSpan[h] * 2 : 1
    this.headAge[h] = 0
    const count = this.bodies[body].registers.length
    for (let i = 0; i < count; i++) headRegisters[saved + i] = registers[base + i]
    this.headStamp[h] = stamp
    this.headRow[h] = this.s.spins.count[t]
  }

  keep(t: number): void {
    const base = t * this.slots
    this.keptPc = this.pc[t]
    this.kept.set(this.registers.subarray(base, base + this.slots))
  }

  goBack(t: number): void {
    this.pc[t] = this.keptPc
    this.registers.set(this.kept, t * this.slots)
  }

  /** False when the thread came back with the same registers and no operation in between: it will never stop. */
  private visitHead(t: number, body: number, loop: number, base: number): boolean {
    const { spins, transactions } = this.s
    // In a transaction nothing changes while it is under way: what does not end is found by its length.
    if (transactions.isOpen) return true
    const h = t * this.loops + loop
    if (!this.isSameVisit(t, body, loop, base, spins.stamp[t])) {
      this.keepVisit(t, body, loop, base, spins.stamp[t])
      return true
    }
    if (this.headRow[h] === spins.count[t]) return false
    spins.block(t, this.headRow[h])
    this.headSpan[h] = 1
    this.headAge[h] = 0
    this.headRow[h] = spins.count[t]
    return true
  }

  private neverStops(t: number, site: number): number {
    return this.s.failAt(t, 'livelock', 'loops without any visible operation', site)
  }

  private failAssertion(t: number, body: number, site: number): number {
    const message = this.bodies[body].messages.get(site)
    return this.s.failAt(
      t,
      'assertion',
      `fails its assertion${message === undefined ? '' : `: ${message}`}`,
      site,
    )
  }

  private grow(threads: number): void {
    const size = Math.max(threads, this.pc.length * 2)
    this.pc = grown(this.pc, size)
    this.registers = grown(this.registers, size * this.slots)
    this.headStamp = grown(this.headStamp, size * this.loops)
    this.headRow = grown(this.headRow, size * this.loops)
    this.headAge = grown(this.headAge, size * this.loops)
    this.headSpan = grown(this.headSpan, size * this.loops)
    this.headRegisters = grown(this.headRegisters, size * this.loops * this.slots)
  }
}

/** In the order of `operators`; division by zero has been ruled out. */
function compute(operation: number, x: number, y: number): number {
  switch (operation) {
    case 0:
      return x + y
    case 1:
      return x - y
    case 2:
      return Math.imul(x, y)
    case 3:
      return x / y
    case 4:
      return x % y
    case 5:
      return x === y ? 1 : 0
    case 6:
      return x !== y ? 1 : 0
    case 7:
      return x < y ? 1 : 0
    case 8:
      return x <= y ? 1 : 0
    case 9:
      return x > y ? 1 : 0
    case 10:
      return x >= y ? 1 : 0
    case 11:
      return x & y
    case 12:
      return x | y
    case 13:
      return x ^ y
    case 14:
      return x << y
    case 15:
      return x >> y
    default:
      return x === 0 ? 1 : 0
  }
}
