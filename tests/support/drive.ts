import { type Driver, type Machine, THREAD_LIVE } from '../../src/machine/machine.js'
import { Mode, operations } from '../../src/machine/operation.js'

/**
 * Drives a machine by hand. A script is a list of thread names (canonical or labels) separated by blanks; `a=1` takes
 * the alternative of that number.
 */

export interface Drive {
  /** Where each thread stood, by label, when the script was over: `write x`, `lock mutex m (waits)`. */
  readonly stopped: Readonly<Record<string, string>>
  /** How many alternatives each live thread had then. */
  readonly alternatives: Readonly<Record<string, number>>
}

/** Runs exactly the script, then ends the execution. */
export function drive(machine: Machine, script = ''): Drive {
  const words = script.split(/\s+/).filter(Boolean)
  let at = 0
  let stopped: Record<string, string> = {}
  let alternatives: Record<string, number> = {}
  const driver: Driver = {
    value: 0,
    next() {
      stopped = {}
      alternatives = {}
      for (const t of liveThreads(machine)) {
        const label = machine.threads.labelOf(t)
        alternatives[label] = machine.alternatives(t)
        stopped[label] = describePending(machine, t) + (alternatives[label] === 0 ? ' (waits)' : '')
      }
      if (at === words.length) return -1
      const [name, value] = words[at++].split('=')
      const thread = threadNamed(machine, name)
      if (machine.alternatives(thread) <= Number(value ?? 0)) {
        throw new Error(`word ${at} of "${script}": ${name} cannot do that; it is before ${stopped[name]}`)
      }
      this.value = Number(value ?? 0)
      return thread
    },
  }
  machine.run(driver)
  if (machine.bug === null && at < words.length) throw new Error(`"${script}" is longer than the program`)
  if (liveThreads(machine).length === 0) stopped = {}
  return { stopped, alternatives }
}

export function threadNamed(machine: Machine, name: string): number {
  for (let t = 0; t < machine.threads.count; t++) {
    if (machine.threads.names[t] === name || machine.threads.labelOf(t) === name) return t
  }
  throw new Error(`no thread ${name}`)
}

export function liveThreads(machine: Machine): number[] {
  return Array.from(machine.threads.names.keys()).filter((t) => machine.pending.status[t] === THREAD_LIVE)
}

export function describePending(machine: Machine, t: number): string {
  const { kind, location } = machine.pending
  return [operations[kind[t]].name, location[t] < 0 ? '' : machine.describeLocation(location[t])]
    .filter(Boolean)
    .join(' ')
}

const modeNames = Object.fromEntries(Object.entries(Mode).map(([name, mode]) => [mode, name]))

/** The events of the last execution: `lock write mutex m, 0`. The mode is left out when there is none, so is aux -1. */
export function eventsOf(machine: Machine): string[] {
  const { events } = machine
  return Array.from({ length: events.count }, (_, i) => {
    const location = events.location[i] < 0 ? [] : [machine.describeLocation(events.location[i])]
    const mode = events.mode[i] === Mode.none ? [] : [modeNames[events.mode[i]]]
    const text = [operations[events.kind[i]].name, ...mode, ...location].join(' ')
    return events.aux[i] === -1 ? text : `${text}, ${events.aux[i]}`
  })
}

/** Runs every execution, up to a limit; `visit` sees the machine at the end of each. Returns their number. */
export function driveAll(machine: Machine, visit: () => void = () => {}, limit = 100_000): number {
  const path: number[] = []
  const options: number[] = []
  for (let executions = 1; ; executions++) {
    let depth = 0
    machine.run({
      value: 0,
      next() {
        let count = 0
        let chosen = -1
        if (depth === path.length) path.push(0)
        for (const t of liveThreads(machine)) {
          const alternatives = machine.alternatives(t)
          if (path[depth] >= count && path[depth] < count + alternatives) {
            chosen = t
            this.value = path[depth] - count
          }
          count += alternatives
        }
        if (chosen < 0) return -1
        options[depth++] = count
        return chosen
      },
    })
    visit()
    path.length = depth
    while (path.length > 0 && path[path.length - 1] + 1 >= options[path.length - 1]) path.pop()
    if (path.length === 0 || executions === limit) return executions
    path[path.length - 1]++
  }
}
