import { expect } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import {
  type Artifact,
  build,
  type WasmMachine,
  type WasmMachineOptions,
  wasmMachine,
} from '../../src/frontends/wasm/index.js'
import { nativeEngine, type ProgramEngine } from '../../src/frontends/wasm/program-engine.js'
import type { Platform } from '../../src/machine/platform.js'
import { parsePoints } from '../../src/machine/points.js'
import { graphSource } from '../../src/memory/graph-source.js'
import { createStrategy } from '../../src/strategies/index.js'
import { times } from '../support/effort.js'

export const limit = times(12)

/** All that an execution shows; its events only if they were asked for. */
function shown(runner: Runner, machine: WasmMachine, asks: boolean, hasEvents: boolean) {
  const { trace, status, bug, unfinished } = runner
  const { events, length, preemptions, switches } = trace
  const count = hasEvents ? events.count : 0
  const column = (array: Int32Array | Uint8Array) => [...array.subarray(0, count)]
  return {
    thread: [...trace.thread.subarray(0, length)],
    value: [...trace.value.subarray(0, length)],
    eventEnd: hasEvents ? [...trace.eventEnd.subarray(0, length)] : [],
    kind: column(events.kind),
    mode: column(events.mode),
    location: column(events.location),
    site: column(events.site),
    aux: column(events.aux),
    order: column(events.order),
    values: Array.from({ length: count }, (_, i) =>
      events.known[i] === 0 ? 0 : [events.known[i], events.seen[i], events.written[i], events.operand[i]],
    ),
    preemptions,
    switches,
    status,
    bug: bug && { ...bug },
    unfinished,
    graph: graphOf(machine),
    labels: Array.from(machine.threads.names, (_, t) => machine.threads.labelOf(t)),
    output: asks ? machine.output : '',
    state: asks ? machine.finalState() : '',
  }
}

/** The execution graph under a weak memory model; locations by name, and what is the same whoever numbers them. */
function graphOf(machine: WasmMachine) {
  const memory = graphSource(machine)?.memory
  if (!memory) return null
  const { graph } = memory
  const { keys } = machine.locations
  const name = (location: number) => (location < 0 ? '' : keys[location % LIFE])
  return Array.from({ length: graph.count }, (_, e) => [
    ...[graph.thread[e], graph.kind[e], graph.order[e], graph.isAtomic[e], graph.source[e], graph.site[e]],
    ...[name(graph.location[e]), String(graph.value[e]), graph.rank[e], graph.position[e], graph.clock[e]],
    ...[graph.released[e], graph.storeFences[e], graph.readers[e], graph.after[e]],
  ])
}

/** See `Cells`. */
const LIFE = 1 << 22

export interface Compared {
  readonly args?: string[]
  readonly platform?: Partial<Platform>
  readonly maxExecutions?: number
  readonly points?: string
  /** Other points for every execution, in turns. */
  readonly turns?: readonly string[]
  readonly strategy?: string
  readonly maxSteps?: number
  /** The machine is asked for what only the program knows after every so many executions. */
  readonly asks?: number
  /** Somebody reads the events of every so many-th execution of the other machine. */
  readonly reads?: number
  /** What runs the program on the machine that runs all of everything. */
  readonly plainEngine?: ProgramEngine
  /** Called after every execution of both. */
  readonly onExecution?: () => void
}

/**
 * Runs a search on two machines of which one always runs all of every execution; how many transitions the other, with
 * these options, left out.
 */
export async function sideBySide(
  artifact: Artifact,
  options: WasmMachineOptions,
  {
    args = [],
    platform = {},
    maxExecutions = limit,
    points = 'everywhere',
    turns = [],
    strategy = 'optimal',
    maxSteps = 400,
    asks = 1,
    reads,
    plainEngine = nativeEngine,
    onExecution,
  }: Compared,
): Promise<number> {
  const plain = await wasmMachine(artifact, {
    ...{ args, platform, checkpoints: 'off', recall: 'off', engine: plainEngine },
  })
  const going = await wasmMachine(artifact, { args, platform, ...options })
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
  let round = 0
  const reader = {
    get footprints() {
      return round % reads! === reads! - 1
    },
  }
  // What is logged gets its number: the two machines agree on these if one logs all, the other all that it does at first.
  const readers = reads === undefined ? [[], []] : [[{ footprints: true }], [reader]]
  const runners = machines.map((machine, k) => {
    machine.usePoints(parsePoints(points))
    return new Runner(machine, { maxSteps, observers: readers[k] })
  })
  const searches = machines.map((machine) => createStrategy(strategy, { machine }))
  for (let i = 0; i < maxExecutions; i++) {
    round = i
    if (turns.length > 0)
      for (const machine of machines) machine.usePoints(parsePoints(turns[i % turns.length]))
    const [more, moreToo] = runners.map((runner, k) => runner.run(searches[k]))
    expect(moreToo).toBe(more)
    if (!more) break
    const [expected, found] = machines.map((machine, k) =>
      shown(runners[k], machine, i % asks === asks - 1, going.footprints),
    )
    // The same text is the same; only a difference is worth a closer look.
    if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected)
    onExecution?.()
  }
  return leftOut
}

/** Counts how often programs are entered. */
function counting(): ProgramEngine & { entries: number } {
  const engine = {
    ...nativeEngine,
    entries: 0,
    async instantiate(...args: Parameters<ProgramEngine['instantiate']>) {
      const exports = await nativeEngine.instantiate(...args)
      const main = exports.fl_run_main as () => number
      const fl_run_main = () => {
        engine.entries++
        return main()
      }
      return { ...exports, fl_run_main }
    },
  }
  return engine
}

/**
 * How often the program was entered while executions were done from memory, and how often to run all of them; and how many
 * transitions of those done from memory were left as the execution before had done them.
 */
export async function entries(
  source: string,
  define: string[],
  options: Compared,
): Promise<[number, number, number]> {
  const [engine, plainEngine] = [counting(), counting()]
  const artifact = await build({ sources: [source], define })
  const kept = await sideBySide(
    artifact,
    { recall: 'everywhere', engine },
    { plainEngine, asks: 1e9, ...options },
  )
  return [engine.entries, plainEngine.entries, kept]
}
