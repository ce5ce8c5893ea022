import { describe, expect, it } from 'vitest'
import { buildModule, wasmMachine } from '../../src/frontends/wasm/index.js'
import { everywhere } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { splitting } from '../../src/strategies/splitting.js'
import { reach } from '../support/brute-force.js'
import { assemble } from './modules.js'

/** A thread does `change`; `_start` traps if `isTorn`, which is so only between two words. */
const moduleText = (change: string, isTorn: string) => `(module
  (import "env" "memory" (memory 1 1 shared))
  (import "wasi" "thread-spawn" (func $spawn (param i32) (result i32)))
  (data $ones "\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01\\01")
  (data (i32.const 64) "\\01\\00\\00\\00\\00\\00\\00\\00\\02\\00\\00\\00\\00\\00\\00\\00")
  (func (export "wasi_thread_start") (param i32 i32) ${change})
  (func (export "_start")
    (local $first i64) (local $second i64) (local $both v128)
    (drop (call $spawn (i32.const 0)))
    (if ${isTorn} (then (unreachable)))))`

/** Reads two words one after the other: torn if the first is there and the second is not. */
const ahead = (first: number, second: number, there: string, missing: string) => `(i32.and
  (i64.${there} (i64.load (i32.const ${first})) (i64.const 0))
  (i64.${missing} (i64.load (i32.const ${second})) (i64.const 0)))`

const bulk: [name: string, change: string, isTorn: string][] = [
  ['memory.fill', '(memory.fill (i32.const 16) (i32.const 1) (i32.const 20))', ahead(16, 24, 'ne', 'eq')],
  [
    'memory.fill of a part of each word',
    '(memory.fill (i32.const 20) (i32.const 1) (i32.const 8))',
    '(i32.and (i32.load (i32.const 20)) (i32.eqz (i32.load (i32.const 24))))',
  ],
  [
    'memory.init',
    '(memory.init $ones (i32.const 16) (i32.const 2) (i32.const 16))',
    ahead(16, 24, 'ne', 'eq'),
  ],
  ['memory.copy', '(memory.copy (i32.const 16) (i32.const 64) (i32.const 16))', ahead(16, 24, 'ne', 'eq')],
  [
    'memory.copy to the left, over itself',
    '(memory.copy (i32.const 56) (i32.const 64) (i32.const 16))',
    // The word in the middle is still what it was.
    '(i32.and (i64.ne (i64.load (i32.const 56)) (i64.const 0)) (i64.eq (i64.load (i32.const 64)) (i64.const 1)))',
  ],
  [
    'memory.copy to the right, over itself',
    '(memory.copy (i32.const 72) (i32.const 64) (i32.const 16))',
    '(i32.and (i64.eq (i64.load (i32.const 80)) (i64.const 2)) (i64.eq (i64.load (i32.const 72)) (i64.const 2)))',
  ],
  ['v128.store', '(v128.store (i32.const 16) (v128.const i64x2 1 1))', ahead(16, 24, 'ne', 'eq')],
  [
    'v128.load',
    '(i64.store (i32.const 16) (i64.const 1)) (i64.store (i32.const 24) (i64.const 1))',
    `(block (result i32) (local.set $both (v128.load (i32.const 16)))
      (i32.and (i64.eqz (i64x2.extract_lane 0 (local.get $both)))
               (i64.ne (i64x2.extract_lane 1 (local.get $both)) (i64.const 0))))`,
  ],
]

describe('instructions on several words', () => {
  it.each(bulk)('%s is interrupted', async (name, change, isTorn) => {
    const wasm = await assemble(moduleText(change, isTorn))
    const machine = await wasmMachine(await buildModule({ name: `${name}.wasm`, wasm }))
    const whole = reach(machine, createStrategy('source', { machine }))
    machine.usePoints(everywhere)
    for (const search of ['dfs', 'optimal', 'source']) {
      const strategy = splitting({
        machine,
        create: () => createStrategy(search, { machine }),
        isSampler: false,
      })
      const found = reach(machine, strategy)
      expect(found.exhausted).toBe(true)
      expect(strategy.coarse).toBe(false)
      // Eight bytes are one step, wherever they lie.
      const isShort = name.includes('part')
      expect(strategy.restarts! > 0).toBe(!isShort)
      expect([...found.bugs].join()).toMatch(isShort ? /^$/ : /^trap/)
      machine.usePoints(everywhere)
    }
    expect(whole.bugs).toEqual(new Set())
  })
})
