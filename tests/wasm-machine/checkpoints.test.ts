import { describe, expect, it } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { type Artifact, build, type WasmMachine, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { createStrategy } from '../../src/strategies/index.js'
import { isFull, times } from '../support/effort.js'

const limit = times(12)

/** All that an execution shows. */
function shown(runner: Runner, machine: WasmMachine) {
  const { trace, status, bug, unfinished } = runner
  const { events, length, preemptions, switches } = trace
  const column = (array: Int32Array | Uint8Array) => [...array.subarray(0, events.count)]
  return {
    thread: [...trace.thread.subarray(0, length)],
    value: [...trace.value.subarray(0, length)],
    eventEnd: [...trace.eventEnd.subarray(0, length)],
    kind: column(events.kind),
    mode: column(events.mode),
    location: column(events.location),
    site: column(events.site),
    aux: column(events.aux),
    order: column(events.order),
    values: Array.from({ length: events.count }, (_, i) =>
      events.known[i] === 0 ? 0 : [events.known[i], events.seen[i], events.written[i], events.operand[i]],
    ),
    preemptions,
    switches,
    status,
    bug: bug && { ...bug },
    unfinished,
    labels: Array.from(machine.threads.names, (_, t) => machine.threads.labelOf(t)),
    output: machine.output,
    state: machine.finalState(),
  }
}

/** Runs a search on two machines of which one always begins at the beginning; how many transitions the other left out. */
async function compare(
  artifact: Artifact,
  {
    args = [],
    points = 'everywhere',
    strategy = 'optimal',
  }: { args?: string[]; points?: string; strategy?: string },
): Promise<number> {
  const plain = await wasmMachine(artifact, { args, checkpoints: 'off' })
  const going = await wasmMachine(artifact, { args, checkpoints: 'everywhere' })
  const machines = [plain, going]
  let leftOut = 0
  const checkpoints = going.checkpoints!
  const { goBack } = checkpoints
  checkpoints.goBack = (driver, shared) => {
    const kept = goBack(driver, shared)
    expect(kept).toBeLessThanOrEqual(shared)
    leftOut += kept
    return kept
  }
  const runners = machines.map((machine) => {
    machine.usePoints(parsePoints(points))
    return new Runner(machine, { maxSteps: 400 })
  })
  const searches = machines.map((machine) => createStrategy(strategy, { machine }))
  for (let i = 0; i < limit; i++) {
    const [more, moreToo] = runners.map((runner, k) => runner.run(searches[k]))
    expect(moreToo).toBe(more)
    if (!more) break
    const [expected, found] = [shown(runners[0], plain), shown(runners[1], going)]
    // The same text is the same; only a difference is worth a closer look.
    if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected)
  }
  return leftOut
}

/** Programs of tests/c, as other tests build them, with some of their cases. */
const programs: readonly (readonly [name: string, cases: readonly number[]])[] = [
  ['spins', [1, 5, 8, 9, 12, 14]],
  ['twins', [1, 4, 6, 7]],
  ['conditions', [1, 3]],
  ['heap', [1, 3, 5, 7]],
  ['robust', [1, 2]],
  ['keys', []],
  ['io', []],
  ['time', []],
]

describe('an execution that begins where it leaves the last one is the same as from the beginning', () => {
  it.each(programs)('%s', async (name, cases) => {
    const artifact = await build({ sources: [`tests/c/${name}.c`], optimize: '0' })
    for (const number of cases.length === 0 ? [0] : cases) {
      const args = Array<string>(number).fill('')
      await compare(artifact, { args })
      await compare(artifact, { args, strategy: 'dfs', points: 'lock,unlock,sync,atomic' })
    }
  })

  it.runIf(isFull)('annotations', async () => {
    for (const number of [1, 2, 3, 4, 5, 6]) {
      const artifact = await build({ sources: ['tests/c/annotations.c'], define: [`CASE=${number}`] })
      await compare(artifact, {})
      await compare(artifact, { strategy: 'dfs', points: 'lock,unlock,sync,atomic' })
    }
  })

  it('cancel', async () => {
    const artifact = await build({ sources: ['tests/c/cancel.c'] })
    for (const number of [1, 2, 5, 8]) await compare(artifact, { args: [String(number)] })
  })

  it('in programs made at random, and much is left out', async () => {
    const scripts = await build({ sources: ['tests/c/scripts.c'] })
    const blocks = await build({ sources: ['tests/c/heap-scripts.c'] })
    const random = new Random(3)
    let leftOut = 0
    for (let i = 0; i < limit / 4; i++) {
      const args = Array.from({ length: 2 + random.below(2) }, (_, id) => {
        let script = 0
        for (let k = 0; k < 3; k++) script = (script << 5) | (random.below(2) << 4) | (1 + random.below(12))
        return String((script << 2) | id)
      })
      leftOut += await compare(scripts, { args, strategy: i % 3 === 0 ? 'dfs' : 'optimal' })
      const letters = () => Array.from({ length: 4 }, () => 'abcABCxyzu'[random.below(10)]).join('')
      leftOut += await compare(blocks, { args: [letters(), letters()] })
    }
    expect(leftOut).toBeGreaterThan(limit * 10)
  })
})
