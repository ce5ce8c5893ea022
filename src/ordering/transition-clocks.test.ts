import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TransitionClocks } from './transition-clocks.js'

/** One transition of a thread; it may create or wake others. */
interface Step {
  readonly thread: number
  readonly pushes: readonly number[]
}

const threads = 10
const step: fc.Arbitrary<Step> = fc.record({
  thread: fc.nat(threads - 1),
  pushes: fc.oneof(fc.constant([]), fc.array(fc.nat(threads - 1), { maxLength: 2 })),
})

/** Takes in a step that conflicts with nothing. */
function take(clocks: TransitionClocks, d: number, { thread, pushes }: Step): void {
  clocks.reserve(d + 1, threads)
  const known = new Int32Array(threads)
  clocks.start(thread, known, threads)
  clocks.rows.set(known, d * clocks.stride)
  clocks.rows[d * clocks.stride + thread] = d + 1
  clocks.enter(d, thread)
  for (const target of pushes) if (target !== thread) clocks.push(d, target)
}

function startsOf(clocks: TransitionClocks): number[][] {
  return Array.from({ length: threads }, (_, t) => {
    const clock = new Int32Array(threads)
    clocks.start(t, clock, threads)
    const joined = new Int32Array(threads)
    clocks.joinThread(t, joined, threads)
    expect(joined).toEqual(clock)
    return [...clock]
  })
}

/** By the definition: what a thread's next step follows, as all paths along threads and pushes. */
function expected(steps: readonly Step[]): number[][] {
  const before = steps.map((step, d) => {
    const direct = steps.flatMap((earlier, e) =>
      e < d && (earlier.thread === step.thread || earlier.pushes.includes(step.thread)) ? [e] : [],
    )
    return direct
  })
  const past: Set<number>[] = []
  steps.forEach((_, d) => {
    past[d] = new Set([d, ...before[d].flatMap((e) => [...past[e]])])
  })
  return Array.from({ length: threads }, (_, t) => {
    const clock = Array(threads).fill(0)
    steps.forEach((step, d) => {
      if (step.thread !== t && !step.pushes.includes(t)) return
      for (const e of past[d]) clock[steps[e].thread] = Math.max(clock[steps[e].thread], e + 1)
    })
    return clock
  })
}

test('what each thread starts from, going forth and back', () => {
  const moves = fc.array(fc.tuple(fc.array(step, { maxLength: 12 }), fc.nat(12)), { maxLength: 8 })
  fc.assert(
    fc.property(moves, (rounds) => {
      const clocks = new TransitionClocks()
      clocks.reserve(1, threads)
      const steps: Step[] = []
      for (const [more, back] of rounds) {
        for (const next of more) {
          take(clocks, steps.length, next)
          steps.push(next)
        }
        expect(startsOf(clocks)).toEqual(expected(steps))
        for (let i = 0; i < back && steps.length > 0; i++) {
          clocks.pop(steps.length - 1, steps.at(-1)!.thread)
          steps.pop()
        }
        expect(startsOf(clocks)).toEqual(expected(steps))
      }
    }),
    { seed: 41, numRuns: 200 },
  )
})

test('room for more threads keeps what is known', () => {
  const clocks = new TransitionClocks()
  take(clocks, 0, { thread: 0, pushes: [3] })
  take(clocks, 1, { thread: 3, pushes: [] })
  const before = startsOf(clocks)
  clocks.reserve(200, 40)
  expect(startsOf(clocks)).toEqual(before)
})
