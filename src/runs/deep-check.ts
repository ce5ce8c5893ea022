import type { Runner } from '../execution/runner.js'
import type { Strategy } from '../execution/strategy.js'
import type { Machine } from '../machine/machine.js'
import { isEverywhere } from '../machine/points.js'
import { happensBefore, stepsConflict, stepsOf } from '../ordering/definition.js'
import { Fingerprint } from '../ordering/fingerprint.js'
import { HappensBefore } from '../ordering/happens-before.js'
import { brokenInvariant } from './search-invariants.js'

/** A reduction does not do what it must: a fault of ours. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant'
}

/**
 * `--self-check deep`: what every reduction rests on, looked at after every execution.
 *
 * - The clocks, kept as a search keeps them (forth, and back to where the next execution leaves the last one), order
 *   two transitions exactly when the definition does.
 * - What is recorded as a race is one: two threads, transitions that conflict.
 * - Sleep sets and wakeup trees are what they have to be: see `search-invariants.ts`.
 * - `optimal` comes to each class once, and gives no execution up. That is only so where transitions do what they announce
 *   and no more, and for executions that come to their end: after one that fails, is cut or assumes in
 *   vain, classes are not counted any more.
 */
export class DeepCheck {
  private readonly hb: HappensBefore
  private readonly fingerprint: Fingerprint
  private readonly classes = new Map<string, number>()
  private countsClasses: boolean
  private schedule: readonly number[] = []
  private execution = 0

  constructor(
    private readonly machine: Machine,
    private readonly name: string,
    private readonly strategy: Strategy,
  ) {
    this.hb = new HappensBefore(machine)
    this.fingerprint = new Fingerprint(machine)
    this.countsClasses = name === 'optimal' && isEverywhere(machine.points) && !machine.isCompound
  }

  /** Called when an execution has ended. */
  check(runner: Runner): void {
    this.execution++
    this.checkClocks(runner)
    const broken = brokenInvariant(this.strategy.save(), this.machine.isCompound === 'transactions')
    if (broken !== null) this.broken(broken)
    if (this.countsClasses) this.checkClass(runner)
  }

  private checkClocks({ trace }: Runner): void {
    const { hb, machine } = this
    const schedule = Array.from({ length: trace.length }, (_, d) => [trace.thread[d], trace.value[d]]).flat()
    let shared = 0
    while (shared < Math.min(hb.depth, trace.length) && this.sameChoice(schedule, shared)) shared++
    this.schedule = schedule
    hb.truncate(shared)
    const steps = stepsOf(trace)
    const before = happensBefore(machine.locations, steps)
    for (let b = shared; b < steps.length; b++) {
      hb.add(trace)
      for (let a = 0; a < b; a++) {
        if (hb.ordered(a, b) !== before[a][b])
          this.broken(
            `steps ${a + 1} and ${b + 1} are ${before[a][b] ? '' : 'not '}ordered, the clocks say otherwise`,
          )
      }
      for (const a of hb.races.subarray(0, hb.raceCount)) {
        if (steps[a].thread === steps[b].thread || !stepsConflict(machine.locations, steps[a], steps[b]))
          this.broken(`steps ${a + 1} and ${b + 1} are taken for a race`)
      }
    }
  }

  private sameChoice(schedule: readonly number[], d: number): boolean {
    return schedule[2 * d] === this.schedule[2 * d] && schedule[2 * d + 1] === this.schedule[2 * d + 1]
  }

  private checkClass({ trace, status, bug }: Runner): void {
    if (status === 'blocked') this.broken('it was given up: what it would have shown is elsewhere, too')
    if (bug !== null || status !== 'completed' || this.machine.assumptionFailed) {
      this.countsClasses = false
      return
    }
    const text = this.fingerprint.of(trace, status)
    const earlier = this.classes.get(text)
    if (earlier !== undefined) this.broken(`it is of the class of execution ${earlier}`)
    this.classes.set(text, this.execution)
  }

  private broken(what: string): never {
    throw new BrokenInvariant(`${this.name}, execution ${this.execution}: ${what}`)
  }
}
