import { describe, expect, it } from 'vitest'
import { buildModule, type WasmMachine, wasmMachine } from '../../src/frontends/wasm/index.js'
import { createStrategy } from '../../src/strategies/index.js'
import { reach } from '../support/brute-force.js'
import { endsOf } from '../wasm-machine/support.js'
import { loadRaw } from './compile.js'
import { assemble } from './modules.js'

async function machineOf(text: string, stdin = ''): Promise<WasmMachine> {
  const artifact = await buildModule({ name: 'test.wasm', wasm: await assemble(text) })
  return wasmMachine(artifact, { stdin })
}

describe('poll_oneoff', () => {
  /** Subscriptions at 64 and 112: the user's number, what for, when; two events fit at 256. */
  const polling = (first: string, second: string, count: number, check: string) => `(module
  (import "env" "memory" (memory 1 1 shared))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $now (param i32 i64 i32) (result i32)))
  (import "wasi" "thread-spawn" (func $spawn (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (func (export "wasi_thread_start") (param i32 i32) (i32.atomic.store (i32.const 8) (i32.const 1)))
  (func $subscribe (param $at i32) (param $user i64) (param $type i32) (param $file i32) (param $timeout i64)
    (i64.store (local.get $at) (local.get $user))
    (i32.store8 offset=8 (local.get $at) (local.get $type))
    (i32.store offset=16 (local.get $at) (local.get $file))
    (i64.store offset=24 (local.get $at) (local.get $timeout)))
  (func $assert (param i32) (if (i32.eqz (local.get 0)) (then (unreachable))))
  (func (export "_start")
    (drop (call $now (i32.const 0) (i64.const 1) (i32.const 16)))
    ${first} ${second}
    (drop (call $spawn (i32.const 0)))
    (call $assert (i32.eq (call $poll (i32.const 64) (i32.const 256) (i32.const ${count}) (i32.const 32))
      (i32.const ${count === 0 ? 28 : 0})))
    (drop (call $now (i32.const 0) (i64.const 1) (i32.const 24)))
    ${check}))`
  const clock = (at: number, user: number, timeout: number) =>
    `(call $subscribe (i32.const ${at}) (i64.const ${user}) (i32.const 0) (i32.const 0) (i64.const ${timeout}))`
  const output = (at: number, user: number, file: number) =>
    `(call $subscribe (i32.const ${at}) (i64.const ${user}) (i32.const 2) (i32.const ${file}) (i64.const 0))`
  const event = (index: number, user: number, type: number, error = 0) => `
    (call $assert (i64.eq (i64.load (i32.const ${256 + 32 * index})) (i64.const ${user})))
    (call $assert (i32.eq (i32.load16_u (i32.const ${264 + 32 * index})) (i32.const ${error})))
    (call $assert (i32.eq (i32.load8_u (i32.const ${266 + 32 * index})) (i32.const ${type})))`
  const happened = (count: number) => `(call $assert (i32.eq (i32.load (i32.const 32)) (i32.const ${count})))`
  const passed = (compare: string, nanoseconds: number) => `(call $assert (i64.${compare}
    (i64.sub (i64.load (i32.const 24)) (i64.load (i32.const 16))) (i64.const ${nanoseconds})))`

  it.each([
    ['sleeps', clock(64, 7, 5000), '', 1, happened(1) + event(0, 7, 0) + passed('ge_u', 5000)],
    [
      'wakes at the first of two',
      clock(64, 7, 5_000_000),
      clock(112, 8, 3000),
      2,
      happened(1) + event(0, 8, 0) + passed('lt_u', 5_000_000),
    ],
    ['tells of both at once', clock(64, 7, 0), clock(112, 8, 0), 2, happened(2) + event(1, 8, 0)],
    [
      'does not wait for output',
      clock(64, 7, 5_000_000),
      output(112, 9, 1),
      2,
      happened(1) + event(0, 9, 2) + passed('lt_u', 5_000_000),
    ],
    ['knows no other files', output(64, 9, 5), '', 1, happened(1) + event(0, 9, 2, 8)],
    ['needs something to wait for', '', '', 0, ''],
  ])('%s', async (_, first, second, count, check) => {
    const machine = await machineOf(polling(first, second, count, check))
    const found = reach(machine, createStrategy('optimal', { machine }))
    expect(found).toMatchObject({ exhausted: true, bugs: new Set() })
  })

  it('lets others run meanwhile', async () => {
    const seen = polling(
      clock(64, 7, 5000),
      '',
      1,
      '(call $assert (i32.eqz (i32.atomic.load (i32.const 8))))',
    )
    const machine = await machineOf(seen)
    machine.usePoints({ kinds: ['yield'], races: [], rules: [] })
    expect(endsOf(machine).map((end) => end.split(':')[0])).toEqual(['ok ', 'trap'])
  })
})

describe('input', () => {
  it('goes to whoever reads first', async () => {
    const machine = await machineOf(
      `(module
  (import "env" "memory" (memory 1 1 shared))
  (import "wasi" "thread-spawn" (func $spawn (param i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (func $get (param $at i32)
    (i32.store (local.get $at) (i32.add (local.get $at) (i32.const 16)))
    (i32.store offset=4 (local.get $at) (i32.const 1))
    (drop (call $read (i32.const 0) (local.get $at) (i32.const 1) (i32.add (local.get $at) (i32.const 8)))))
  (func (export "wasi_thread_start") (param i32 i32) (call $get (i32.const 128)))
  (func (export "_start")
    (drop (call $spawn (i32.const 0)))
    (call $get (i32.const 64))
    (if (i32.eq (i32.load8_u (i32.const 80)) (i32.const 98)) (then (unreachable)))))`,
      'ab',
    )
    expect(endsOf(machine, { strategy: 'optimal' }).map((end) => end.split(':')[0])).toEqual(['ok ', 'trap'])
  })
})

describe('static variables', () => {
  const namesOf = (machine: WasmMachine) => {
    endsOf(machine, { strategy: 'optimal', limit: 1 })
    const { events } = machine
    const touched = [...events.location.subarray(0, events.count)].filter((location) => location >= 0)
    return new Set(touched.map((location) => machine.describeLocation(location)))
  }

  it('have the names under which they are exported, other places those of their segment', async () => {
    const machine = await machineOf(`(module
  (memory 1 1 shared)
  (global (export "counter") i32 (i32.const 72))
  (global (export "__heap_base") i32 (i32.const 68))
  (data (i32.const 64) "0123456789abcdef0123")
  (func (export "_start")
    (i32.store (i32.const 68) (i32.load (i32.const 64)))
    (i32.store (i32.const 72) (i32.load (i32.const 80)))
    (i32.store (i32.const 84) (i32.const 1))))`)
    expect(namesOf(machine)).toEqual(new Set(['data 0', 'data 0+4', 'counter', 'counter+8', '0x54']))
  })

  it('lie where the module puts them when it starts', async () => {
    const machine = await loadRaw('tests/c/counter.c', { debug: 'names' })
    expect([...namesOf(machine)].some((name) => /^\.bss(\+\d+)?$/.test(name))).toBe(true)
  })
})
