import { describe, expect, test } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { BuildError, buildModule, wasmMachine } from '../../src/frontends/wasm/index.js'
import { noCache } from '../../src/frontends/wasm/toolchain/cache.js'
import { Random } from '../../src/random/random.js'
import { createStrategy } from '../../src/strategies/index.js'
import { isFull, times } from '../support/effort.js'
import { endsOf } from '../wasm-machine/support.js'
import { assemble, counterText, withFeature } from './modules.js'

const MUTATIONS = isFull ? times(200) : 100

/** Why a module is refused, or what its first executions came to. Anything else thrown is a fault of ours. */
async function fate(wasm: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    const artifact = await buildModule({ name: 'bad.wasm', wasm, cache: noCache })
    const machine = await wasmMachine(artifact, { maxLoopVisits: 2000, maxOutput: 4096 })
    const strategy = createStrategy('optimal', { machine })
    const ends = new Set<string>()
    explore({
      machine,
      strategy,
      keepGoing: true,
      maxExecutions: 3,
      maxSteps: 500,
      onExecution: ({ bug, status }) => ends.add(bug ? `${bug.kind}: ${bug.message}` : status),
    })
    return `ran: ${[...ends].join(', ')}`
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    return `refused: ${error.message}`
  }
}

describe('the module that the others are made of', () => {
  test('is verified', async () => {
    const artifact = await buildModule({
      name: 'good.wasm',
      wasm: await assemble(counterText()),
      cache: noCache,
    })
    expect(endsOf(await wasmMachine(artifact), { strategy: 'optimal' })).toEqual(['ok done\n'])
  })

  test('fails without its lock', async () => {
    const wasm = await assemble(counterText({ lock: false }))
    const artifact = await buildModule({ name: 'racy.wasm', wasm, cache: noCache })
    expect(endsOf(await wasmMachine(artifact), { strategy: 'optimal' })).toEqual([
      'ok done\n',
      'trap: code that must not be reached',
    ])
  })
})

describe('what cannot be checked is refused by name', () => {
  const start = '(func (export "_start"))'
  test.each([
    ['memory64', '(module (memory i64 1) (func (export "_start")))', /memory64|64-bit memory/],
    ['several memories', withFeature('(memory 1) (memory $b 1)'), /multi-?memory/],
    ['exceptions', withFeature('(tag $t)', '(throw $t)'), /exceptions|exnref|eh/],
    ['GC', withFeature('(type $s (struct (field i32)))', '(drop (struct.new $s (i32.const 1)))'), /gc|GC/],
    [
      'tail calls',
      withFeature('', '(return_call $f)').replace('(func', '(func $f) (func'),
      /tail calls|return_call/,
    ],
    [
      'a table that changes',
      withFeature('(table $t 1 funcref)', '(table.set $t (i32.const 0) (ref.null func))'),
      /tables that change/,
    ],
    ['an imported table', withFeature('(import "env" "t" (table 1 funcref))'), /imported table \(env\.t\)/],
    ['an imported global', withFeature('(import "env" "g" (global i32))'), /imported global \(env\.g\)/],
    [
      'a global of references',
      withFeature('(global $g (mut funcref) (ref.null func))'),
      /global that holds a reference/,
    ],
    ['no memory', `(module ${start})`, /has no memory/],
    ['no _start', '(module (memory 1 1 shared) (func (export "run")))', /exports no function _start/],
    [
      'another _start',
      '(module (memory 1 1 shared) (func (export "_start") (param i32)))',
      /exports _start with another type/,
    ],
    [
      'no start of threads',
      withFeature('(import "wasi" "thread-spawn" (func (param i32) (result i32)))'),
      /no wasi_thread_start/,
    ],
    ['an unknown import', withFeature('(import "env" "launch" (func))'), /imports env\.launch/],
    [
      'an unknown system call',
      withFeature('(import "wasi_snapshot_preview1" "sock_accept" (func (param i32 i32 i32) (result i32)))'),
      /imports wasi_snapshot_preview1\.sock_accept/,
    ],
    [
      'a system call of another type',
      withFeature('(import "wasi_snapshot_preview1" "fd_close" (func (param i64) (result i32)))'),
      /fd_close with another type/,
    ],
    [
      'data outside memory',
      withFeature('(memory 1 2 shared) (data (i32.const 65534) "abcd")'),
      /data at 65534, outside its memory/,
    ],
    ['too much memory', withFeature('(memory 40000 40000 shared)'), /asks for 2500 MB/],
  ])('%s', async (_, text, message) => {
    const found = await fate(await assemble(text))
    expect(found).toMatch(/^refused: bad\.wasm: /)
    expect(found).toMatch(message)
  })

  test('elements outside their table', async () => {
    const found = await fate(
      await assemble(withFeature('(table 1 funcref) (elem (i32.const 9) $f) (func $f)')),
    )
    expect(found).toMatch(/^refused: the module cannot be instantiated/)
  })

  test.each([
    ['nothing', []],
    ['text', [...new TextEncoder().encode('int main(void) { return 0; }')]],
    ['only a header', [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]],
    ['another version', [0, 0x61, 0x73, 0x6d, 2, 0, 0, 0]],
  ])('%s', async (_, bytes) => {
    expect(await fate(Uint8Array.from(bytes))).toMatch(
      /^refused: bad\.wasm: (this is not a valid|the module has no memory)/,
    )
  })
})

test('vectors are accessed', async () => {
  const text = withFeature(
    '(memory 1)',
    `(v128.store (i32.const 32) (v128.load (i32.const 16)))
     (v128.store16_lane 3 (i32.const 64) (v128.load32_splat (i32.const 16)))`,
  )
  expect(await fate(await assemble(text))).toBe('ran: completed')
})

test('an access outside memory is a trap, also where Faultline has its own', async () => {
  for (const [address, code] of [
    [65536, 'i32.load8_u (i32.const 65536)'],
    [65533, 'i32.load (i32.const 65533)'],
    [131072, 'i32.load8_u offset=65536 (i32.const 65536)'],
    [-1, 'i32.load8_u offset=1 (i32.const -1)'],
    [1 << 24, 'i32.atomic.rmw.add (i32.const 0x1000000) (i32.const 1)'],
  ] as const) {
    const found = await fate(await assemble(withFeature('(memory 1 1 shared)', `(drop (${code}))`)))
    expect([address, found]).toEqual([address, 'ran: trap: access outside memory'])
  }
  for (const code of [
    'memory.fill (i32.const 65530) (i32.const 1) (i32.const 7)',
    'memory.copy (i32.const 0) (i32.const 65530) (i32.const 7)',
    'memory.copy (i32.const -4) (i32.const 0) (i32.const 8)',
    'i64.store (i32.const 65529) (i64.const 1)',
  ]) {
    const found = await fate(await assemble(withFeature('(memory 1 1 shared)', `(${code})`)))
    expect([code, found]).toEqual([code, 'ran: trap: access outside memory'])
  }
})

test('atomics that are not aligned trap', async () => {
  const code = '(drop (i32.atomic.rmw.add (i32.const 2) (i32.const 1)))'
  expect(await fate(await assemble(withFeature('', code)))).toMatch(/^ran: trap: .*not aligned/)
})

test('a program without end ends', async () => {
  for (const code of [
    '(loop $l (br $l))',
    '(loop $l (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1))) (br $l))',
  ]) {
    expect(await fate(await assemble(withFeature('', code)))).toMatch(/^ran: (livelock|deadlock|cut)/)
  }
})

test(`${MUTATIONS} damaged modules are refused or run, with a word on why`, async () => {
  const random = new Random(20)
  const good = [await assemble(counterText()), await assemble(counterText({ lock: false }))]
  const fates: string[] = []
  for (let i = 0; i < MUTATIONS; i++) fates.push(await fate(mutate(good[i % 2], random)))
  expect(fates.filter((text) => text.startsWith('refused: ')).length).toBeGreaterThan(MUTATIONS / 3)
  expect(fates.filter((text) => text.startsWith('ran: ')).length).toBeGreaterThan(MUTATIONS / 50)
  for (const text of fates) expect(text).not.toMatch(/undefined|NaN|\[object/)
  // The same again, for a part: nothing depends on what was checked before.
  const again = new Random(20)
  for (let i = 0; i < Math.min(MUTATIONS, 40); i++)
    expect(await fate(mutate(good[i % 2], again))).toBe(fates[i])
}, 600_000)

/** Bytes changed, cut out, repeated, or the end cut off. */
function mutate(bytes: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const result = [...bytes]
  for (let n = 1 + random.below(3); n > 0; n--) {
    const at = random.below(result.length)
    switch (random.below(6)) {
      case 0:
        result[at] ^= 1 << random.below(8)
        break
      case 1:
        result[at] = random.below(256)
        break
      case 2:
        result[at] = (result[at] + 255 + 2 * random.below(2)) & 255
        break
      case 3:
        result.splice(at, 1 + random.below(4))
        break
      case 4:
        result.splice(at, 0, ...result.slice(at, at + 1 + random.below(8)))
        break
      default:
        if (random.below(4) === 0) result.length = Math.max(1, at)
        else result[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)]
    }
  }
  return Uint8Array.from(result)
}
