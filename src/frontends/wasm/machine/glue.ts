import type { Layout } from '../artifact.js'
import type { ProgramEngine } from '../program-engine.js'
import { Writer } from '../rewrite/bytes.js'

/**
 * Reading or setting a global of a module from JavaScript goes through the API and costs tens of nanoseconds; a
 * WebAssembly function that does the same costs a few. So a tiny second module imports the program's globals and
 * memory and exports what the machine does at every stop.
 *
 * A thread that does not run keeps its globals in its *control block*: `__stack_pointer`, `fl_shadow`, `fl_stack_end`,
 * `fl_shadow_end`, `__tls_base`, errno, 4 bytes each; from byte 32 on the globals of a program that has its own, 16
 * bytes each.
 */
export interface Glue {
  /** Sets the globals from a control block, and `fl_fuel` to 1. */
  enter(control: number): void
  /** Saves what can have changed to a control block. */
  leave(control: number): void
  /** Empties the log; returns how long it was. */
  takeLog(): number
  logLength(): number
  /** Site of the call in progress: the top of the shadow stack. */
  callSite(): number
  shadow(): number
  stackPointer(): number
  setStackEnd(address: number): void
  setFuel(fuel: number): void
  /** Copies bytes inside the program's memory. */
  copy(to: number, from: number, size: number): void
  /**
   * Copies all that a stopped thread has in memory to an address: its control block, its linear stack, its shadow
   * stack, what asyncify saved, its thread-local data. Returns the address after it.
   */
  saveThread: CopyThread
  /** Copies that back. */
  loadThread: CopyThread
}

type CopyThread = (
  at: number,
  control: number,
  stack: number,
  stackSize: number,
  shadow: number,
  unwind: number,
  locals: number,
  localsSize: number,
) => number

const globalNames = [
  '__stack_pointer',
  'fl_shadow',
  'fl_stack_end',
  'fl_shadow_end',
  '__tls_base',
  'fl_log',
  'fl_fuel',
] as const
const [SP, SHADOW, STACK_END, SHADOW_END, TLS, LOG, FUEL] = globalNames.keys()

const I32 = 0x7f
const FUNC = 0x60
const op = {
  end: 0x0b,
  localGet: 0x20,
  globalGet: 0x23,
  globalSet: 0x24,
  load: 0x28,
  store: 0x36,
  localSet: 0x21,
  constant: 0x41,
  add: 0x6a,
  sub: 0x6b,
} as const

/** Bytes of a control block. */
export function controlSize({ own }: Layout): number {
  return OWN_GLOBALS + 16 * (own?.globals.length ?? 0)
}

/** Where the program's own globals begin in a control block. */
export const OWN_GLOBALS = 32

/** How globals are loaded and stored, by type. */
const access: Readonly<Record<number, { readonly load: Code; readonly store: Code }>> = {
  127: { load: [0x28, 2], store: [0x36, 2] },
  126: { load: [0x29, 3], store: [0x37, 3] },
  125: { load: [0x2a, 2], store: [0x38, 2] },
  124: { load: [0x2b, 3], store: [0x39, 3] },
  123: { load: [0xfd, 0, 4], store: [0xfd, 11, 4] },
}

export function makeGlue(engine: ProgramEngine, exports: WebAssembly.Exports, layout: Layout): Glue {
  return engine.link(assembled(layout), exports) as unknown as Glue
}

/** By what goes into them: a kilobyte each, and assembling one takes as long as instantiating a small program. */
const known = new Map<string, Uint8Array<ArrayBuffer>>()

function assembled(layout: Layout): Uint8Array<ArrayBuffer> {
  const key = JSON.stringify([layout.errno, layout.own?.globals])
  const found = known.get(key) ?? assemble(layout)
  known.set(key, found)
  return found
}

type Code = readonly number[]

const load = (offset: number): Code => [op.load, 2, ...unsigned(offset)]
const store = (offset: number): Code => [op.store, 2, ...unsigned(offset)]
const argument: Code = [op.localGet, 0]
const constant = (value: number): Code => [op.constant, ...signed(value)]
const get = (global: number): Code => [op.globalGet, ...unsigned(global)]
const set = (global: number): Code => [op.globalSet, ...unsigned(global)]

const restore = (global: number, offset: number): Code => [...argument, ...load(offset), ...set(global)]
const save = (global: number, offset: number): Code => [...argument, ...get(global), ...store(offset)]

const copyBytes: Code = [0xfc, 0x0a, 0, 0]
const local = (index: number): Code => [op.localGet, index]

/** The functions that copy a thread; see `Glue.saveThread` for the parameters. */
function copyThread(isSaving: boolean): Code {
  const AT = 0
  const [CONTROL, STACK, STACK_SIZE, SHADOW_STACK, UNWIND, LOCALS, LOCALS_SIZE] = [1, 2, 3, 4, 5, 6, 7]
  const copy = (place: number, size: Code): Code => [
    ...(isSaving ? [...local(AT), ...local(place)] : [...local(place), ...local(AT)]),
    ...size,
    ...copyBytes,
    ...local(AT),
    ...size,
    op.add,
    op.localSet,
    AT,
  ]
  // Both stacks grow up from their beginning. Where asyncify's ends is the first word of what it saved.
  const shadowSize = [...local(CONTROL), ...load(4), ...local(SHADOW_STACK), op.sub]
  const unwound = isSaving ? local(UNWIND) : local(AT)
  const LENGTH = 8
  return [
    ...copy(CONTROL, constant(OWN_GLOBALS)),
    ...copy(STACK, local(STACK_SIZE)),
    ...copy(SHADOW_STACK, shadowSize),
    ...unwound,
    ...load(0),
    ...local(UNWIND),
    op.sub,
    op.localSet,
    LENGTH,
    ...copy(UNWIND, local(LENGTH)),
    ...copy(LOCALS, local(LOCALS_SIZE)),
    ...local(AT),
  ]
}

function assemble({ errno, own }: Pick<Layout, 'errno' | 'own'>): Uint8Array<ArrayBuffer> {
  const ownGlobals = own?.globals ?? []
  const places = ownGlobals.map(({ type }, i) => ({
    ...access[type],
    global: globalNames.length + i,
    offset: unsigned(OWN_GLOBALS + 16 * i),
  }))
  const enter = [
    ...restore(SP, 0),
    ...restore(SHADOW, 4),
    ...restore(STACK_END, 8),
    ...restore(SHADOW_END, 12),
    ...restore(TLS, 16),
    ...(errno ? [...constant(0), ...argument, ...load(20), ...store(errno)] : []),
    ...places.flatMap((at) => [...argument, ...at.load, ...at.offset, ...set(at.global)]),
    ...constant(1),
    ...set(FUEL),
  ]
  const leave = [
    ...save(SP, 0),
    ...save(SHADOW, 4),
    ...save(STACK_END, 8),
    ...(errno ? [...argument, ...constant(0), ...load(errno), ...store(20)] : []),
    ...places.flatMap((at) => [...argument, ...get(at.global), ...at.store, ...at.offset]),
  ]
  /** Name, index of its type, body. */
  const functions: readonly (readonly [keyof Glue, number, Code])[] = [
    ['enter', TAKES, enter],
    ['leave', TAKES, leave],
    ['takeLog', GIVES, [...get(LOG), ...constant(0), ...set(LOG)]],
    ['logLength', GIVES, get(LOG)],
    ['callSite', GIVES, [...get(SHADOW), ...constant(4), op.sub, ...load(0)]],
    ['shadow', GIVES, get(SHADOW)],
    ['stackPointer', GIVES, get(SP)],
    ['setStackEnd', TAKES, [...argument, ...set(STACK_END)]],
    ['setFuel', TAKES, [...argument, ...set(FUEL)]],
    ['copy', COPIES, [...local(0), ...local(1), ...local(2), ...copyBytes]],
    ['saveThread', COPIES_THREAD, copyThread(true)],
    ['loadThread', COPIES_THREAD, copyThread(false)],
  ]
  const types = [
    [FUNC, 1, I32, 0],
    [FUNC, 0, 1, I32],
    [FUNC, 3, I32, I32, I32, 0],
    [FUNC, 8, ...Array<number>(8).fill(I32), 1, I32],
  ]
  const imports = [
    ...globalNames.map((name) => [...text('program'), ...text(name), 3, I32, 1]),
    ...ownGlobals.map(({ name, type }) => [...text('program'), ...text(name), 3, type, 1]),
    [...text('program'), ...text('memory'), 2, 0, 0],
  ]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, imports),
    ...section(
      3,
      functions.map(([, type]) => [type]),
    ),
    ...section(
      7,
      functions.map(([name], i) => [...text(name), 0, i]),
    ),
    ...section(
      10,
      functions.map(([, type, code]) =>
        sized([...(type === COPIES_THREAD ? ONE_LOCAL : NO_LOCALS), ...code, op.end]),
      ),
    ),
  ])
}

const TAKES = 0
const GIVES = 1
const COPIES = 2
const COPIES_THREAD = 3
/** One local of type i32, and none. */
const ONE_LOCAL: Code = [1, 1, I32]
const NO_LOCALS: Code = [0]

function section(id: number, items: readonly Code[]): Code {
  return [id, ...sized([...unsigned(items.length), ...items.flat()])]
}

function sized(code: Code): Code {
  return [...unsigned(code.length), ...code]
}

function text(name: string): Code {
  return encoded((writer) => writer.name(name))
}

function unsigned(value: number): Code {
  return encoded((writer) => writer.u32(value))
}

function signed(value: number): Code {
  return encoded((writer) => writer.s32(value))
}

/** One for all: a buffer for every number would be hundreds, which cost more than what they are for. */
const scratch = new Writer()

function encoded(write: (writer: Writer) => void): Code {
  scratch.clear()
  write(scratch)
  return Array.from(scratch.view())
}
