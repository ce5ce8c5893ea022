import binaryen from 'binaryen'
import { expect, it } from 'vitest'
import { WasmFormatError } from './bytes.js'
import { decodeModule } from './decode-module.js'
import { encodeModule } from './encode-module.js'

function assemble(text: string): Uint8Array<ArrayBuffer> {
  const module = binaryen.parseText(text)
  module.setFeatures(
    binaryen.Features.MutableGlobals | binaryen.Features.BulkMemory | binaryen.Features.ReferenceTypes,
  )
  binaryen.setDebugInfo(true)
  const bytes = Uint8Array.from(module.emitBinary())
  module.dispose()
  return bytes
}

const sample = assemble(`(module
  (import "host" "print" (func $print (param i32)))
  (import "host" "base" (global $base i32))
  (memory (export "memory") 1 4)
  (table (export "table") 4 funcref)
  (elem (i32.const 1) $twice $print)
  (global $counter (mut i32) (i32.const -7))
  (global $ratio f64 (f64.const 2.5))
  (data (i32.const 16) "hello")
  (func $twice (export "twice") (param $x i32) (result i32)
    (global.set $counter (i32.add (global.get $counter) (i32.const 1)))
    (call $print (local.get $x))
    (i32.mul (local.get $x) (i32.const 2)))
  (func $read (export "read") (param i32) (result i32) (i32.load8_u (local.get 0)))
  (func $count (export "count") (result i32) (i32.add (global.get $counter) (global.get $base)))
)`)

it('reads what a module holds', () => {
  const module = decodeModule(sample)
  expect(module.imports.map((i) => `${i.module}.${i.name}`).sort()).toEqual(['host.base', 'host.print'])
  expect(module.functionNames).toEqual(['print', 'twice', 'read', 'count'])
  expect(module.memory).toMatchObject({ minimum: 1, maximum: 4 })
  expect(module.elements).toMatchObject([{ offset: 1, functions: [1, 0] }])
  expect(module.globals.map((g) => g.mutable)).toEqual([true, false])
  expect(module.exports.map((e) => e.name).sort()).toEqual(['count', 'memory', 'read', 'table', 'twice'])
})

it('writes a module that does the same', () => {
  const module = decodeModule(sample)
  const bodies = module.bodies.map((body) => body.bytes.subarray(body.start, body.end))
  const again = encodeModule(module, { remap: (index) => index, bodies })
  const printed: number[] = []
  const host = { print: (n: number) => printed.push(n), base: 100 }
  const exports = new WebAssembly.Instance(new WebAssembly.Module(again), { host }).exports as Record<
    string,
    never
  > & {
    twice(n: number): number
    read(at: number): number
    count(): number
    table: WebAssembly.Table
    memory: WebAssembly.Memory
  }
  expect(exports.twice(21)).toBe(42)
  expect(printed).toEqual([21])
  expect(exports.read(17)).toBe('e'.charCodeAt(0))
  expect(exports.count()).toBe(94)
  expect(exports.table.get(1)).toBe(exports.twice)
  expect(() => exports.memory.grow(4)).toThrow()
  expect(decodeModule(again).functionNames).toEqual(module.functionNames)
})

it('refuses what is no module', () => {
  expect(() => decodeModule(Uint8Array.of(1, 2, 3))).toThrow(WasmFormatError)
})
