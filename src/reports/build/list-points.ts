import { explore } from '../../execution/explore.js'
import { recordSchedule } from '../../execution/schedule.js'
import { reading } from '../../files/user-error.js'
import type { Machine } from '../../machine/machine.js'
import type { PointSet } from '../../machine/points.js'
import { createStrategy } from '../../strategies/index.js'
import { locationText } from './place.js'

/** A place where the default schedule could have switched threads. */
export interface ListedPoint {
  /** As `--preempt race:SITE` takes it; empty for points that belong to no place. */
  readonly site: string
  readonly location: string
  readonly function: string
  readonly operation: string
  /** Canonical names of the threads that stopped there. */
  readonly threads: readonly string[]
  /** How often. */
  readonly times: number
}

/** Runs the default schedule once, without exploring. */
export function listPoints(machine: Machine, points: PointSet): ListedPoint[] {
  reading('--preempt', () => machine.usePoints(points))
  const trace = { thread: new Int32Array(0), value: new Int32Array(0) }
  explore({
    machine,
    strategy: createStrategy('dfs', { machine }),
    maxExecutions: 1,
    keepGoing: true,
    onExecution: (runner) => {
      trace.thread = runner.trace.thread.slice(0, runner.trace.length)
      trace.value = runner.trace.value.slice(0, runner.trace.length)
    },
  })
  const { steps } = recordSchedule(machine, trace.thread, trace.value, points)
  const listed = new Map<string, { -readonly [K in keyof ListedPoint]: ListedPoint[K] }>()
  const sites = new Map(machine.sites.map((site) => [site.name, site]))
  for (const step of steps) {
    const site = step.site === undefined ? undefined : sites.get(step.site)
    const key = `${step.site ?? ''} ${step.operation}`
    const known = listed.get(key)
    if (known) {
      known.times++
      if (!known.threads.includes(step.thread)) known.threads = [...known.threads, step.thread]
    } else {
      listed.set(key, {
        site: step.site ?? '',
        location: site ? locationText(site) : '',
        function: site?.function ?? '',
        operation: step.operation,
        threads: [step.thread],
        times: 1,
      })
    }
  }
  return [...listed.values()]
}
