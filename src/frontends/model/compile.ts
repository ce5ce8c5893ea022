import { TxStatus } from '../../machine/transactions.js'
import { Action, kindOfAction } from './actions.js'
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
  NEVER_FAILS,
  OBJECT,
  ORDER,
  TARGET,
  X,
  Y,
} from './code.js'
import { Emitter } from './emitter.js'
import { identifier, type Layout } from './layout.js'
import { encodeOrders } from './orders.js'
import type { Expression, Program, Statement } from './program.js'
import { shapes, statementFields } from './shapes.js'
import { collectRegisters, countCountedLoops, isStraight } from './statement-tree.js'
import type { Stops } from './stops.js'

/** Compiles the threads of a program; every statement becomes a site. Throws a `ProgramError`. */
export function compileBodies(program: Program, layout: Layout, stops: Stops): Body[] {
  const names = Object.keys(program.threads)
  const registers = collectRegisters(program.threads)
  return names.map((name) => new BodyCompiler(program, layout, stops, names, registers, name).compile())
}

type Fields = Readonly<Record<string, unknown>>

class BodyCompiler {
  private readonly out: Emitter
  private readonly argumentLists: [number, number][][] = []
  private readonly messages = new Map<number, string>()
  private readonly siteNames = new Set<string>()
  /** Rows that jump out of the loops under way, innermost last, to be given their target. */
  private readonly breaks: number[][] = []
  private readonly exits: number[] = []
  /** Places that a thread can come back to: `while`, and the begin of a transaction. */
  private loops = 0
  private counters: number[] = []

  constructor(
    private readonly program: Program,
    private readonly layout: Layout,
    private readonly stops: Stops,
    private readonly names: readonly string[],
    private readonly registers: ReadonlyMap<string, ReadonlySet<string>>,
    private readonly name: string,
  ) {
    const isShared = (object: string) => layout.objects.some((o) => o.name === object)
    this.out = new Emitter(registers.get(name)!, isShared)
  }

  compile(): Body {
    const { name, out } = this
    out.where = `thread "${name}"`
    if (!identifier.test(name)) throw out.error('a name is a letter or _ followed by letters, digits, _ or -')
    const body: unknown = this.program.threads[name]
    if (!Array.isArray(body)) throw out.error('its code must be a list of statements')
    this.counters = Array.from({ length: countCountedLoops(body) }, (_, i) => out.addRegister(`loop ${i}`))
    const registers = out.registerNames()
    this.block(body, '')
    out.where = `thread "${name}"`
    out.site = this.addSite('end', -1)
    for (const row of this.exits) out.aim(row)
    out.emit(Code.end)
    return {
      name,
      code: Int32Array.from(out.code),
      initial: Int32Array.from(out.initial),
      registers,
      loops: this.loops,
      argumentLists: this.argumentLists,
      messages: this.messages,
    }
  }

  private addSite(place: string, kind: number): number {
    const name = `${this.name}:${place}`
    if (this.siteNames.has(name)) throw this.out.error(`the label "${place}" is used twice in this thread`)
    this.siteNames.add(name)
    return this.stops.add({ name, function: this.name }, kind)
  }

  private block(statements: readonly unknown[], path: string): void {
    const prefix = path === '' ? '' : `${path}.`
    for (const [i, statement] of statements.entries()) this.statement(statement, `${prefix}${i}`)
  }

  private innerBlock(fields: Fields, field: string, path: string): void {
    const statements = fields[field]
    if (!Array.isArray(statements)) throw this.out.error(`${field} must be a list of statements`)
    this.block(statements, `${path}.${field}`)
  }

  private statement(statement: unknown, path: string): void {
    this.out.where = `thread "${this.name}", statement ${path}`
    const fields = this.checkFields(statement)
    const { op } = fields as unknown as Statement
    const shape = shapes[op]
    const label = fields.label as string | undefined
    const kind =
      shape === undefined
        ? op === 'create' || op === 'join'
          ? kindOfAction[Action[op]]
          : op === 'atomically'
            ? kindOfAction[Action.txBegin]
            : -1
        : op === 'output' && !this.program.compareOutputs
          ? -1
          : kindOfAction[Action[shape.action]]
    const site = this.addSite(label ?? path, kind)
    this.out.site = site
    if (shape !== undefined) {
      const row: Record<number, number> = { [ACTION]: Action[shape.action], [DEST]: this.destination(fields) }
      if (shape.object) {
        const object = this.layout.find(shape.object.types, fields[shape.object.field], this.out.where)
        row[OBJECT] = object.cell
        if (object.type === 'array') {
          if (fields.index === undefined)
            throw this.out.error(`"${object.name}" is an array and needs an index`)
          row[INDEX] = this.out.expression(fields.index as Expression)
          row[LENGTH] = object.length
        } else if (fields.index !== undefined)
          throw this.out.error(`"${object.name}" is not an array and takes no index`)
      }
      if (shape.a !== undefined) row[A] = this.operand(fields, shape.a)
      if (shape.b !== undefined) row[B] = this.operand(fields, shape.b)
      if (shape.orders !== undefined) row[ORDER] = encodeOrders(shape.orders, fields, this.out.where)
      if (op === 'xbegin') row[LOOP] = this.loops++
      if (op === 'xabort') row[A] = this.out.expression((fields.code ?? 0) as Expression)
      this.out.emit(Code.operate, row)
      return
    }
    this.otherStatement(op, fields, path)
  }

  private operand(fields: Fields, field: string): number {
    if (field === 'mutex')
      return this.out.constant(this.layout.find(['mutex'], fields.mutex, this.out.where).cell)
    const value = fields[field] as Expression
    if (field === 'count' && typeof value === 'number' && value < 1) {
      throw this.out.error(`count must be at least 1, not ${value}`)
    }
    return this.out.expression(value)
  }

  private otherStatement(op: Statement['op'], fields: Fields, path: string): void {
    switch (op) {
      case 'create':
        this.create(fields)
        return
      case 'join':
        this.join(fields)
        return
      case 'exit':
        this.exits.push(this.out.emit(Code.jump))
        return
      case 'assert': {
        if (fields.message !== undefined) this.messages.set(this.out.site, String(fields.message))
        this.out.emit(Code.assert, { [X]: this.out.expression(fields.condition as Expression) })
        return
      }
      case 'set':
        this.out.emit(Code.move, {
          [X]: this.out.expression(fields.value as Expression),
          [DEST]: this.destination(fields),
        })
        return
      case 'if':
        this.branch(fields, path)
        return
      case 'while':
        this.whileLoop(fields, path)
        return
      case 'loop':
        this.countedLoop(fields, path)
        return
      case 'atomically':
        this.atomically(fields, path)
        return
      case 'break': {
        const breaks = this.breaks.at(-1)
        if (breaks === undefined) throw this.out.error('there is no while or loop around it')
        breaks.push(this.out.emit(Code.jump))
        return
      }
      default:
        throw this.out.error('has no meaning')
    }
  }

  private create(fields: Fields): void {
    const body = this.bodyIndex(fields.thread)
    const row: Record<number, number> = {
      [ACTION]: Action.create,
      [OBJECT]: body,
      [DEST]: this.destination(fields),
    }
    if (fields.args !== undefined) {
      if (typeof fields.args !== 'object' || fields.args === null || Array.isArray(fields.args)) {
        throw this.out.error('args must be an object from registers of the new thread to values')
      }
      const childSlots = [...this.registers.get(this.names[body])!]
      const list = Object.entries(fields.args as Record<string, Expression>).map(
        ([register, value]): [number, number] => [this.out.expression(value), childSlots.indexOf(register)],
      )
      row[ARGUMENTS] = this.argumentLists.push(list) - 1
    }
    this.out.emit(Code.operate, row)
  }

  private join(fields: Fields): void {
    if ((fields.thread === undefined) === (fields.handle === undefined)) {
      throw this.out.error('give either thread, a name, or handle, what create gave')
    }
    if (fields.thread !== undefined) this.out.emit(Code.join, { [X]: this.bodyIndex(fields.thread), [Y]: -1 })
    else this.out.emit(Code.join, { [X]: -1, [Y]: this.out.expression(fields.handle as Expression) })
  }

  private bodyIndex(name: unknown): number {
    const body = this.names.indexOf(name as string)
    if (body < 0)
      throw this.out.error(`no thread ${JSON.stringify(name)}; threads are ${this.names.join(', ')}`)
    return body
  }

  private branch(fields: Fields, path: string): void {
    const { where } = this.out
    const skip = this.out.emit(Code.jumpIfZero, { [X]: this.out.expression(fields.condition as Expression) })
    this.innerBlock(fields, 'then', path)
    this.out.where = where
    if (fields.else === undefined) {
      this.out.aim(skip)
      return
    }
    const leave = this.out.emit(Code.jump)
    this.out.aim(skip)
    this.innerBlock(fields, 'else', path)
    this.out.aim(leave)
  }

  private whileLoop(fields: Fields, path: string): void {
    const { site } = this.out
    const head = this.out.emit(Code.head, { [LOOP]: this.loops++ })
    const leave = this.out.emit(Code.jumpIfZero, { [X]: this.out.expression(fields.condition as Expression) })
    this.loopBody(fields, path, () => {
      this.out.site = site
      this.out.emit(Code.jump, { [TARGET]: head })
    })
    this.out.aim(leave)
  }

  /** See `TransactionStatement`. */
  private atomically(fields: Fields, path: string): void {
    const { out } = this
    const { where, site } = out
    const status = fields.into === undefined ? out.temporary() : this.destination(fields)
    const head = fields.else === undefined ? out.emit(Code.head, { [LOOP]: this.loops++ }) : -1
    const begin = {
      [ACTION]: Action.txBegin,
      [DEST]: status,
      [LOOP]: this.loops++,
      [B]: fields.else === undefined ? NEVER_FAILS : -1,
      [INDEX]: -1,
      [ORDER]: isStraight(fields.body) ? 1 : -1,
    }
    out.emit(Code.operate, begin)
    const started = out.temporary()
    out.compute('==', status, out.constant(TxStatus.started), started)
    const skip = out.emit(Code.jumpIfZero, { [X]: started })
    this.innerBlock(fields, 'body', path)
    out.where = where
    out.site = site
    out.emit(Code.operate, { [ACTION]: Action.txEnd })
    const leave = out.emit(Code.jump)
    out.aim(skip)
    if (fields.else === undefined) out.emit(Code.jump, { [TARGET]: head })
    else this.innerBlock(fields, 'else', path)
    out.aim(leave)
  }

  private countedLoop(fields: Fields, path: string): void {
    const { site } = this.out
    const counter = this.counters.shift()!
    this.out.emit(Code.move, { [X]: this.out.expression(fields.count as Expression), [DEST]: counter })
    const head = this.out.code.length
    const test = this.out.temporary()
    this.out.compute('>', counter, this.out.constant(0), test)
    const leave = this.out.emit(Code.jumpIfZero, { [X]: test })
    this.loopBody(fields, path, () => {
      this.out.site = site
      this.out.compute('-', counter, this.out.constant(1), counter)
      this.out.emit(Code.jump, { [TARGET]: head })
    })
    this.out.aim(leave)
  }

  private loopBody(fields: Fields, path: string, goBack: () => void): void {
    this.breaks.push([])
    this.innerBlock(fields, 'body', path)
    goBack()
    for (const row of this.breaks.pop()!) this.out.aim(row)
  }

  private destination(fields: Fields): number {
    const { into } = fields
    if (into === undefined) return -1
    if (typeof into !== 'string' || !identifier.test(into)) {
      throw this.out.error(`into must be the name of a register, not ${JSON.stringify(into)}`)
    }
    return this.out.slotOf(into)
  }

  /** Checks that a statement is an object with the fields of its kind and no others. */
  private checkFields(statement: unknown): Fields {
    if (typeof statement !== 'object' || statement === null || Array.isArray(statement)) {
      throw this.out.error(
        `${JSON.stringify(statement)} is not a statement; write { op: 'store', var: 'x', value: 1 }`,
      )
    }
    const fields = statement as Fields
    const op = fields.op as string
    if (typeof op !== 'string' || !Object.hasOwn(statementFields, op)) {
      const known = Object.keys(statementFields).join(', ')
      throw this.out.error(`unknown statement ${JSON.stringify(op)}; known are ${known}`)
    }
    this.out.where += ` (${op})`
    const expected = statementFields[op]
    const list = expected.length === 0 ? 'none' : expected.join(', ')
    for (const field of expected) {
      if (!field.endsWith('?') && fields[field] === undefined) {
        throw this.out.error(`${field} is missing; its fields are ${list}`)
      }
    }
    for (const field of Object.keys(fields)) {
      if (field === 'op' || field === 'label' || fields[field] === undefined) continue
      if (!expected.includes(field) && !expected.includes(`${field}?`)) {
        throw this.out.error(`unknown field "${field}"; its fields are ${list}`)
      }
    }
    if (fields.label !== undefined && !identifier.test(String(fields.label))) {
      throw this.out.error(
        `label ${JSON.stringify(fields.label)} must be a letter or _ followed by letters, digits, _ or -`,
      )
    }
    return fields
  }
}
