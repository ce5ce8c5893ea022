import { Emitter } from './emitter.js'
import { OP } from './instructions.js'
import type { Module } from './module.js'

/**
 * SV-COMP's older convention: a function whose name begins so runs as one step. The two that mark a section are no such
 * functions; `runtime/verifier.c` has them, and the linker keeps them where a program has such functions.
 */
export const ATOMIC_PREFIX = '__VERIFIER_atomic_'
export const SECTION_MARKS = [`${ATOMIC_PREFIX}begin`, `${ATOMIC_PREFIX}end`] as const

/** A function added to the module that calls another between the two marks. */
export interface AtomicWrapper {
  /** Of the function that it wraps, in the original module. */
  readonly inner: number
  readonly type: number
  readonly name: string
  /** `remap` gives the new index of an old function index. */
  readonly body: (remap: (index: number) => number) => Uint8Array
}

/** Whether a source or an object file (by its table of symbols) speaks of atomic functions. */
export function namesAtomicFunctions(file: Uint8Array): boolean {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  for (let at = text.indexOf(ATOMIC_PREFIX); at >= 0; at = text.indexOf(ATOMIC_PREFIX, at + 1)) {
    const rest = text.toString('latin1', at + ATOMIC_PREFIX.length, at + ATOMIC_PREFIX.length + 6)
    if (!/^(?:begin|end)(?!\w)/.test(rest)) return true
  }
  return false
}

/** The wrappers a module needs; takes the marks out of its exports. */
export function wrapAtomicFunctions(
  module: Module,
  imported: number,
  isUser: (index: number) => boolean,
): AtomicWrapper[] {
  const kept = module.exports.filter((item) => !SECTION_MARKS.some((name) => name === item.name))
  module.exports.splice(0, module.exports.length, ...kept)
  const [begin, end] = SECTION_MARKS.map((name) => module.functionNames.indexOf(name))
  if (begin < 0 || end < 0) return []
  const wrappers: AtomicWrapper[] = []
  module.functionNames.forEach((name, inner) => {
    if (!baseName(name).startsWith(ATOMIC_PREFIX) || inner < imported || !isUser(inner)) return
    if (inner === begin || inner === end) return
    const type = module.functions[inner - imported]
    const count = module.types[type].parameters.length
    wrappers.push({
      inner,
      type,
      name: `atomic ${name}`,
      body(remap) {
        const out = new Emitter(32)
        out.u32(0)
        out.op(OP.call, remap(begin))
        for (let i = 0; i < count; i++) out.op(OP.localGet, i)
        out.op(OP.call, remap(inner))
        out.op(OP.call, remap(end))
        out.byte(OP.end)
        return out.view()
      },
    })
  })
  return wrappers
}

/** Of a C++ function the name section has the whole signature. */
function baseName(name: string): string {
  return name.split('(', 1)[0].split(/::| /).at(-1) ?? name
}
