import { describe, expect, it } from 'vitest'
import { decodeModule } from '../../src/frontends/wasm/rewrite/decode-module.js'
import { withSuspending } from '../../src/frontends/wasm/suspend/with-suspending.js'
import { Random } from '../../src/random/random.js'
import { randomModule } from './random-functions.js'

interface Exports {
  readonly memory: WebAssembly.Memory
  run(a: number, b: number): number
  asyncify_start_unwind(buffer: number): void
  asyncify_stop_unwind(): void
  asyncify_start_rewind(buffer: number): void
  asyncify_stop_rewind(): void
  asyncify_get_state(): number
}

const FRAMES = 4096

/** What a run saw and left behind. Calls are cut off after a while: both ways at the same one. */
function run(wasm: Uint8Array<ArrayBuffer>, isLeft: boolean): string {
  const seen: string[] = []
  let rewinding = false
  let unwinding = false
  const answer = (name: string, value: number) => {
    seen.push(`${name} ${value}`)
    if (seen.length > 500) throw new Error('enough')
    return Math.imul(value, 31) + seen.length
  }
  const env = {
    quick: (value: number) => answer('quick', value),
    pause: (value: number) => {
      if (!isLeft) return answer('pause', value)
      if (rewinding) {
        rewinding = false
        exports.asyncify_stop_rewind()
        return answer('pause', value)
      }
      unwinding = true
      exports.asyncify_start_unwind(FRAMES)
      return -12345
    },
  }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env })
  const exports = instance.exports as unknown as Exports
  const words = new Int32Array(exports.memory.buffer)
  words[FRAMES / 4] = FRAMES + 8
  words[FRAMES / 4 + 1] = FRAMES + 32768
  let result: string
  try {
    for (;;) {
      const value = exports.run(5, 7)
      if (!unwinding) {
        result = String(value)
        break
      }
      unwinding = false
      exports.asyncify_stop_unwind()
      rewinding = true
      exports.asyncify_start_rewind(FRAMES)
    }
    if (isLeft) expect(words[FRAMES / 4]).toBe(FRAMES + 8)
  } catch (error) {
    result = (error as Error).message
  }
  return `${seen.join('\n')}\n${result}\n${words.subarray(256, 264)}`
}

const options = { suspending: ['env.pause'], never: [] }

describe('Functions that can be left', () => {
  it('do what they did, left in each of their calls', () => {
    const random = new Random(23)
    let pauses = 0
    for (let i = 0; i < 120; i++) {
      const wasm = randomModule(random)
      const left = run(withSuspending(wasm, options)!, true)
      const straight = run(wasm, false)
      if (left !== straight) expect(left, `module ${i}`).toBe(straight)
      pauses += straight.split('pause').length - 1
    }
    expect(pauses).toBeGreaterThan(4000)
  })

  it('are not taken for code that trapped when there is no room for them', () => {
    const pause = () => exports.asyncify_start_unwind(FRAMES)
    const wasm = withSuspending(randomModule(new Random(2)), options)!
    const env = { quick: () => 0, pause }
    const exports = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env })
      .exports as unknown as Exports
    const words = new Int32Array(exports.memory.buffer)
    words[FRAMES / 4] = FRAMES + 8
    words[FRAMES / 4 + 1] = FRAMES + 8
    exports.run(5, 7)
    expect(words[FRAMES / 4]).toBeGreaterThan(FRAMES + 8)
    expect(() => exports.asyncify_stop_unwind()).toThrow(WebAssembly.RuntimeError)
    expect(exports.asyncify_get_state()).toBe(1)
    expect(() => exports.asyncify_start_rewind(FRAMES)).toThrow(WebAssembly.RuntimeError)
    expect(exports.asyncify_get_state()).toBe(1)
    words[FRAMES / 4] = FRAMES + 8
    exports.asyncify_stop_unwind()
    expect(exports.asyncify_get_state()).toBe(0)
  })

  it('are only those that may come to a call that suspends', () => {
    const random = new Random(4)
    const before = decodeModule(randomModule(random))
    const wasm = randomModule(new Random(4))
    const sizes = (bytes: Uint8Array) => decodeModule(bytes).bodies.map(({ start, end }) => end - start)
    const same = sizes(withSuspending(wasm, { suspending: [], never: [] })!)
    expect(same.slice(0, before.bodies.length)).toEqual(before.bodies.map(({ start, end }) => end - start))
  })

  it('take no more room for locals than are needed at once', () => {
    // Ten values one after the other, each in a local of its own, and a call after each.
    const code = Array.from({ length: 10 }, (_, i) => [0x20, 0, 0x21, i + 1, 0x20, i + 1, 0x10, 0, 0x21, 0])
    const body = [1, 10, 0x7f, ...code.flat(), 0x20, 0, 0x0b]
    const name = [3, ...Buffer.from('env'), 5, ...Buffer.from('pause')]
    const wasm = Uint8Array.from([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...[1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f],
      ...[2, name.length + 3, 1, ...name, 0, 0],
      ...[3, 2, 1, 0],
      ...[10, body.length + 2, 1, body.length, ...body],
    ])
    expect(() => new WebAssembly.Module(wasm)).not.toThrow()
    const { bytes, start } = decodeModule(withSuspending(wasm, options)!).bodies[0]
    // One for the ten, and three of the rewriter's.
    expect([...bytes.subarray(start, start + 3)]).toEqual([1, 4, 0x7f])
  })
})
