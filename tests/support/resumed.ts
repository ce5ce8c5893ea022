import type { Saved, Strategy } from '../../src/execution/strategy.js'
import type { Program } from '../../src/frontends/model/program.js'
import { engine } from './engine.js'

const limit = 400

export interface Resumed {
  readonly spec: string
  readonly program: Program
  readonly bound?: number | undefined
  readonly seed?: number
  /** Saved and read back after so many executions; never if absent. */
  readonly interval?: number
  /** Called when nothing is left to explore. */
  readonly onExhausted?: (strategy: Strategy) => void
}

/** Schedules of all executions, in order; saved through JSON and read back in a fresh machine at every `interval`. */
export function schedules({
  spec,
  program,
  bound,
  seed = 1,
  interval = Infinity,
  onExhausted,
}: Resumed): string[] {
  const found: string[] = []
  let machine = engine.modelMachine(program)
  let strategy: Strategy = engine.createStrategy(spec, { machine, bound, seed })
  while (found.length < limit) {
    const result = engine.explore({
      machine,
      strategy,
      keepGoing: true,
      maxExecutions: Math.min(interval, limit - found.length),
      maxSteps: 400,
      onExecution({ trace, status, machine: { threads } }) {
        const steps = Array.from(
          { length: trace.length },
          (_, i) => `${threads.names[trace.thread[i]]}=${trace.value[i]}`,
        )
        found.push(`${status} ${steps.join(' ')}`)
      },
    })
    if (result.exhausted) {
      onExhausted?.(strategy)
      return found
    }
    const saved = JSON.parse(JSON.stringify(strategy.save())) as Saved
    const threads = [...machine.threads.names]
    const locations = machine.locations.entries()
    machine = engine.modelMachine(program)
    // Discovered in another order here: indexes differ, names do not.
    const threadMap = machine.threads.preload(threads)
    const locationMap = machine.locations.preload(locations)
    strategy = engine.loadStrategy(spec, saved, {
      machine,
      order: 'stay',
      bound,
      threadHere: (t) => threadMap[t],
      locationHere: (l) => locationMap[l],
    })
  }
  return found
}
