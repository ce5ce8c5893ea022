import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { recordSchedule, type Schedule, scheduleDigest } from '../execution/schedule.js'
import { SourceText } from '../explain/source-text.js'
import { evidencePaths, writeEvidence } from '../files/evidence.js'
import { failurePath, placeOfSite, writeFailure } from '../files/failure.js'
import type { LoadedProgram, Recipe } from '../frontends/front-end.js'
import { type Bug, sameBug } from '../machine/bug.js'
import type { Machine, Output } from '../machine/machine.js'
import { notExplained } from '../reports/build/explanation.js'
import { reportRaces } from '../reports/build/races.js'
import type { RaceSideReport } from '../reports/report.js'
import { memoryModelOf } from '../strategies/memory-models.js'
import { count } from '../words/words.js'
import { raceClasses } from './classes.js'
import type { Classification, Classified } from './classify.js'
import { placeOf, recordOf } from './cluster.js'
import { compareOutputs, type OutputOrder } from './compare-outputs.js'
import type { Sought } from './directed.js'
import type { Found } from './find.js'
import {
  type ClassifiedRace,
  type ConsequentBug,
  type PrintedPiece,
  type RacesBug,
  type RacesReport,
  racesFormat,
} from './report.js'
import { placeText } from './reported.js'
import { type Outcome, Trials } from './trials.js'
import { ordersOf, whyText } from './why.js'

export interface RacesReportOptions {
  readonly program: LoadedProgram
  readonly recipe: Recipe
  /** What paths of the recipe and of `outFolder` are relative to. */
  readonly directory: string
  readonly outFolder: string
  readonly output: OutputOrder
  readonly seed: number
  readonly seconds: number
  readonly isOutOfTime: boolean
}

/** Writes the evidence to files and says all that is known. */
export function reportClassification(
  classification: Classification,
  options: RacesReportOptions,
): RacesReport {
  const { found, failures, trials } = classification
  const reported = [
    ...classification.races.map((race) => ({ race, report: reportRace(race, classification, options) })),
    ...classification.unseen.map((sought) => ({ race: null, report: reportUnseen(sought, found) })),
  ].sort((a, b) => raceClasses.indexOf(a.report.class) - raceClasses.indexOf(b.report.class))
  const races = reported.map(({ report }) => report)
  const counts = Object.fromEntries(
    raceClasses.map((name) => [name, races.filter((race) => race.class === name).length]),
  ) as RacesReport['counts']
  return {
    format: racesFormat,
    program: options.recipe.files.join(' '),
    memoryModel: memoryModelOf(options.program.machine),
    whatIf: options.recipe.whatIf ?? null,
    otherPairs: classification.otherPairs,
    output: options.output,
    seed: options.seed,
    executions: found.executions,
    trials,
    isComplete: found.isComplete,
    isOutOfTime: options.isOutOfTime,
    seconds: options.seconds,
    counts,
    races,
    bugs: failures.map((failure) =>
      reportBug(
        failure,
        reported.map(({ race }) => race),
        options,
      ),
    ),
  }
}

function reportRace(
  race: Classified,
  { found }: Classification,
  options: RacesReportOptions,
): ClassifiedRace {
  const { machine } = options.program
  const { cluster, judgement } = race
  const { object } = cluster.pairs[0]
  const records = cluster.pairs.map((pair) => ({ ...recordOf(machine, pair), object }))
  const [report] = reportRaces(records, machine, options.directory, { looksAgain: true })
  const orders = ordersOf(machine, race)
  const why = `${whyText(machine, race, found.isComplete, found.executions)}.`
  return {
    ...report,
    class: race.class,
    reason: judgement.reason,
    why,
    count: cluster.pairs.length,
    witnesses: race.witnesses,
    primaries: race.primaries,
    bothFail: race.bothFail,
    inconclusive: race.inconclusive,
    reported: race.sought?.index ?? null,
    isSeen: cluster.pairs.some((pair) => pair.seenBy.size > 0),
    consequence: consequenceOf(race, options),
    evidence: judgement.comparison === null ? [] : evidenceOf(race, orders, why, object, options),
    orders,
  }
}

/** A race that was reported to us, and of which nothing was seen. */
function reportUnseen({ index, reported, places, sites, executed }: Sought, found: Found): ClassifiedRace {
  const names = places.map(placeText)
  const missing = names.filter((_, k) => sites[k].length === 0)
  const never = names.filter((_, k) => sites[k].length > 0 && !executed[k])
  const tried = found.isComplete ? `all ${found.executions} schedules` : count(found.executions, 'execution')
  const why =
    missing.length > 0
      ? `the program has no access at ${missing.join(' or ')}`
      : never.length > 0
        ? `${never.join(' and ')} ${never.length > 1 ? 'were' : 'was'} not executed`
        : 'no two threads used the same object there'
  const message = `The pair was never seen to race in ${tried}, half of them with points at these places: ${why}.`
  const sides = reported.sides.map(
    ({ operation }, k): RaceSideReport => ({
      location: names[k],
      function: places[k].function,
      source: null,
      threads: [],
      action: operation,
      locks: null,
      stack: [],
    }),
  )
  return {
    object: 'unknown object',
    message,
    sides: [sides[0], sides[1]],
    bothOrders: false,
    seen: [0, 0],
    execution: 0,
    inFirstExecution: false,
    pairs: [],
    class: 'unknown',
    reason: 'never-seen',
    why: message,
    count: 0,
    witnesses: 0,
    primaries: 0,
    bothFail: 0,
    inconclusive: 0,
    reported: index,
    isSeen: false,
    consequence: null,
    evidence: [],
    orders: [],
  }
}

/** Records both executions, so that they can be replayed anywhere. */
function evidenceOf(
  { judgement, class: name }: Classified,
  orders: readonly [string, string],
  why: string,
  object: string,
  { program, recipe, directory, outFolder }: RacesReportOptions,
): [string, string] {
  const { primary, alternate } = judgement.comparison!
  const [first, second] = [primary, alternate].map((outcome) => scheduleOf(program.machine, outcome))
  // One execution can show two races: its schedule alone is no name for a file.
  const pair = createHash('sha256').update(
    `${orders.join()} ${scheduleDigest(first)} ${scheduleDigest(second)}`,
  )
  const paths = evidencePaths(outFolder, recipe.files[0], pair.digest('hex').slice(0, 10))
  const write = (k: 0 | 1, schedule: typeof first, { bug, outputs }: Outcome) =>
    writeEvidence(
      paths[k],
      {
        recipe,
        race: { class: name, object, order: orders[k], why },
        shows: {
          bug: bug && { kind: bug.kind, message: bug.message },
          output: textOf(outputs),
        },
        other: basename(paths[1 - k]),
        schedule,
      },
      directory,
    )
  write(0, first, primary)
  write(1, second, alternate)
  return paths
}

function scheduleOf(machine: Machine, { choices, points }: Outcome): Schedule {
  machine.usePoints(points)
  return recordSchedule(machine, choices.thread, choices.value, points)
}

function textOf(outputs: readonly Output[]): string {
  return outputs.map(({ text }) => text).join('\n')
}

function consequenceOf({ judgement, class: name }: Classified, options: RacesReportOptions) {
  const { machine } = options.program
  const { comparison } = judgement
  if (comparison === null) return null
  if (name === 'spec-violated') {
    const bugs = [comparison.primary.bug, comparison.alternate.bug].map(
      (bug) => bug && describeBug(machine, bug),
    )
    return { kind: 'bug' as const, bugs }
  }
  return name === 'output-differs' ? differenceOf(comparison, options) : null
}

/** Runs both executions once more, to see the stacks of what they print. */
function differenceOf(
  { primary, alternate }: { readonly primary: Outcome; readonly alternate: Outcome },
  { program, output }: RacesReportOptions,
) {
  const { machine } = program
  machine.usePoints(primary.points)
  const { inspection } = machine
  if (inspection) inspection.keepsStacks = true
  try {
    const trials = new Trials(machine)
    const outputs = [primary, alternate].map(({ choices }) => trials.repeat(choices).outputs)
    const difference = compareOutputs(outputs[0], outputs[1], output)
    if (difference === null) return null
    const { stream, index, first, second } = difference
    const printed = [first, second].map((piece) => piece && describeOutput(machine, piece))
    return { kind: 'output' as const, stream, index, printed }
  } finally {
    if (inspection) inspection.keepsStacks = false
  }
}

function describeOutput(machine: Machine, { text, thread, site, frames }: Output): PrintedPiece {
  const place = machine.sites[site]
  const all = frames ?? (place === undefined ? [] : [place, ...(place.inlined ?? [])])
  const own = all.filter((frame) => !('isLibrary' in frame && frame.isLibrary))
  const stack = (own.length > 0 ? own : all).map((frame) => ({
    function: frame.function,
    location: frame.file && frame.line ? `${frame.file}:${frame.line}` : null,
  }))
  return {
    text,
    thread: thread < 0 ? '' : machine.threads.labelOf(thread),
    location: stack[0]?.location ?? place?.name ?? null,
    stack,
  }
}

function describeBug(machine: Machine, { kind, message, site }: Bug): ConsequentBug {
  const place = machine.sites[site]
  return { kind, message, location: place === undefined ? null : placeOf(machine, place.name) }
}

/** A failure, in a file of its own: whoever replays it needs no race for that. */
function reportBug(
  outcome: Outcome,
  races: readonly (Classified | null)[],
  { program, recipe, directory, outFolder }: RacesReportOptions,
): RacesBug {
  const { machine } = program
  const { bug, choices } = outcome
  const schedule = scheduleOf(machine, outcome)
  const path = failurePath(outFolder, recipe.files[0], bug!.kind, schedule)
  const described = describeBug(machine, bug!)
  const site = machine.sites[bug!.site]
  const preemptions = new Trials(machine).preemptionsOf(choices)
  writeFailure(
    path,
    machine,
    {
      recipe,
      schedule,
      bug: {
        ...described,
        place: site ? placeOfSite(site, new SourceText(directory)) : null,
        preemptions,
        minimality: 'unknown',
        foundPreemptions: preemptions,
        deterministic: false,
        explanation: notExplained,
      },
    },
    directory,
  )
  const toBlame = races.flatMap((race, i) => {
    const comparison = race?.judgement.comparison
    if (race?.class !== 'spec-violated' || !comparison) return []
    const bugs = [comparison.primary.bug, comparison.alternate.bug]
    return bugs.some((other) => other !== null && sameBug(other, bug!)) ? [i] : []
  })
  return { ...described, preemptions, schedule: path, races: toBlame }
}
