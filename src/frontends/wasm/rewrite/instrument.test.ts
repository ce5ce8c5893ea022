import binaryen from 'binaryen'
import { beforeEach, describe, expect, it } from 'vitest'
import { LogWord } from '../artifact.js'
import { decodeModule } from './decode-module.js'
import { type Instrumented, instrument } from './instrument.js'

/** A module as the linker would make it: user functions first, then `$runtime…`. */
const source = `(module
  (import "env" "__tsan_read4" (func $read4 (param i32)))
  (import "env" "__tsan_write8" (func $write8 (param i32)))
  (import "env" "__tsan_vptr_update" (func $vptr (param i32 i32)))
  (import "fl_inline" "site" (func $site (result i32)))
  (import "fl_inline" "point" (func $point (param i32 i32 i32)))
  (import "fl_inline" "record" (func $record (param i32 i32)))
  (import "env" "lock" (func $lock (param i32) (result i32)))
  (memory (export "memory") 1)
  (table 2 funcref)
  (elem (i32.const 0) $runtime2 $leaf)
  (global $__stack_pointer (mut i32) (i32.const 65536))
  (global $__tls_base i32 (i32.const 1024))

  (func $leaf (export "leaf") (param $p i32) (result i32)
    (call $read4 (local.get $p))
    (i32.load (local.get $p)))
  (func $three (export "three") (param $p i32)
    (call $read4 (local.get $p))
    (drop (i32.load (local.get $p)))
    (call $write8 (i32.add (local.get $p) (i32.const 8)))
    (i64.store offset=8 (local.get $p) (i64.const 5))
    (call $vptr (i32.add (local.get $p) (i32.const 16)) (i32.const 99)))
  (func $calls (export "calls") (param $p i32) (result i32)
    (i32.add (call $leaf (local.get $p)) (call $lock (local.get $p))))
  (func $indirect (export "indirect") (param $p i32) (param $f i32) (result i32)
    (call_indirect (param i32) (result i32) (local.get $p) (local.get $f)))
  (func $deep (export "deep") (param $n i32) (result i32)
    (if (result i32) (local.get $n)
      (then (call $deep (i32.sub (local.get $n) (i32.const 1))))
      (else (call $lock (i32.const 0)))))
  (func $count (export "count") (param $n i32)
    (loop $l
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $l (local.get $n))))
  (func $carry (export "carry") (param $n i32) (param $w i64) (param $f f32) (param $d f64)
    (loop $l
      (local.set $w (i64.add (local.get $w) (i64.const 1)))
      (local.set $f (f32.add (local.get $f) (f32.const 1)))
      (local.set $d (f64.add (local.get $d) (f64.const 1)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $l (local.get $n))))
  (func $divide (export "divide") (param i32 i32) (result i32)
    (i32.div_s (local.get 0) (local.get 1)))
  (func $frame (export "frame") (param $size i32) (local $sp i32)
    (global.set $__stack_pointer
      (local.tee $sp (i32.sub (global.get $__stack_pointer) (local.get $size))))
    (drop (call $lock (i32.const 0)))
    (global.set $__stack_pointer (i32.add (local.get $sp) (local.get $size))))
  (func $grow (export "grow") (result i32) (memory.grow (i32.const 3)))
  (func $outer (export "outer") (param $p i32) (call $runtime (local.get $p)))
  (func $mixed (export "mixed") (param $p i32) (param $n i32)
    (call $read4 (local.get $p))
    (call $runtime (local.get $p))
    (call $read4 (local.get $p))
    (if (local.get $n) (then (call $runtime (local.get $p))))
    (call $read4 (local.get $p))
    (call_indirect (param i32 i32) (local.get $p) (i32.const 0) (i32.const 0))
    (call $read4 (local.get $p)))
  (func $runtime2 (param $p i32) (param i32) (call $runtime (local.get $p)))
  (func $runtime (param $p i32) (local $word i32)
    (local.set $word (i32.or (call $site) (i32.const ${LogWord.changed})))
    (call $point (local.get $word) (local.get $p) (i32.const 2))
    (call $record (local.get $word) (local.get $p)))
)`

const USER = [
  'leaf',
  'three',
  'calls',
  'indirect',
  'deep',
  'count',
  'carry',
  'divide',
  'frame',
  'grow',
  'outer',
  'mixed',
]

interface Exports {
  memory: WebAssembly.Memory
  leaf(p: number): number
  three(p: number): void
  calls(p: number): number
  indirect(p: number, f: number): number
  deep(n: number): number
  count(n: number): void
  carry(n: number, w: bigint, f: number, d: number): void
  divide(a: number, b: number): number
  frame(size: number): void
  grow(): number
  outer(p: number): void
  mixed(p: number, n: number): void
  fl_log: WebAssembly.Global
  fl_shadow: WebAssembly.Global
  fl_shadow_end: WebAssembly.Global
  fl_stack_end: WebAssembly.Global
  fl_fuel: WebAssembly.Global
  fl_site: WebAssembly.Global
  __stack_pointer: WebAssembly.Global
  __tls_base: WebAssembly.Global
}

function assemble(): Uint8Array {
  const module = binaryen.parseText(source)
  module.setFeatures(binaryen.Features.MutableGlobals | binaryen.Features.BulkMemory)
  binaryen.setDebugInfo(true)
  const bytes = Uint8Array.from(module.emitBinary())
  module.dispose()
  return bytes
}

const original = assemble()
const names = decodeModule(original).functionNames
const instrumented: Instrumented = instrument(original, { isUser: (index) => USER.includes(names[index]) })
const { sites, memory } = instrumented
const compiled = new WebAssembly.Module(instrumented.wasm)

/** Ids of the sites of a kind in a function. */
const siteOf = (name: string, kind: string, nth = 0) =>
  sites.flatMap((s, id) => (names[s.function] === name && s.kind === kind ? [id] : []))[nth]

const SHADOW = memory.free
let exports: Exports
let points: number[][]
let loops: { site: number; again: number; spilled: bigint[] }[]
let locks: { stack: number[] }[]
let fuelAfter: number

const words = () => new Int32Array(exports.memory.buffer)
const shadowStack = () => [...words().subarray(SHADOW / 4, exports.fl_shadow.value / 4)]
const log = () => {
  const all = words().subarray(memory.log / 4, (memory.log + exports.fl_log.value) / 4)
  return Array.from({ length: all.length / 2 }, (_, i) => [all[2 * i], all[2 * i + 1]])
}

class Overflow extends Error {
  constructor(readonly site: number) {
    super('overflow')
  }
}

beforeEach(() => {
  points = []
  loops = []
  locks = []
  fuelAfter = 1000
  const instance = new WebAssembly.Instance(compiled, {
    env: {
      lock: () => {
        locks.push({ stack: shadowStack() })
        return 7
      },
    },
    fl: {
      point(word: number, address: number, size: number) {
        if (exports.fl_log.value >= memory.logSize) exports.fl_log.value = 0
        else points.push([word, address, size, exports.fl_log.value])
      },
      loop(site: number, again: number, count: number) {
        const spilled = new BigInt64Array(exports.memory.buffer, memory.spill, count)
        loops.push({ site, again, spilled: [...spilled] })
        exports.fl_fuel.value = fuelAfter
      },
      grow: (pages: number) => -pages,
      overflow(site: number) {
        throw new Overflow(site)
      },
      notify: () => 0,
      wait32: () => 0,
      wait64: () => 0,
    },
  })
  exports = instance.exports as unknown as Exports
  exports.memory.grow(1)
  exports.fl_shadow.value = SHADOW
  exports.fl_shadow_end.value = SHADOW + 40
  exports.fl_stack_end.value = 4096
  exports.fl_fuel.value = 1000
})

describe('accesses', () => {
  it('are logged in order, with site and address', () => {
    exports.three(256)
    expect(log()).toEqual([
      [siteOf('three', 'load'), 256],
      [siteOf('three', 'store', 0), 264],
      [siteOf('three', 'store', 1), 272],
    ])
    expect(sites[siteOf('three', 'load')].size).toBe(4)
    expect(sites[siteOf('three', 'store')].size).toBe(8)
    expect(points).toEqual([])
  })

  it('stop before the entry is written when the flag of the site is set', () => {
    const site = siteOf('three', 'store')
    new Uint8Array(exports.memory.buffer)[memory.flags + site] = 1
    exports.three(256)
    expect(points).toEqual([[site, 264, 8, 8]])
    expect(log()).toHaveLength(3)
  })

  it('ask for room when the log is full, and lose nothing', () => {
    exports.fl_log.value = memory.logSize - 8
    exports.three(256)
    expect(log()).toEqual([
      [siteOf('three', 'store', 0), 264],
      [siteOf('three', 'store', 1), 272],
    ])
    expect(words()[(memory.log + memory.logSize - 8) / 4]).toBe(siteOf('three', 'load'))
    expect(points).toEqual([])
  })

  it('are not lost around calls that log themselves', () => {
    const read = [0, 1, 2, 3].map((nth) => siteOf('mixed', 'load', nth))
    const [first, inBranch, indirect] = [0, 1, 2].map((nth) => siteOf('mixed', 'call', nth))
    const sitesLogged = () => log().map(([word]) => word & LogWord.siteMask)
    exports.mixed(256, 0)
    expect(sitesLogged()).toEqual([read[0], first, read[1], read[2], indirect, read[3]])
    exports.fl_log.value = 0
    exports.mixed(256, 1)
    expect(sitesLogged()).toEqual([read[0], first, read[1], inBranch, read[2], indirect, read[3]])
  })

  it('still happen', () => {
    words()[64] = 11
    expect(exports.leaf(256)).toBe(11)
  })

  it('of the runtime carry the site of the call and its own bits', () => {
    const site = siteOf('outer', 'call')
    exports.outer(512)
    expect(log()).toEqual([[site | LogWord.changed, 512]])
    new Uint8Array(exports.memory.buffer)[memory.flags + site] = 1
    exports.outer(512)
    expect(points).toEqual([[site | LogWord.changed, 512, 2, 8]])
  })
})

describe('the shadow stack', () => {
  it('holds the calls in progress and is empty after', () => {
    expect(exports.calls(256)).toBe(7)
    expect(locks).toEqual([{ stack: [siteOf('calls', 'call', 1)] }])
    expect(sites[siteOf('calls', 'call', 0)].callee).toBe('leaf')
    expect(sites[siteOf('calls', 'call', 1)].callee).toBe('lock')
    expect(shadowStack()).toEqual([])
  })

  it('grows with recursion, and its end is noticed', () => {
    const [recursion, lock] = [siteOf('deep', 'call', 0), siteOf('deep', 'call', 1)]
    exports.deep(3)
    expect(locks[0].stack).toEqual([recursion, recursion, recursion, lock])
    exports.deep(9)
    expect(() => exports.deep(10)).toThrow(Overflow)
  })

  it('sees indirect calls', () => {
    words()[64] = 5
    expect(exports.indirect(256, 1)).toBe(5)
    expect(sites[siteOf('indirect', 'call')].callee).toBeUndefined()
    expect(() => exports.indirect(256, 2)).toThrow(WebAssembly.RuntimeError)
    expect(shadowStack()).toEqual([siteOf('indirect', 'call')])
  })
})

describe('loops', () => {
  it('burn one unit of fuel per iteration', () => {
    exports.count(10)
    expect(exports.fl_fuel.value).toBe(990)
    expect(loops).toEqual([])
  })

  it('call the machine at every header when it asks for it, with what they carry', () => {
    exports.fl_fuel.value = fuelAfter = 1
    exports.count(3)
    const site = siteOf('count', 'loop')
    expect(loops).toEqual([
      { site, again: 0, spilled: [3n] },
      { site, again: 1, spilled: [2n] },
      { site, again: 1, spilled: [1n] },
    ])
    exports.count(1)
    expect(loops[3].again).toBe(0)
    expect(sites[site].end).toBeGreaterThan(sites[site].offset)
  })
})

it('locals of every type are spilled exactly, the rest of a word zero', () => {
  exports.fl_fuel.value = fuelAfter = 1
  exports.carry(2, -2n, 1.5, -0.25)
  const bits = (n: number, d: number) => {
    const view = new DataView(new ArrayBuffer(16))
    view.setFloat32(0, n, true)
    view.setFloat64(8, d, true)
    return [view.getBigInt64(0, true), view.getBigInt64(8, true)]
  }
  expect(loops.map((visit) => visit.spilled)).toEqual([
    [2n, -2n, ...bits(1.5, -0.25)],
    [1n, -1n, ...bits(2.5, 0.75)],
  ])
})

it('a trap finds its site in fl_site', () => {
  expect(exports.divide(9, 3)).toBe(3)
  expect(() => exports.divide(1, 0)).toThrow(WebAssembly.RuntimeError)
  expect(exports.fl_site.value).toBe(siteOf('divide', 'trap'))
})

it('a stack pointer below the limit is noticed', () => {
  exports.frame(1024)
  expect(exports.__stack_pointer.value).toBe(65536)
  expect(() => exports.frame(65536 - 4095)).toThrow(Overflow)
})

it('memory.grow goes to the machine', () => {
  expect(exports.grow()).toBe(-3)
})

it('globals of the linker become mutable and exported', () => {
  exports.__tls_base.value = 4242
  expect(exports.__tls_base.value).toBe(4242)
})

it('what became inline code is no longer imported', () => {
  const imports = WebAssembly.Module.imports(compiled).map((i) => `${i.module}.${i.name}`)
  expect(imports.filter((name) => !name.startsWith('fl.'))).toEqual(['env.lock'])
})

it('offsets are those of the original code section', () => {
  const bytes = decodeModule(original)
  for (const site of sites.filter((s) => s.kind === 'load' || s.kind === 'store' || s.callee)) {
    expect(original[bytes.codeStart + site.offset]).toBe(0x10)
  }
})
