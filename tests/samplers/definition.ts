import type { Machine } from '../../src/machine/machine.js'
import { Mode, operations } from '../../src/machine/operation.js'
import { following, type Option, type Recording, record } from '../contract/recording.js'
import {
  above,
  add,
  constant,
  integral,
  isZero,
  one,
  type Polynomial,
  type Rational,
  rational,
  times,
  timesRest,
  zero,
} from './rational.js'

/**
 * The probability of every schedule of a program of two threads under the samplers as the paper defines them, in exact
 * fractions. Knows nothing of the strategies: only what the machine shows.
 */

/** Schedules as words over thread names, `0 0 1 0`. */
export type Distribution = ReadonlyMap<string, Rational>

interface Moment {
  /** Threads that can run. */
  readonly enabled: readonly number[]
  /** Whether the pending operations of the two threads race: same object, not both reads. */
  readonly racing: boolean
}

/** What the machine shows after each sequence of choices; null at the end. */
class Tree {
  private readonly known = new Map<string, Moment | null>()

  constructor(private readonly machine: Machine) {}

  at(path: readonly number[]): Moment | null {
    const key = path.join(' ')
    const known = this.known.get(key)
    if (known !== undefined) return known
    let moment: Moment | null = null
    const { machine } = this
    const choices = path.map((t) => ({ name: String(t), alternative: '0' }))
    record(machine, following(choices), {
      withoutStops: true,
      onStop: (options, steps) => {
        if (steps.length === path.length && options.length > 0) moment = look(machine, options)
      },
    })
    this.known.set(key, moment)
    return moment
  }
}

function look(machine: Machine, options: readonly Option[]): Moment {
  const { kind, location, status } = machine.pending
  const modes = [0, 1].map((t) => operations[kind[t]].mode)
  const bothPending = status[0] === 1 && status[1] === 1 && location[0] >= 0
  return {
    enabled: [...new Set(options.map((o) => o.thread))],
    racing: bothPending && location[0] === location[1] && !modes.every((mode) => mode === Mode.read),
  }
}

/** Any thread that can run, all equally likely. */
export function randomWalk(machine: Machine): Distribution {
  const tree = new Tree(machine)
  const result = new Map<string, Rational>()
  const visit = (path: readonly number[], probability: Rational): void => {
    const moment = tree.at(path)
    if (moment === null) {
      result.set(path.join(' '), probability)
      return
    }
    const each = times(probability, rational(1, moment.enabled.length))
    for (const thread of moment.enabled) visit([...path, thread], each)
  }
  visit([], one)
  return result
}

/**
 * Every pending operation has a priority, uniform between 0 and 1; the highest that can run does. With `reassign` the
 * other one draws again if it races with what ran.
 *
 * At each moment one of the two has just drawn (is uniform, whatever happened), and what happened says something of
 * the priority of the other: `density`, whose integral is the probability of having come here.
 */
export function priorities(machine: Machine, { reassign }: { readonly reassign: boolean }): Distribution {
  const tree = new Tree(machine)
  const result = new Map<string, Rational>()
  const visit = (path: readonly number[], older: number, density: Polynomial): void => {
    const moment = tree.at(path)
    const probability = integral(density)
    if (isZero(probability)) return
    if (moment === null) {
      result.set(path.join(' '), probability)
      return
    }
    const younger = 1 - older
    const { enabled, racing } = moment
    const go = (ran: number, others: Polynomial) => {
      const again = reassign && racing
      visit([...path, ran], 1 - ran, again ? constant(integral(others)) : others)
    }
    if (enabled.length === 2) {
      // The older has q, the younger draws above it, or below.
      go(younger, timesRest(density))
      go(older, above(density))
    } else if (enabled[0] === younger) go(younger, density)
    else go(older, constant(probability))
  }
  visit([], 0, constant(one))
  return result
}

/** Sums the probabilities of the schedules that come to the same. */
export function grouped(
  machine: Machine,
  distribution: Distribution,
  tell: (recording: Recording) => string,
): Distribution {
  const groups = new Map<string, Rational>()
  for (const [schedule, probability] of distribution) {
    const choices = schedule.split(' ').map((name) => ({ name, alternative: '0' }))
    const key = tell(record(machine, following(choices), { withoutStops: true }))
    groups.set(key, add(groups.get(key) ?? zero, probability))
  }
  return groups
}
