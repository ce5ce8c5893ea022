import { decodeModule } from '../rewrite/decode-module.js'
import { Emitter } from '../rewrite/emitter.js'
import { encodeModule } from '../rewrite/encode-module.js'
import { OP, TYPE } from '../rewrite/instructions.js'
import { KIND, type Module } from '../rewrite/module.js'
import { type Control, withLeaving } from './leaving.js'
import { NotKnownError } from './operands.js'
import { findSuspending, type SuspendingOptions } from './suspending.js'

/**
 * Makes the functions that can reach a suspending import able to unwind and rewind their stacks, and adds the functions
 * that begin and end that: the protocol is that of binaryen's asyncify pass, which does the same for all there is in
 * WebAssembly. Undefined for a module with something that only binaryen knows.
 */
export function withSuspending(
  wasm: Uint8Array,
  options: SuspendingOptions,
): Uint8Array<ArrayBuffer> | undefined {
  try {
    return rewritten(decodeModule(wasm), options)
  } catch (error) {
    if (error instanceof NotKnownError) return undefined
    throw error
  }
}

function rewritten(module: Module, options: SuspendingOptions): Uint8Array<ArrayBuffer> {
  const imports = module.imports.filter((item) => item.kind === KIND.function)
  const importedGlobals = module.imports.filter((item) => item.kind === KIND.global)
  const suspending = findSuspending(module, options)
  const addGlobal = () =>
    importedGlobals.length +
    module.globals.push({ type: TYPE.i32, mutable: true, init: [OP.i32Const, 0, OP.end] }) -
    1
  const globals = [...importedGlobals.map(({ bytes }) => bytes[0]), ...module.globals.map(({ type }) => type)]
  const control = { state: addGlobal(), data: addGlobal() }
  const typeOf = (index: number) =>
    module.types[index < imports.length ? imports[index].type : module.functions[index - imports.length]]
  const around = { suspending, typeOf, types: module.types, globals }
  const bodies = module.bodies.map((body, i) => {
    const index = imports.length + i
    const written = body.bytes.subarray(body.start, body.end)
    return (suspending.inFunction(index) && withLeaving(body, typeOf(index), around, control)) || written
  })
  for (const [name, code] of controlFunctions(control)) {
    const takesAddress = name.includes('_start_')
    const results = name === 'asyncify_get_state' ? [TYPE.i32] : []
    module.functions.push(module.types.push({ parameters: takesAddress ? [TYPE.i32] : [], results }) - 1)
    module.exports.push({ name, kind: KIND.function, index: imports.length + bodies.length })
    bodies.push(code)
  }
  return encodeModule(module, { remap: (index) => index, bodies })
}

function controlFunctions(control: Control): [string, Uint8Array][] {
  const functionOf = (fill: (out: Emitter) => void) => {
    const out = new Emitter(64)
    out.u32(0)
    fill(out)
    out.byte(OP.end)
    return out.view()
  }
  const set = (state: number) =>
    functionOf((out) => {
      if (state !== 0) {
        out.op(OP.localGet, 0)
        out.op(OP.globalSet, control.data)
      }
      out.op(OP.globalGet, control.data)
      out.memory(OP.i32Load, 2, 0)
      out.op(OP.globalGet, control.data)
      out.memory(OP.i32Load, 2, 4)
      // No room was left for what was saved. The state is set after that: who finds it unchanged knows that no code of
      // the program trapped.
      out.bytes([OP.i32GtU, OP.if, TYPE.empty, OP.unreachable, OP.end])
      out.constant(state)
      out.op(OP.globalSet, control.state)
    })
  return [
    ['asyncify_start_unwind', set(1)],
    ['asyncify_stop_unwind', set(0)],
    ['asyncify_start_rewind', set(2)],
    ['asyncify_stop_rewind', set(0)],
    ['asyncify_get_state', functionOf((out) => out.op(OP.globalGet, control.state))],
  ]
}
