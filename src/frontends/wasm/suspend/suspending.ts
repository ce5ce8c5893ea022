import { Reader, WasmFormatError } from '../rewrite/bytes.js'
import { featureOf } from '../rewrite/features.js'
import { readLocals } from '../rewrite/function.js'
import { OP, skipImmediates } from '../rewrite/instructions.js'
import { type FunctionType, KIND, type Module } from '../rewrite/module.js'

/** The last of the instructions that call. */
const LAST_CALL = 0x15

/** Which calls a thread may be left in. */
export interface Suspending {
  /** A call of the function, by its index. */
  inFunction(index: number): boolean
  /** A call through the table, by the index of its type. */
  throughTable(type: number): boolean
}

export interface SuspendingOptions {
  /** Imports that may suspend, as `module.name`. */
  readonly suspending: readonly string[]
  /** Functions that never suspend, whatever their indirect calls seem to reach. */
  readonly never: readonly string[]
}

/** Follows direct calls, and calls through the table to whatever in it has the type. Tables never change. */
export function findSuspending(module: Module, { suspending, never }: SuspendingOptions): Suspending {
  const imports = module.imports.filter((item) => item.kind === KIND.function)
  const imported = imports.length
  const keys = module.types.map(keyOf)
  const keyOfFunction = (index: number) =>
    keys[index < imported ? imports[index].type : module.functions[index - imported]]
  const may = new Set<number>()
  const mayByType = new Set<string>()
  const work: number[] = []
  const exempt = new Set(never)
  const mark = (index: number): void => {
    if (may.has(index) || (index >= imported && exempt.has(module.functionNames[index]))) return
    may.add(index)
    work.push(index)
  }
  const callers = new Map<number, number[]>()
  const callersByType = new Map<string, number[]>()
  module.bodies.forEach((_, i) => {
    for (const call of callsOf(module, i)) {
      if (call >= 0) append(callers, call, imported + i)
      else append(callersByType, keys[~call], imported + i)
    }
  })
  const inTable = new Set(module.elements.flatMap(({ functions }) => functions))
  const isSuspending = new Set(suspending)
  imports.forEach((item, i) => {
    if (isSuspending.has(`${item.module}.${item.name}`)) mark(i)
  })
  for (let index = work.pop(); index !== undefined; index = work.pop()) {
    for (const caller of callers.get(index) ?? []) mark(caller)
    if (!inTable.has(index)) continue
    const key = keyOfFunction(index)
    if (mayByType.has(key)) continue
    mayByType.add(key)
    for (const caller of callersByType.get(key) ?? []) mark(caller)
  }
  return { inFunction: (index) => may.has(index), throughTable: (type) => mayByType.has(keys[type]) }
}

function append<K>(lists: Map<K, number[]>, key: K, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/**
 * Functions that are called, and the complements of the types of calls through the table. Throws if there are calls of
 * other kinds: who is called there would not be known.
 */
function callsOf(module: Module, i: number): Set<number> {
  const body = module.bodies[i]
  const r = new Reader(body.bytes, readLocals(body, []).code, body.end)
  const calls = new Set<number>()
  while (!r.done) {
    const op = r.byte()
    if (op === OP.call) calls.add(r.u32())
    else if (op === OP.callIndirect) {
      calls.add(~r.u32())
      r.skipLeb()
    } else {
      if (op > OP.callIndirect && op <= LAST_CALL) {
        throw new WasmFormatError(`the program uses ${featureOf(op, r)}, which Faultline does not support`)
      }
      skipImmediates(r, op)
    }
  }
  return calls
}

function keyOf({ parameters, results }: FunctionType): string {
  return `${[...parameters].join(',')}:${[...results].join(',')}`
}
