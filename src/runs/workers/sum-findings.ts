import type { Saved } from '../../execution/strategy.js'
import type { Machine } from '../../machine/machine.js'
import { RaceTable } from '../../races/index.js'
import { findStrategy } from '../../strategies/index.js'
import { addCounters, noCounters, ranIn, union } from '../counters.js'
import { type Findings, type FoundBug, isSameBug, type OperationsSeen } from './messages.js'

/** What several assignments that share a search have shown. */
export function sumFindings(machine: Machine, all: readonly Findings[], strategy: string): Findings {
  const races = new RaceTable(machine)
  for (const findings of all) races.merge(findings.races ?? [])
  const confirmed = all.flatMap((f) => f.confirmed ?? [])
  return {
    counters: all.reduce((sum, { counters }) => addCounters(sum, counters), noCounters),
    coarse: all.some((f) => f.coarse),
    longSites: all.reduce<readonly string[]>((sites, f) => union(sites, f.longSites), []),
    operations: all.map((f) => f.operations).reduce(sumOperations, noOperations),
    ...(all.some((f) => f.races) ? { races: races.toData() } : {}),
    ...(confirmed.length > 0 ? { confirmed: [...new Set(confirmed)] } : {}),
    ...sumStatistics(all, strategy),
    bugs: all.flatMap((f) => f.bugs).reduce<FoundBug[]>(addBug, []),
  }
}

/** Of strategies that can put together what they say of themselves; those that have run nothing yet say nothing. */
function sumStatistics(all: readonly Findings[], strategy: string): Pick<Findings, 'statistics'> {
  const own = findStrategy(strategy).entry.statistics
  if (own?.sum === undefined) return {}
  const ran = all.filter(({ counters }) => ranIn(counters) > 0)
  const data = own.sum(ran.map(({ statistics }) => statistics?.[own.name] as Saved | undefined))
  return data ? { statistics: { [own.name]: data } } : {}
}

const noOperations: OperationsSeen = {
  kindsSeen: 0,
  needsRelease: false,
  hasFreed: false,
  hasWaited: false,
  watched: [],
}

function sumOperations(a: OperationsSeen, b: OperationsSeen): OperationsSeen {
  return {
    kindsSeen: a.kindsSeen | b.kindsSeen,
    needsRelease: a.needsRelease || b.needsRelease,
    hasFreed: a.hasFreed || b.hasFreed,
    hasWaited: a.hasWaited || b.hasWaited,
    watched: [
      ...a.watched,
      ...b.watched.filter((w) => !a.watched.some((v) => v.site === w.site && v.thread === w.thread)),
    ],
  }
}

/** One entry per kind and place, with a schedule of fewest preemptions. */
function addBug(bugs: FoundBug[], bug: FoundBug): FoundBug[] {
  const i = bugs.findIndex((known) => isSameBug(known, bug))
  if (i < 0) return [...bugs, bug]
  const count = bugs[i].count + bug.count
  return bugs.with(i, { ...(bug.preemptions < bugs[i].preemptions ? bug : bugs[i]), count })
}
