import type { MemoryModel } from '../machine/platform.js'
import type { RaceReport, StackReport } from '../reports/report.js'
import type { RaceClass } from './classes.js'
import type { OutputOrder } from './compare-outputs.js'
import type { Reason } from './judge.js'

/** Changes when a field is renamed, removed or gets another meaning; not when one is added. */
export const racesFormat = 'faultline-races/1'

/** All that is said about the races of a program: plain data. */
export interface RacesReport {
  readonly format: typeof racesFormat
  readonly program: string
  /** What classes hold under. */
  readonly memoryModel: MemoryModel
  /** The line whose synchronisation was left out; null: none was. Only the races that this opens are told then. */
  readonly whatIf: string | null
  /** Pairs of accesses that race all the same, nothing being left out: not among `races`. */
  readonly otherPairs: number
  /** How outputs were compared. */
  readonly output: OutputOrder
  readonly seed: number
  /** Executions in which races were looked for, and those run to find out what they do. */
  readonly executions: number
  readonly trials: number
  /** Every schedule was run in the search. */
  readonly isComplete: boolean
  readonly isOutOfTime: boolean
  readonly seconds: number
  /** How many races there are of each class. */
  readonly counts: Readonly<Record<RaceClass, number>>
  /** Harmful ones first. */
  readonly races: readonly ClassifiedRace[]
  /** Each once, whether a race is to blame for it or not. */
  readonly bugs: readonly RacesBug[]
  /** How many inputs of the program were looked at, if they were explored. */
  readonly inputs?: number
  /** Others are known that decide otherwise. */
  readonly hasMoreInputs?: boolean
}

/** A race, and what it does. */
export interface ClassifiedRace extends Omit<RaceReport, 'class'> {
  readonly class: RaceClass
  /** What the class rests on. */
  readonly reason: Reason
  /** One paragraph for people. */
  readonly why: string
  /** Pairs of threads and objects that this race stands for. */
  readonly count: number
  /** Distinct pairs of executions that were compared and came to the same. */
  readonly witnesses: number
  /** Executions from which the other order was tried. */
  readonly primaries: number
  /** Pairs of executions that failed alike, and pairs of which one did not end. */
  readonly bothFail: number
  readonly inconclusive: number
  /** Its place among the races that were to be looked for, if somebody else reported it. */
  readonly reported: number | null
  /** A detector saw it; false for a pair that somebody else reported and that was never seen to race. */
  readonly isSeen: boolean
  /** What it leads to, for those that do harm. */
  readonly consequence: BugConsequence | OutputConsequence | null
  /** Two schedules for `faultline replay`: with the accesses in the order of `orders[0]`, and of `orders[1]`. */
  readonly evidence: readonly string[]
  readonly orders: readonly string[]
  /** The input for which it does that, by name, as `--input` takes it; and how many inputs showed the race. */
  readonly input?: Readonly<Record<string, string>>
  readonly inputs?: number
}

/** What fails, by index of the schedule in `evidence`; null where that one does not. */
export interface BugConsequence {
  readonly kind: 'bug'
  readonly bugs: readonly (ConsequentBug | null)[]
}

export interface ConsequentBug {
  readonly kind: string
  readonly message: string
  readonly location: string | null
}

/** The first difference, by index of the schedule in `evidence`; null where nothing is printed there. */
export interface OutputConsequence {
  readonly kind: 'output'
  readonly stream: string
  /** Number of the piece, from 0. */
  readonly index: number
  readonly printed: readonly (PrintedPiece | null)[]
}

export interface PrintedPiece {
  readonly text: string
  readonly thread: string
  readonly location: string | null
  readonly stack: StackReport['frames']
}

export interface RacesBug extends ConsequentBug {
  readonly preemptions: number
  /** Path of the file that `faultline replay` takes. */
  readonly schedule: string
  /** Indexes of the races that lead to it; none if no order of two accesses was found that makes the difference. */
  readonly races: readonly number[]
  /** The input that it takes, if inputs were explored. */
  readonly input?: Readonly<Record<string, string>>
}
