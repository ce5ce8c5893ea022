import type { Bug } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { everywhere, type PointSet } from '../machine/points.js'
import { type RaceKind, type RaceOptions, raceKinds } from '../races/index.js'
import { type RaceClass, raceClasses, worstOf } from './classes.js'
import { type Cluster, clusterPairs } from './cluster.js'
import type { OutputOrder } from './compare-outputs.js'
import { findReported, type Sought } from './directed.js'
import { type FindOptions, type Found, findRaces, type Pair } from './find.js'
import { type Judgement, judge } from './judge.js'
import type { ReportedRace } from './reported-race.js'
import { type Outcome, Trials } from './trials.js'

export interface ClassifyOptions {
  /** Detectors whose races count; all unless given. */
  readonly kinds?: readonly RaceKind[]
  /** Executions in which races are looked for. */
  readonly executions?: number
  readonly maxSteps?: number | undefined
  /** Mp and Ma. */
  readonly primaries?: number
  readonly alternates?: number
  readonly output?: OutputOrder
  readonly seed?: number
  readonly points?: PointSet
  readonly races?: RaceOptions
  /** Variables whose races are left out. */
  readonly ignoredObjects?: readonly string[]
  /** Only these, which somebody else reported. */
  readonly reported?: readonly ReportedRace[] | undefined
  /** Only those that there are because of the synchronisation left out (`Platform.whatIf`). */
  readonly opened?: boolean
  /** Asked now and then while looking for races; true goes on to what is known by then. */
  readonly searchUntil?: () => boolean
  /** Asked now and then; true ends everything that is still to be done. */
  readonly outOfTime?: () => boolean
  readonly isOverdue?: () => boolean
}

/** As in the paper: 5 primary executions, 2 alternates of each besides the one that goes on as it did. */
export const defaults = {
  executions: 400,
  primaries: 5,
  alternates: 2,
  output: 'ordered' as OutputOrder,
  seed: 1,
}

/** One race, and what it does. */
export interface Classified {
  /** Of a race that somebody else reported. */
  readonly sought?: Sought
  readonly cluster: Cluster
  readonly class: RaceClass
  /** What decided it: the judgement of one of its pairs. */
  readonly judgement: Judgement
  readonly decidedBy: Pair
  /** Of all its pairs together. */
  readonly witnesses: number
  readonly bothFail: number
  readonly inconclusive: number
  readonly primaries: number
}

export interface Classification {
  readonly races: readonly Classified[]
  /** Reported places of which nothing was seen. */
  readonly unseen: readonly Sought[]
  /** With `opened`: pairs of accesses that race without the change, too, and are left out. */
  readonly otherPairs: number
  readonly found: Found
  /** Executions that failed, one for each bug: those of the search and of what was tried. */
  readonly failures: readonly Outcome[]
  /** Executions of attempts, apart from the search. */
  readonly trials: number
}

/** Pairs of one race that are tried; of more, each pair of sites and threads is much like another. */
const mostPairs = 16

/** Finds the races of a program and says what each does. */
export function classifyRaces(machine: Machine, options: ClassifyOptions = {}): Classification {
  const before = machine.points
  try {
    return classify(machine, options)
  } finally {
    machine.usePoints(before)
  }
}

function classify(machine: Machine, given: ClassifyOptions): Classification {
  const options = { ...defaults, ...given }
  const outOfTime = options.outOfTime ?? (() => false)
  const searching: FindOptions = {
    kinds: options.kinds ?? raceKinds(),
    points: options.points ?? everywhere,
    seed: options.seed,
    executions: options.executions,
    maxSteps: options.maxSteps,
    ...(options.races === undefined ? {} : { races: options.races }),
    outOfTime: options.searchUntil ?? outOfTime,
    isOverdue: options.isOverdue,
  }
  const { reported } = options
  const before = options.opened ? racesWithSynchronisation(machine, searching) : null
  const { found, sought } = reported
    ? findReported(machine, reported, searching)
    : { found: findRaces(machine, searching), sought: [] }
  const trials = new Trials(machine, options.isOverdue)
  const failures = [...found.failures]
  const judgeOptions = { ...options, outOfTime, movesLocks: true }
  const judgeAll = (cluster: Cluster) => {
    const judged: { pair: Pair; judgement: Judgement }[] = []
    for (const pair of cluster.pairs.slice(0, mostPairs)) {
      const judgement = judge(trials, pair, found.isComplete, judgeOptions)
      judged.push({ pair, judgement })
      noteFailures(judgement, failures)
      if (judgement.class === 'spec-violated') break
    }
    return together(cluster, judged)
  }
  const isOpened = (key: string) => before === null || !before.has(key)
  const pairs = [...found.pairs].filter(([, { object }]) => !isPartOf(object, options.ignoredObjects))
  const opened = pairs.filter(([key]) => isOpened(key)).map(([, pair]) => pair)
  const clusters = reported
    ? sought.filter((one) => one.pairs.length > 0).map((one) => ({ pairs: one.pairs, sought: one }))
    : clusterPairs(machine, opened)
  const races = clusters.map(judgeAll)
  for (const one of sought) {
    if (one.pairs.length > 0 || one.conflict === null) continue
    const judgement = judge(trials, one.conflict, found.isComplete, { ...judgeOptions, movesLocks: false })
    races.push(neverRacing(one, one.conflict, judgement))
  }
  const unseen = sought.filter(({ pairs, conflict }) => pairs.length === 0 && conflict === null)
  const otherPairs = pairs.length - opened.length
  return { races: inOrder(races), unseen, otherPairs, found, failures, trials: trials.count }
}

/** Keys of the pairs that race in the program as it is, nothing being left out. */
function racesWithSynchronisation(machine: Machine, searching: FindOptions): ReadonlySet<string> {
  const { whatIf = '' } = machine.platform?.settings ?? {}
  machine.platform?.use({ whatIf: '' })
  try {
    return new Set(findRaces(machine, searching).pairs.keys())
  } finally {
    machine.platform?.use({ whatIf })
  }
}

/**
 * A reported pair that both threads executed on one object without racing. If the one cannot go on while the other is held
 * back, only one order is possible from there; otherwise nothing is known but that no race was seen.
 */
function neverRacing(sought: Sought, pair: Pair, judgement: Judgement): Classified {
  const isSingle = judgement.class === 'single-ordering'
  const said: Judgement = isSingle ? judgement : { ...judgement, class: 'unknown', reason: 'never-seen' }
  return { ...together({ pairs: [pair] }, [{ pair, judgement: said }]), sought }
}

/** Whether an object is one of some variables, or a part of it. */
function isPartOf(object: string, names: readonly string[] = []): boolean {
  return names.some(
    (name) => object === name || ['+', '[', '.'].some((part) => object.startsWith(name + part)),
  )
}

function noteFailures({ comparison }: Judgement, failures: Outcome[]): void {
  for (const outcome of comparison === null ? [] : [comparison.primary, comparison.alternate]) {
    if (outcome.bug !== null && !failures.some(({ bug }) => isSame(bug!, outcome.bug!)))
      failures.push(outcome)
  }
}

function isSame(a: Bug, b: Bug): boolean {
  return a.kind === b.kind && a.site === b.site && (a.site >= 0 || a.message === b.message)
}

/** What the pairs of one race do together. */
function together(cluster: Cluster, judged: readonly { pair: Pair; judgement: Judgement }[]): Classified {
  const name = worstOf(judged.map(({ judgement }) => judgement.class))
  const { pair, judgement } = judged.find((one) => one.judgement.class === name)!
  const sum = (key: 'bothFail' | 'inconclusive' | 'primaries') =>
    judged.reduce((total, one) => total + one.judgement[key], 0)
  return {
    cluster,
    ...(cluster.sought === undefined ? {} : { sought: cluster.sought }),
    class: name,
    judgement,
    decidedBy: pair,
    witnesses: new Set(judged.flatMap((one) => [...one.judgement.keys])).size,
    bothFail: sum('bothFail'),
    inconclusive: sum('inconclusive'),
    primaries: sum('primaries'),
  }
}

/** Harmful ones first; otherwise as found. */
function inOrder(races: readonly Classified[]): Classified[] {
  return raceClasses.flatMap((name) => races.filter((race) => race.class === name))
}
