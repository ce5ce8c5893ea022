import type { Machine } from '../../machine/machine.js'
import { Action, kindOfAction } from './actions.js'
import { hashOf } from './hash.js'
import { identifier, isInt32, type Layout } from './layout.js'
import { ModelMachine } from './machine.js'
import {
  AssertionFailure,
  type Head,
  type Operation,
  operations,
  type ThreadCode,
  type ThreadFunction,
} from './operations.js'
import { encodeOrders } from './orders.js'
import { type Declarations, ProgramError, type ProgramOptions } from './program.js'
import { type StatementName, shapes } from './shapes.js'
import { ANNOUNCED, type Control, ENDED, FAILED, type ModelState } from './state.js'
import type { Stops } from './stops.js'
import { joinTarget, threadOfHandle } from './thread.js'

/**
 * Model programs as generator functions. A thread yields its operations one by one and gets back what they gave:
 *
 *     threads: {
 *       *a(t) {
 *         const v = yield t.load('x')
 *         yield t.store('x', v + 1)
 *       },
 *     }
 *
 * Between two operations a thread may compute what it likes, but only on what belongs to it: shared state must be
 * declared, and the code must be deterministic. An infinite loop without any operation cannot be interrupted.
 */
export interface GeneratorProgram extends Declarations, ProgramOptions {
  readonly threads: Readonly<Record<string, ThreadFunction>>
  /** The threads that run from the beginning, in order; by default all. */
  readonly roots?: readonly string[]
}

export function isGeneratorProgram(program: { readonly threads: object }): program is GeneratorProgram {
  return Object.values(program.threads ?? {}).some((body) => typeof body === 'function')
}

/** The machine of a program of generator functions. Throws a `ProgramError` if its declarations make no sense. */
export function generatorMachine(program: GeneratorProgram): Machine {
  const names = Object.keys(program.threads)
  for (const name of names) {
    const where = `thread "${name}"`
    if (!identifier.test(name)) {
      throw new ProgramError(where, 'a name is a letter or _ followed by letters, digits, _ or -')
    }
    if (typeof program.threads[name] !== 'function') {
      throw new ProgramError(where, 'must be a generator function, as the other threads are')
    }
  }
  const sources = Object.values(program.threads).map(String)
  return new ModelMachine(program, (layout, stops) => ({
    bodies: names,
    defaultRoots: names,
    hash: hashOf({ ...program, name: undefined, threads: names, sources }),
    fixedSites: false,
    hasTransactions: false,
    control: (state) => new GeneratorControl(state, program, layout, stops),
    checkRegister(_, __, where) {
      throw new ProgramError(
        where,
        'threads that are functions have no registers; store the value in a variable',
      )
    },
  }))
}

class GeneratorControl implements Control {
  private readonly names: readonly string[]
  private readonly functions: readonly ThreadFunction[]
  /** By thread. */
  private readonly running: ThreadCode[] = []
  private readonly returned: unknown[] = []
  private readonly printing: string[] = []
  private readonly requested: Operation[] = []
  /** By body, name of the operation, and name of the object or label. */
  private readonly siteCache: Map<string, Map<string, number>>[]
  private readonly endSites: number[]

  constructor(
    private readonly s: ModelState,
    program: GeneratorProgram,
    private readonly layout: Layout,
    private readonly stops: Stops,
  ) {
    this.names = Object.keys(program.threads)
    this.functions = Object.values(program.threads)
    this.siteCache = this.names.map(() => new Map())
    this.endSites = this.names.map((name) => stops.add({ name: `${name}:end`, function: name }, -1))
  }

  canSpin(): boolean {
    return true
  }

  bodyName(body: number): string {
    return this.names[body]
  }

  outputText(thread: number): string {
    return this.printing[thread]
  }

  register(): number {
    return 0
  }

  describe(thread: number): string {
    const value = this.returned[thread]
    return value === undefined ? '' : `returned ${JSON.stringify(value)}`
  }

  start(thread: number, body: number, parent: number): number {
    const args = parent < 0 ? [] : (this.requested[parent].args ?? [])
    this.returned[thread] = undefined
    this.running[thread] = this.functions[body](operations, ...args)
    return this.advance(thread)
  }

  advance(thread: number): number {
    try {
      for (let input = this.resultOf(thread); ; input = 0) {
        const step = this.running[thread].next(input)
        if (step.done) {
          this.returned[thread] = step.value
          return this.end(thread)
        }
        const operation = step.value
        if (operation?.op === 'exit') return this.end(thread)
        if (operation?.op !== 'head') return this.request(thread, operation)
        if (!this.visitHead(thread, operation as Head))
          return this.fail(thread, 'livelock', 'spins without any operation')
      }
    } catch (error) {
      if (error instanceof ProgramError) throw error
      if (error instanceof AssertionFailure) {
        return this.fail(
          thread,
          'assertion',
          `fails its assertion${error.message === '' ? '' : `: ${error.message}`}`,
        )
      }
      return this.fail(thread, 'uncaught', `threw ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** What the thread's last operation gave: 0 for those that give nothing. */
  private resultOf(thread: number): number {
    const { op } = this.requested[thread] ?? { op: 'exit' }
    return op === 'create' || shapes[op as StatementName]?.into ? this.s.result[thread] : 0
  }

  private end(thread: number): number {
    this.s.pending.site[thread] = this.endSites[this.s.body[thread]]
    return ENDED
  }

  /** The site is that of the last operation: a function does not say where it is. */
  private fail(thread: number, kind: 'assertion' | 'uncaught' | 'livelock', message: string): number {
    this.s.fail(thread, kind, message)
    return FAILED
  }

  private visitHead(thread: number, head: Head): boolean {
    const { spins } = this.s
    if (head.stamp === spins.stamp[thread]) {
      if (head.row === spins.count[thread]) return false
      spins.block(thread, head.row)
    }
    head.stamp = spins.stamp[thread]
    head.row = spins.count[thread]
    return true
  }

  private request(thread: number, operation: Operation): number {
    const { s } = this
    const body = s.body[thread]
    this.requested[thread] = operation
    if (operation?.op === 'create') {
      const child = this.names.indexOf(String(operation.object))
      if (child < 0) throw this.unknownThread(body, operation, operation.object)
      s.announce(
        thread,
        Action.create,
        child,
        0,
        0,
        this.siteOf(body, operation, String(operation.object), Action.create),
      )
      return ANNOUNCED
    }
    if (operation?.op === 'join') {
      const site = this.siteOf(
        body,
        operation,
        typeof operation.a === 'string' ? operation.a : '',
        Action.join,
      )
      s.announce(thread, Action.join, this.joined(thread, operation), 0, 0, site)
      return ANNOUNCED
    }
    return this.requestShaped(thread, operation)
  }

  private requestShaped(thread: number, operation: Operation): number {
    const { s } = this
    const body = s.body[thread]
    const shape = shapes[operation?.op as StatementName]
    if (shape === undefined) {
      throw new ProgramError(
        `thread "${this.names[body]}"`,
        `yielded ${JSON.stringify(operation)}; yield what t.load(…) and the like return`,
      )
    }
    const place = operation.object
    const name = typeof place === 'object' ? place.var : (place ?? '')
    const action = Action[shape.action]
    let cell = -1
    if (shape.object) {
      const object = this.layout.find(shape.object.types, name, this.where(body, operation))
      cell = object.cell
      const index = typeof place === 'object' ? place.index : undefined
      if ((index !== undefined) !== (object.type === 'array')) {
        const right = index === undefined ? `{ var: "${name}", index: 0 }` : `"${name}"`
        throw new ProgramError(
          this.where(body, operation),
          `"${name}" is ${index === undefined ? 'an array' : `a ${object.type}`}; write ${right}`,
        )
      }
      if (index !== undefined) {
        const i = this.integer(body, operation, index)
        if (i < 0 || i >= object.length) {
          const site = this.siteOf(body, operation, name, action)
          return s.failAt(thread, 'trap', `uses index ${i}, outside ${name}[0..${object.length - 1}]`, site)
        }
        cell += i
      }
    }
    const site = this.siteOf(body, operation, name, action)
    if (action === Action.output) {
      this.printing[thread] = String(operation.a)
      s.announce(thread, action, cell, 0, 0, site)
      return ANNOUNCED
    }
    const waits = action === Action.wait || action === Action.timedWait
    const a = waits
      ? this.layout.find(['mutex'], operation.a, this.where(body, operation)).cell
      : shape.a === undefined
        ? 0
        : this.integer(body, operation, operation.a)
    const b = shape.b === undefined ? 0 : this.integer(body, operation, operation.b)
    if (action === Action.choose && a < 1) return s.failAt(thread, 'trap', `chooses among ${a} values`, site)
    s.announce(thread, action, cell, a, b, site)
    if (shape.orders !== undefined)
      s.order[thread] = encodeOrders(shape.orders, operation, this.where(body, operation))
    return ANNOUNCED
  }

  private joined(thread: number, { a, op, ...rest }: Operation): number {
    if (typeof a === 'number') return threadOfHandle(this.s, a)
    const body = this.names.indexOf(String(a))
    if (body < 0) throw this.unknownThread(this.s.body[thread], { op, ...rest }, a)
    return joinTarget(this.s, thread, body)
  }

  private unknownThread(body: number, operation: Operation, name: unknown): ProgramError {
    const known = this.names.join(', ')
    return new ProgramError(
      this.where(body, operation),
      `no thread ${JSON.stringify(name)}; threads are ${known}`,
    )
  }

  private integer(body: number, operation: Operation, value: unknown): number {
    const number = typeof value === 'boolean' ? Number(value) : value
    if (isInt32(number)) return number
    throw new ProgramError(
      this.where(body, operation),
      `${JSON.stringify(value) ?? value} is not a 32-bit integer`,
    )
  }

  private where(body: number, operation: Operation): string {
    return `thread "${this.names[body]}", operation ${operation.op}`
  }

  /** Operations of one kind on one object in one function share a site unless they are labelled. */
  private siteOf(body: number, operation: Operation, object: string, action: number): number {
    const byObject = this.siteCache[body]
    const kind = operation.label === undefined ? operation.op : 'label'
    let known = byObject.get(kind)
    if (known === undefined) byObject.set(kind, (known = new Map()))
    const key = operation.label ?? object
    let site = known.get(key)
    if (site === undefined) {
      const place = operation.label ?? (object === '' ? operation.op : `${operation.op}-${object}`)
      const silent = action === Action.output && !this.s.options.compareOutputs
      site = this.stops.add(
        { name: `${this.names[body]}:${place}`, function: this.names[body] },
        silent ? -1 : kindOfAction[action],
      )
      known.set(key, site)
    }
    return site
  }
}
