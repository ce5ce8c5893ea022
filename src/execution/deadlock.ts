import type { Bug, Wait } from '../machine/bug.js'
import { type Machine, THREAD_DONE, THREAD_LIVE } from '../machine/machine.js'
import { Op } from '../machine/operation.js'

/**
 * Why nobody can go on: a circle of waits if there is one, else the wake-up that never comes. When threads only spin
 * (each would go on if something it reads changed, and nobody is left to change it) the bug is a livelock.
 */
export function diagnoseStuck(machine: Machine): Bug {
  const waits = waitsOf(machine)
  return diagnose(machine, waits, findCycle(waits))
}

/**
 * The deadlock of threads that wait for each other in a circle, or for what a thread holds that has ended, when the program
 * is about to end and nobody else can run; null if there is none. The end of the program makes an end of them, but that
 * nobody noticed is no merit of theirs.
 */
export function diagnoseLeftBehind(machine: Machine): Bug | null {
  const waits = waitsOf(machine)
  const cycle = findCycle(waits)
  if (cycle.length === 0 && !waits.some((wait) => isAbandoned(machine, wait))) return null
  return diagnose(machine, waits, cycle)
}

/** Who would have to give it back has ended. */
function isAbandoned(machine: Machine, { holders, spinning }: Wait): boolean {
  return !spinning && holders.some((holder) => machine.pending.status[holder] === THREAD_DONE)
}

/** What threads that have not ended wait for; one that ends the program waits for nothing. */
function waitsOf(machine: Machine): Wait[] {
  const { status, kind } = machine.pending
  const waits: Wait[] = []
  for (let thread = 0; thread < machine.threads.count; thread++) {
    if (status[thread] === THREAD_LIVE && kind[thread] !== Op.processExit) waits.push(machine.waitOf(thread))
  }
  return waits
}

function diagnose(machine: Machine, waits: readonly Wait[], cycle: readonly number[]): Bug {
  const describe = (wait: Wait) => {
    const who = wait.holders.map((t) => machine.threads.labelOf(t)).join(', ')
    // A thread waited for to end is named already.
    const held = who === '' || wait.object.startsWith('thread ') ? '' : ` (held by ${who})`
    return `${machine.threads.labelOf(wait.thread)} ${wait.spinning ? 'spins on' : 'waits for'} ${wait.object}${held}`
  }
  const abandoned = waits.filter((wait) => isAbandoned(machine, wait))
  const isLivelock = cycle.length === 0 && abandoned.length === 0 && waits.some((w) => w.spinning)
  const inCycle = waits.filter((w) => cycle.includes(w.thread))
  const [shown] = [inCycle, abandoned, waits].filter((some) => some.length > 0)
  const first = shown[0]
  const reason =
    cycle.length > 0
      ? cycle.length === 1
        ? 'a thread waits for itself'
        : 'threads wait for each other in a circle'
      : abandoned.length > 0
        ? 'what a thread that has ended holds is never given back'
        : isLivelock
          ? 'threads spin on values nobody is left to change'
          : 'the wake-up never comes'
  return {
    kind: isLivelock ? 'livelock' : 'deadlock',
    message: `${reason}: ${shown.map(describe).join('; ')}`,
    thread: first.thread,
    site: first.site,
    waits,
    ...(cycle.length > 0 ? { cycle } : {}),
  }
}

/** Threads in a circle, each waiting for the next; empty if there is none. */
function findCycle(waits: readonly Wait[]): number[] {
  const waitOf = new Map(waits.map((w) => [w.thread, w]))
  /** By thread: its place on the path, or -1 once nothing was found behind it. */
  const placeOf = new Map<number, number>()
  for (const { thread: first } of waits) {
    if (placeOf.has(first)) continue
    placeOf.set(first, 0)
    /** Each waits for the next; `next` says which of its holders is to be looked at. */
    const path = [first]
    const next = [0]
    while (path.length > 0) {
      const last = path.length - 1
      const { holders } = waitOf.get(path[last])!
      if (next[last] === holders.length) {
        placeOf.set(path.pop()!, -1)
        next.pop()
        continue
      }
      const holder = holders[next[last]++]
      const place = placeOf.get(holder)
      if (place !== undefined && place >= 0) return path.slice(place)
      if (place !== undefined || !waitOf.has(holder)) continue
      placeOf.set(holder, path.length)
      path.push(holder)
      next.push(0)
    }
  }
  return []
}
