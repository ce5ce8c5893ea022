import { Reader } from './bytes.js'
import { readLocals } from './function.js'
import { CATCH, OP, readCatches, skipImmediates } from './instructions.js'
import { type FunctionType, KIND, type Module } from './module.js'

/** Which functions an exception can come out of. */
export interface Throwers {
  mayThrow(index: number): boolean
  /** Whether it is an import in which the thread may end because it was cancelled. */
  mayBeCancelled(index: number): boolean
  /** Of a call through the table, by the index of its type. */
  mayThrowIndirectly(type: number): boolean
  /** Whether the function has to be rewritten: something in it throws, or catches. */
  isConcerned(index: number): boolean
}

/** What a function does about exceptions. */
interface Shape {
  /** It has instructions that throw or catch. */
  readonly hasOwn: boolean
  /** It throws by itself, where nothing catches everything. */
  readonly throws: boolean
  /** Functions and types that it calls where nothing catches everything. */
  readonly calls: readonly number[]
  readonly types: readonly string[]
  /** The same, wherever. */
  readonly allCalls: readonly number[]
  readonly allTypes: readonly string[]
}

/**
 * Follows direct calls, and calls through the table to whatever in it has the type; `cancelling` are the imports that
 * something comes out of.
 */
export function findThrowers(
  module: Module,
  imported: number,
  cancelling: ReadonlySet<number> = new Set(),
): Throwers {
  const keys = module.types.map(keyOf)
  const shapes = module.bodies.map((_, i) => shapeOf(module, i, keys))
  const inTable = new Map<string, number[]>()
  const functionImports = module.imports.filter((item) => item.kind === KIND.function)
  for (const { functions } of module.elements) {
    for (const index of functions) {
      if (index < imported && !cancelling.has(index)) continue
      const key = keys[index < imported ? functionImports[index].type : module.functions[index - imported]]
      const known = inTable.get(key)
      if (known) known.push(index)
      else inTable.set(key, [index])
    }
  }
  const throwing = new Set(cancelling)
  const throwingTypes = new Set<string>()
  for (let changed = true; changed; ) {
    changed = false
    shapes.forEach(({ throws, calls, types }, i) => {
      const index = imported + i
      if (throwing.has(index)) return
      if (!throws && !calls.some((f) => throwing.has(f)) && !types.some((type) => throwingTypes.has(type)))
        return
      throwing.add(index)
      changed = true
    })
    for (const [key, functions] of inTable) {
      if (!throwingTypes.has(key) && functions.some((index) => throwing.has(index))) {
        throwingTypes.add(key)
        changed = true
      }
    }
  }
  return {
    mayThrow: (index) => throwing.has(index),
    mayBeCancelled: (index) => cancelling.has(index),
    mayThrowIndirectly: (type) => throwingTypes.has(keys[type]),
    isConcerned(index) {
      const { hasOwn, allCalls, allTypes } = shapes[index - imported]
      return (
        hasOwn ||
        allCalls.some((callee) => throwing.has(callee)) ||
        allTypes.some((type) => throwingTypes.has(type))
      )
    },
  }
}

function keyOf({ parameters, results }: FunctionType): string {
  return `${[...parameters].join(',')}:${[...results].join(',')}`
}

function shapeOf(module: Module, i: number, keys: readonly string[]): Shape {
  const body = module.bodies[i]
  const { code } = readLocals(body, [])
  const r = new Reader(body.bytes, code, body.end)
  const calls = new Set<number>()
  const types = new Set<string>()
  const allCalls = new Set<number>()
  const allTypes = new Set<string>()
  /** Per open block: whether it catches everything. */
  const blocks: boolean[] = []
  let catching = 0
  let hasOwn = false
  let throws = false
  while (!r.done) {
    const op = r.byte()
    if (op === OP.call) {
      const callee = r.u32()
      allCalls.add(callee)
      if (catching === 0) calls.add(callee)
    } else if (op === OP.callIndirect) {
      const key = keys[r.u32()]
      r.skipLeb()
      allTypes.add(key)
      if (catching === 0) types.add(key)
    } else if (op === OP.throw || op === OP.throwRef) {
      skipImmediates(r, op)
      hasOwn = true
      if (catching === 0) throws = true
    } else if (op === OP.tryTable) {
      r.skipLeb()
      const isAll = readCatches(r).some(({ kind }) => kind === CATCH.all || kind === CATCH.allWithReference)
      hasOwn = true
      blocks.push(isAll)
      if (isAll) catching++
    } else if (op === OP.block || op === OP.loop || op === OP.if) {
      r.skipLeb()
      blocks.push(false)
    } else if (op === OP.end) {
      if (blocks.pop()) catching--
    } else skipImmediates(r, op)
  }
  return {
    hasOwn,
    throws,
    calls: [...calls],
    types: [...types],
    allCalls: [...allCalls],
    allTypes: [...allTypes],
  }
}
