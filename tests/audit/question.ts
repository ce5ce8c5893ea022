import { findStrategy } from '../../src/strategies/index.js'
import { orders, unpruned } from '../best-first/check.js'
import { Draw } from '../support/draw.js'
import { isScripts, type Subject } from './subject.js'

/** A search to be compared with brute force. Plain data: sent between processes. */
export interface Question {
  /** A strategy with its argument. */
  readonly strategy: string
  /** The PP set, as for `--preempt`. */
  readonly points: string
  /** Within this bound. */
  readonly bound?: number | undefined
  /** Saved, and read back in a fresh machine, after so many executions. */
  readonly interval?: number | undefined
}

/** As one would ask for it on the command line. */
export function nameOf({ strategy, points, bound, interval }: Question): string {
  const set = points === 'everywhere' ? '' : ` --preempt ${points}`
  return `${strategy}${set}${bound === undefined ? '' : ` --bound ${bound}`}${interval ? `, saved every ${interval}` : ''}`
}

const specOf = (order: string) => (order === '' ? 'best-first' : `best-first:${order}`)

/** Best-first search by each order. */
export const bestFirst: readonly string[] = [...orders, ...unpruned].map(specOf)

const reductions = ['optimal', 'source', 'dpor', 'icb']
const samplers = ['random', 'pct:3', 'rapos', 'pos', 'pos:strict', 'basic-pos', 'surw', 'surw:object']
const deepenings = ['deepen', 'deepen:pure', 'deepen:whole', 'auto']
const kinds = ['lock', 'unlock', 'release', 'sync', 'atomic']

/**
 * What a program is asked in a full audit: every reduction with points everywhere, and of the rest (orders of
 * best-first search, other PP sets, bounds, searches saved and resumed, deepening, samplers) a part that its number
 * decides, so that all of it comes up in the course of many programs.
 */
export function allQuestions(subject: Subject, seed: number): Question[] {
  const draw = Draw.fromSeed(seed ^ 0x51ed27)
  const everywhere = { points: 'everywhere' }
  const set = pointSet(subject, draw)
  const order = draw.of(bestFirst)
  const resumed = draw.of([...reductions, 'dpor:no-sleep', 'delay', order])
  return [
    ...reductions.map((strategy) => ({ strategy, ...everywhere })),
    { strategy: 'best-first', ...everywhere },
    { strategy: order, ...everywhere },
    { strategy: draw.of(['dpor:no-sleep', 'delay']), ...everywhere },
    { strategy: draw.of(['icb', 'delay', order]), ...everywhere, bound: draw.below(3) },
    ...[...reductions, order, 'delay'].map((strategy) => ({ strategy, points: set })),
    { strategy: draw.of(['icb', 'delay', order]), points: set, bound: draw.below(3) },
    {
      strategy: resumed,
      points: draw.of(['everywhere', set]),
      interval: (1 + draw.below(4)) * costOfMachine(subject),
    },
    ...(draw.below(4) === 0 ? [{ strategy: draw.of(deepenings), ...everywhere }] : []),
    ...(draw.below(3) === 0 ? [{ strategy: draw.of(samplers), points: draw.of(['everywhere', set]) }] : []),
  ]
}

/** A little of it, for every day: reductions with points everywhere and at a few places. */
export function fewQuestions(subject: Subject, seed: number): Question[] {
  const set = pointSet(subject, Draw.fromSeed(seed ^ 0x51ed27))
  return [
    ...chosenQuestions([...reductions, 'best-first'], ['everywhere']),
    ...chosenQuestions(['optimal', 'source', 'best-first:rand'], [set]),
  ]
}

/** In executions, roughly: a search that is resumed begins with a fresh machine. */
const costOfMachine = (subject: Subject) => (isScripts(subject) ? 100 : 1)

/** Some kinds of points, and some accesses. */
function pointSet(subject: Subject, draw: Draw): string {
  const some = kinds.filter(() => draw.below(3) === 0)
  const races: string[] = []
  for (const [thread, body] of Object.entries(isScripts(subject) ? {} : subject.threads)) {
    body.forEach((statement, i) => {
      if (['load', 'store', 'assert'].includes(statement.op) && draw.below(4) === 0)
        races.push(`race:${thread}:${i}`)
    })
  }
  return ['yield', ...some, ...(draw.below(2) === 0 ? races : [])].join(',')
}

/** Those that were asked for: strategies, PP sets and an interval; `orders` means best-first search by each. */
export function chosenQuestions(
  strategies: readonly string[],
  pointSets: readonly string[],
  bound?: number,
  interval?: number,
): Question[] {
  const specs = strategies.flatMap((spec) => (spec === 'orders' ? bestFirst : [spec]))
  for (const spec of specs) if (!deepenings.includes(spec)) findStrategy(spec)
  return pointSets.flatMap((points) => specs.map((strategy) => ({ strategy, points, bound, interval })))
}

/** Every complete strategy, every sampler, and of what there is no end to, so many draws. */
export function everyQuestion(subject: Subject, draws: number): Question[] {
  const complete = ['optimal', 'source', 'dpor', 'dpor:no-sleep', 'icb', 'delay', 'orders', ...deepenings]
  const drawn = Array.from({ length: draws }, (_, seed) => allQuestions(subject, seed)).flat()
  const all = [...chosenQuestions([...complete, ...samplers], ['everywhere']), ...drawn]
  return [...new Map(all.map((question) => [nameOf(question), question])).values()]
}
