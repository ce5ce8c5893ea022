import { cancellationPoints } from '../provided-calls.js'
import { Reader, WasmFormatError } from './bytes.js'
import { decodeModule } from './decode-module.js'
import { Emitter } from './emitter.js'
import { encodeModule } from './encode-module.js'
import { CATCH, EXNREF, OP, readCatches, skipImmediates, TYPE } from './instructions.js'
import { type FunctionType, KIND, type Module, SECTION } from './module.js'
import { findThrowers, type Throwers } from './throwers.js'

/**
 * Exceptions of WebAssembly, made into plain code that can be left and entered again like any other: where something is
 * thrown a global says so, every call that may throw is followed by a look at that global, and whoever finds it set
 * goes on in its handler, or returns. No thread can be left in between, so that the global belongs to nobody.
 *
 * An exception is one word: what was thrown, a pointer to something aligned, plus the number of its tag. References to
 * exceptions are such words.
 */

/** Holds the exception on its way, or 0. */
export const THROWN_GLOBAL = 'fl_thrown_word'

/** What the machine enters; what comes out of them has not been caught, and this function of the runtime is called. */
const ENTRIES = new Set(['fl_run_main', 'fl_run_thread', 'fl_run_cancelled', 'fl_construct', 'fl_check'])
const ESCAPED = 'fl_exception_escaped'

/**
 * What the machine sets the global to in a call in which the thread ends because it was cancelled. The runtime's function
 * is called then, right after the call, and throws what runs destructors.
 */
export const CANCELLED = 1
const ACT_ON_CANCEL = 'fl_act_on_cancel'

/** Bits of the word that hold the tag. */
const TAG_MASK = 7

/** Lowers a module that has tags; any other is given back as it is. */
export function lowerExceptions(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const module = decodeModule(bytes)
  if (!module.hasTags) return bytes
  const tags = tagCount(module)
  if (tags > TAG_MASK + 1)
    throw new WasmFormatError(`the module has more than ${TAG_MASK + 1} kinds of exceptions`)
  const importedFunctions = module.imports.filter((item) => item.kind === KIND.function).length
  const importedGlobals = module.imports.filter((item) => item.kind === KIND.global).length
  const thrown =
    importedGlobals +
    module.globals.push({ type: TYPE.i32, mutable: true, init: [OP.i32Const, 0, OP.end] }) -
    1
  module.exports.push({ name: THROWN_GLOBAL, kind: KIND.global, index: thrown })
  const escaped = module.exports.find((item) => item.name === ESCAPED)?.index
  const entries = new Set(
    module.exports
      .filter((item) => item.kind === KIND.function && ENTRIES.has(item.name))
      .map((item) => item.index),
  )
  module.types.forEach((type, i) => {
    module.types[i] = { parameters: plainTypes(type.parameters), results: plainTypes(type.results) }
  })
  const cancelling = cancellingImports(module)
  const onCancel =
    cancelling.size === 0 ? undefined : module.exports.find((item) => item.name === ACT_ON_CANCEL)?.index
  const throwers = findThrowers(module, importedFunctions, cancelling)
  const bodies = module.bodies.map((body, i) => {
    const index = importedFunctions + i
    if (!throwers.isConcerned(index)) return body.bytes.subarray(body.start, body.end)
    const atEnd = entries.has(index) ? escaped : undefined
    return new Lowering(index, module.types[module.functions[i]], throwers, thrown, atEnd, onCancel).run(body)
  })
  withoutTags(module)
  return encodeModule(module, { remap: (index) => index, bodies })
}

/** Where a thread may end because it was cancelled; none in a program that cancels no thread. */
function cancellingImports({ imports }: Module): Set<number> {
  const functions = imports.filter((item) => item.kind === KIND.function)
  if (!functions.some(({ name }) => name === '__wrap_pthread_cancel')) return new Set()
  return new Set(functions.flatMap(({ name }, index) => (cancellationPoints.has(name) ? [index] : [])))
}

function tagCount(module: Module): number {
  const own = module.raw.get(SECTION.tag)
  const imported = module.imports.filter((item) => item.kind === KIND.tag).length
  return imported + (own ? new Reader(own).u32() : 0)
}

function withoutTags(module: Module): void {
  const { imports, exports } = module
  imports.splice(0, imports.length, ...imports.filter((item) => item.kind !== KIND.tag))
  exports.splice(0, exports.length, ...exports.filter((item) => item.kind !== KIND.tag))
  module.hasTags = false
}

const plainType = (type: number): number => (type === EXNREF ? TYPE.i32 : type)
const plainTypes = (types: Uint8Array | readonly number[]): number[] => [...types].map(plainType)

/** A block of the original, as it is emitted. */
interface Block {
  /** How many blocks were open when its label was opened. */
  readonly level: number
  /** Of what was a `try_table`: what follows it. */
  readonly after?: () => void
}

/** Rewrites one function. */
class Lowering {
  private readonly out = new Emitter(1024)
  /** Blocks of the original that are open, and how many of ours are. */
  private readonly blocks: Block[] = []
  private open = 0
  /** Levels of the handlers that are in force, the innermost last. */
  private readonly handlers: number[] = []

  constructor(
    private readonly index: number,
    private readonly type: FunctionType,
    private readonly throwers: Throwers,
    private readonly thrown: number,
    private readonly atEnd: number | undefined,
    private readonly onCancel: number | undefined,
  ) {}

  run({ bytes, start, end }: { bytes: Uint8Array; start: number; end: number }): Uint8Array {
    const { out } = this
    const r = new Reader(bytes, start, end)
    const groups = r.u32()
    out.u32(groups)
    for (let i = 0; i < groups; i++) {
      out.u32(r.u32())
      out.byte(plainType(r.byte()))
    }
    this.begin(TYPE.empty)
    this.handlers.push(0)
    let copied = r.at
    while (!r.done) {
      const at = r.at
      const op = r.byte()
      if (!this.isChanged(op)) {
        if (op === OP.block || op === OP.loop || op === OP.if) {
          const blockType = r.at
          r.skipLeb()
          out.bytes(bytes.subarray(copied, blockType))
          const isExnref = bytes[blockType] === EXNREF
          if (isExnref) out.byte(TYPE.i32)
          else out.bytes(bytes.subarray(blockType, r.at))
          copied = r.at
          this.blocks.push({ level: this.open++ })
        } else skipImmediates(r, op)
        continue
      }
      out.bytes(bytes.subarray(copied, at))
      this.change(op, r, at)
      copied = r.at
    }
    return out.view().slice()
  }

  private isChanged(op: number): boolean {
    switch (op) {
      case OP.tryTable:
      case OP.throw:
      case OP.throwRef:
      case OP.end:
      case OP.br:
      case OP.brIf:
      case OP.brTable:
      case OP.call:
      case OP.callIndirect:
      case OP.refNull:
        return true
      case 0x06:
      case 0x07:
      case 0x09:
      case 0x18:
      case 0x19:
        throw new WasmFormatError(
          'the module uses the former instructions for exceptions; compile it for exnref',
        )
      default:
        return false
    }
  }

  private change(op: number, r: Reader, at: number): void {
    const { out } = this
    switch (op) {
      case OP.tryTable:
        this.tryTable(r)
        return
      case OP.throw:
        out.constant(r.u32())
        out.byte(OP.i32Or)
        out.op(OP.globalSet, this.thrown)
        this.toHandler(OP.br)
        return
      case OP.throwRef:
        out.op(OP.globalSet, this.thrown)
        this.toHandler(OP.br)
        return
      case OP.end:
        this.end()
        return
      case OP.br:
      case OP.brIf:
        out.op(op, this.labelOf(r.u32()))
        return
      case OP.brTable: {
        const count = r.u32()
        out.op(op, count)
        for (let i = 0; i <= count; i++) out.u32(this.labelOf(r.u32()))
        return
      }
      case OP.call: {
        const callee = r.u32()
        out.op(OP.call, callee)
        if (this.throwers.mayThrow(callee)) {
          if (this.throwers.mayBeCancelled(callee)) this.lookForCancel()
          this.look()
        }
        return
      }
      case OP.callIndirect: {
        const type = r.u32()
        r.skipLeb()
        out.bytes(r.bytes.subarray(at, r.at))
        if (this.throwers.mayThrowIndirectly(type)) {
          // What is in the table may be such an import itself.
          this.lookForCancel()
          this.look()
        }
        return
      }
      case OP.refNull: {
        if (r.bytes[r.at] === EXNREF) out.constant(0)
        else out.bytes(r.bytes.subarray(at, r.at + 1))
        r.skipLeb()
        return
      }
    }
  }

  /**
   * ```
   * block (type)            the value of the whole
   *   block                 left when something was thrown
   *     block (type) … end  what was the try
   *     br 1
   *   end
   *   …                     to the first clause that fits, else to the next handler
   * end
   * ```
   */
  private tryTable(r: Reader): void {
    const type = r.bytes[r.at]
    if (type < 0x40) throw new WasmFormatError('a try block that takes values is not supported')
    r.skipLeb()
    const blockType = plainType(type)
    const clauses = readCatches(r).map(({ kind, tag, label }) => ({ kind, tag, block: this.blockAt(label) }))
    this.begin(blockType)
    this.handlers.push(this.open)
    this.begin(TYPE.empty)
    this.blocks.push({
      level: this.open,
      after: () => {
        const { out } = this
        out.op(OP.br, 1)
        this.close()
        this.handlers.pop()
        for (const { kind, tag, block } of clauses) {
          const isOfTag = kind === CATCH.tag || kind === CATCH.tagWithReference
          if (isOfTag) {
            out.op(OP.globalGet, this.thrown)
            out.constant(TAG_MASK)
            out.byte(OP.i32And)
            out.constant(tag)
            out.bytes([OP.i32Eq, OP.if, TYPE.empty])
            this.open++
          }
          if (isOfTag) {
            out.op(OP.globalGet, this.thrown)
            out.constant(~TAG_MASK)
            out.byte(OP.i32And)
          }
          if (kind === CATCH.tagWithReference || kind === CATCH.allWithReference) {
            out.op(OP.globalGet, this.thrown)
          }
          out.constant(0)
          out.op(OP.globalSet, this.thrown)
          out.op(OP.br, this.open - 1 - block)
          if (isOfTag) this.close()
        }
        this.toHandler(OP.br)
        this.close()
      },
    })
    this.begin(blockType)
  }

  private end(): void {
    const block = this.blocks.pop()
    if (block) {
      this.close()
      block.after?.()
      return
    }
    // The end of the function: what is left of the stack is its result.
    this.out.byte(OP.return)
    this.close()
    if (this.atEnd !== undefined) {
      this.out.op(OP.globalGet, this.thrown)
      this.out.constant(~TAG_MASK)
      this.out.byte(OP.i32And)
      this.out.constant(0)
      this.out.op(OP.globalSet, this.thrown)
      this.out.op(OP.call, this.atEnd)
    }
    for (const type of this.type.results) this.zero(type)
    this.out.byte(OP.end)
  }

  private zero(type: number): void {
    const { out } = this
    if (type === TYPE.i32) out.constant(0)
    else if (type === TYPE.i64) out.bytes([OP.i64Const, 0])
    else if (type === TYPE.f32) out.bytes([0x43, 0, 0, 0, 0])
    else if (type === TYPE.f64) out.bytes([0x44, 0, 0, 0, 0, 0, 0, 0, 0])
    else if (type === TYPE.v128) out.bytes([OP.vector, 12, ...Array<number>(16).fill(0)])
    else out.bytes([OP.refNull, type])
  }

  private lookForCancel(): void {
    const { out, onCancel } = this
    if (onCancel === undefined) return
    out.op(OP.globalGet, this.thrown)
    out.constant(CANCELLED)
    out.bytes([OP.i32Eq, OP.if, TYPE.empty])
    out.constant(0)
    out.op(OP.globalSet, this.thrown)
    out.op(OP.call, onCancel)
    out.byte(OP.end)
  }

  private look(): void {
    this.out.op(OP.globalGet, this.thrown)
    this.toHandler(OP.brIf)
  }

  private toHandler(op: number): void {
    this.out.op(op, this.open - 1 - this.handlers[this.handlers.length - 1])
  }

  /** Level of a label of the original; that of the function itself is -1. */
  private blockAt(label: number): number {
    const at = this.blocks.length - 1 - label
    if (at < -1) throw new WasmFormatError(`function ${this.index} branches out of itself`)
    return at < 0 ? -1 : this.blocks[at].level
  }

  private labelOf(label: number): number {
    return this.open - 1 - this.blockAt(label)
  }

  private begin(type: number): void {
    this.out.bytes([OP.block, type])
    this.open++
  }

  private close(): void {
    this.out.byte(OP.end)
    this.open--
  }
}
