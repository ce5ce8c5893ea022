import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../../execution/strategy.js'
import { optionOf } from '../../explain/guided-schedule.js'
import { SourceText } from '../../explain/source-text.js'
import { type FailureFile, placeOfSite } from '../../files/failure.js'
import { type Machine, THREAD_LIVE } from '../../machine/machine.js'
import { operations } from '../../machine/operation.js'

/** How places of the recorded program are found in the one at hand: by the text of the line, or the function alone. */
export type Likeness = 'line' | 'function'

/** Where a thread gave way: before doing something for the n-th time. */
interface Turn {
  readonly thread: string
  /** Null for the last turn: it goes on to the end. */
  readonly stop: { readonly key: string; readonly times: number } | null
  /** Alternatives taken in this turn where there were several, by name. */
  readonly values: readonly string[]
}

/**
 * Follows a schedule of another version of the program as far as it fits: each thread runs up to the operation before
 * which it was left, known by its function and line rather than by its number, and gives way there. A thread that never
 * gets there runs until it cannot go on.
 */
export class FittedSchedule implements Strategy {
  readonly name = 'fit'
  readonly footprints = false
  readonly script = emptyScript
  /** Turns that ended where the recorded ones did. */
  fitted = 0
  /** Of the places where threads are to be stopped, those that were found. */
  met = 0
  readonly turns: number
  /** Places where threads are to be stopped. */
  readonly stops: number
  private readonly plan: readonly Turn[]
  private readonly sources: SourceText
  private readonly done = new Map<string, number>()
  private at = 0
  private values: string[] = []

  constructor(
    file: FailureFile,
    private readonly machine: Machine,
    directory: string,
    private readonly likeness: Likeness,
  ) {
    this.sources = new SourceText(directory)
    this.plan = turnsOf(file, likeness)
    this.turns = this.plan.length
    this.stops = this.plan.filter(({ stop }) => stop !== null).length
    this.values = [...(this.plan[0]?.values ?? [])]
  }

  begin(): boolean {
    return true
  }

  choose(point: ChoicePoint): number {
    for (; this.at < this.plan.length; this.nextTurn()) {
      const { thread: name, stop } = this.plan[this.at]
      const thread = this.machine.threads.names.indexOf(name)
      const isLive = thread >= 0 && this.machine.pending.status[thread] === THREAD_LIVE
      const key = isLive ? `${name} ${this.keyOf(thread)}` : ''
      const times = this.done.get(key) ?? 0
      const isThere = stop !== null && key === `${name} ${stop.key}` && times === stop.times
      const option = isLive ? optionOf(point, thread) : -1
      if (isThere) this.met++
      if (isThere || (stop === null && option < 0)) this.fitted++
      if (isThere || option < 0) continue
      this.done.set(key, times + 1)
      return this.alternative(point, option, thread)
    }
    return Math.max(point.stay, 0)
  }

  private nextTurn(): void {
    this.at++
    this.values = [...(this.plan[this.at]?.values ?? [])]
  }

  end(): void {}

  save(): Saved {
    return {}
  }

  private alternative(point: ChoicePoint, first: number, thread: number): number {
    if (point.thread[first + 1] !== thread || first + 1 >= point.count) return first
    const wanted = this.values.shift()
    for (let i = first; i < point.count && point.thread[i] === thread; i++) {
      if (this.machine.alternativeName(thread, point.value[i]) === wanted) return i
    }
    return first
  }

  private keyOf(thread: number): string {
    const { pending, sites } = this.machine
    const site = sites[pending.site[thread]]
    const operation = operations[pending.kind[thread]].name
    return keyText(operation, site && placeOfSite(site, this.sources), site?.name, this.likeness)
  }
}

function keyText(
  operation: string,
  place: { function: string; text: string | null } | undefined,
  site: string | undefined,
  likeness: Likeness,
): string {
  if (likeness === 'function' || place === undefined) return `${operation} ${place?.function ?? ''}`
  return `${operation} ${place.function} ${place.text ?? site ?? ''}`
}

function turnsOf(file: FailureFile, likeness: Likeness): Turn[] {
  const { steps } = file.schedule
  const keys = steps.map((step) => {
    const place = step.site === undefined ? undefined : file.places?.[step.site]
    return keyText(step.operation, place, step.site, likeness)
  })
  const turns: Turn[] = []
  const done = new Map<string, number>()
  const timesAt = steps.map((step, i) => {
    const key = `${step.thread} ${keys[i]}`
    const times = done.get(key) ?? 0
    done.set(key, times + 1)
    return times
  })
  for (let start = 0; start < steps.length; ) {
    const { thread } = steps[start]
    let end = start
    while (end < steps.length && steps[end].thread === thread) end++
    const next = steps.findIndex((step, i) => i >= end && step.thread === thread)
    turns.push({
      thread,
      stop: next < 0 ? null : { key: keys[next], times: timesAt[next] },
      values: steps.slice(start, end).flatMap((step) => (step.value === undefined ? [] : [step.value])),
    })
    start = end
  }
  return turns
}
