import type { Outlook } from '../estimators/index.js'
import type { Saved } from '../execution/strategy.js'
import type { Minimality } from '../explain/minimise.js'
import type { Explanation } from '../files/explanation.js'
import type { BugKind } from '../machine/bug.js'
import type { RaceKind } from '../races/index.js'
import type { Moment } from '../runs/history.js'
import type { RaceKnowledge } from '../runs/race-knowledge.js'
import type { Incomplete, Verdict } from '../runs/verdict.js'

export type { Incomplete, Moment, RaceKnowledge, Verdict }

/** Changes when a field is renamed, removed or gets another meaning; not when one is added. */
export const reportFormat = 'faultline-report/2'

/** All that is said about a run: plain data, read by the writers. */
export interface Report {
  readonly program: string
  readonly verdict: Verdict
  readonly guarantee: string | null
  /** What the guarantee holds for: memory model, optimisation level, allocator. */
  readonly scope: readonly string[]
  /** What weakens the guarantee further. */
  readonly caveats: readonly string[]
  /** Of a run that did not complete what was asked for: the guarantee in few words. */
  readonly incomplete?: Incomplete
  readonly strategy: string
  readonly points: string
  readonly seed: number
  /** The search went on after the first bug. */
  readonly keepGoing: boolean
  readonly executions: number
  readonly blocked: number
  /** Cut at a limit of steps that was not the last one, and explored again. */
  readonly postponed: number
  /** Ended by an assumption of the program's own that did not hold; `stopped` in JSON. */
  readonly stoppedByAssume: number
  /** Executions that showed an ignored bug, by what it is ignored as. */
  readonly ignored: Readonly<Record<string, number>>
  readonly cut: number
  /** Threads that had not ended when the program did, at most in one execution, and their names in all. */
  readonly unfinished: number
  readonly unfinishedThreads: readonly string[]
  /** Of those: before the limit of steps. */
  readonly cutEarly: number
  readonly steps: number
  readonly seconds: number
  /** Where the time went, in seconds: compiling, exploring, and from beginning to end. */
  readonly time?: { readonly building: number; readonly exploring: number; readonly all: number }
  readonly phases: readonly PhaseReport[]
  /** What strategies say of themselves: by name, the data and a sentence for people. */
  readonly statistics: Readonly<Record<string, StatisticsReport>>
  /** What the search had still before it when it ended early; null when it did not, or nothing can be said. */
  readonly outlook: Outlook | null
  /** Of Iterative Deepening: the state spaces and how far each was explored. */
  readonly deepening?: DeepeningReport
  /** What went wrong with workers or with saving. */
  readonly problems: readonly string[]
  readonly bugs: readonly BugReport[]
  /** How races were looked for, if that was asked for. Some searches look for them of their own accord. */
  readonly raceDetector: RaceKind | null
  /** Places that race, in the order found. No bugs by themselves. */
  readonly races: readonly RaceReport[]
  /** The files that bugs and races name, as far as they could be read. */
  readonly files?: readonly SourceFile[]
  /** How the run went. */
  readonly history?: HistoryReport
  /** The first executions, for a picture, if there is to be one. */
  readonly sketch?: Sketch
}

/** A run over time. */
export interface HistoryReport {
  /** In order of time; those of a long run lie further apart. */
  readonly moments: readonly Moment[]
  /** The searches that were begun. */
  readonly searches: readonly SearchTimes[]
}

/** When workers were at a search. */
export interface SearchTimes {
  readonly title: string
  readonly strategy: string
  readonly points: string
  readonly status: JobReport['status']
  /** An execution of it failed. */
  readonly bug: boolean
  /** From and to, in seconds since the run began. */
  readonly times: readonly (readonly [number, number])[]
}

/** The first executions of the first search as a tree. */
export interface Sketch {
  readonly strategy: string
  /** Names for people, in the order of their first steps. */
  readonly threads: readonly string[]
  readonly executions: readonly SketchedExecution[]
  /** The search has no others. */
  readonly isWhole: boolean
}

export interface SketchedExecution {
  /** Index of the earlier execution that it is like for longest; -1 for the first. */
  readonly parent: number
  /** For how many steps. */
  readonly common: number
  /** Which thread takes how many steps from there on; very long executions are not told to their end. */
  readonly turns: readonly (readonly [number, number])[]
  /** All its steps. */
  readonly steps: number
  readonly end: 'passed' | 'failed' | 'redundant' | 'stopped' | 'cut'
}

export interface SourceFile {
  /** As everywhere else in the report. */
  readonly file: string
  /** Where it was when it was read. */
  readonly path: string
  readonly text: string
}

/** Two places in the source where threads touch the same object and nothing makes one wait for the other. */
export interface RaceReport {
  /** What is known of it, if state spaces were explored to the end to find out. */
  readonly known?: RaceKnowledge
  /** What both touch: `counter`, `byte 0 of block 1 of thread main`. */
  readonly object: string
  /** One sentence for people. */
  readonly message: string
  readonly sides: readonly [RaceSideReport, RaceSideReport]
  /** Seen with either of them first; otherwise only with the first of `sides` first. */
  readonly bothOrders: boolean
  /** Executions that showed it, by which of `sides` came first. */
  readonly seen: readonly [number, number]
  /** Number of the execution that showed it first. */
  readonly execution: number
  /** The very first execution of the run showed it. */
  readonly inFirstExecution: boolean
  /** The pairs of accesses behind it, by canonical names: `race:SITE@THREAD` is the point before one. */
  readonly pairs: readonly (readonly [string, string])[]
  /** With `--classify`, what it does: `spec-violated`, `output-differs`, `unknown`, `harmless` or `single-ordering`; and why. */
  readonly class?: string
  readonly why?: string
  /** Distinct pairs of executions that were compared and came to the same. */
  readonly witnesses?: number
  /** Two schedules for `faultline replay`, one for each order. */
  readonly evidence?: readonly string[]
}

export interface RaceSideReport {
  readonly location: string | null
  readonly function: string | null
  /** The line as written, if there is one to show. */
  readonly source: string | null
  /** Names for people of the threads that were seen there. */
  readonly threads: readonly string[]
  /** What it does there: `reads`, `writes`, `reads and writes`, `frees`; with `atomically` where it does. */
  readonly action: string
  /** Locks held there when the race was first seen; null if that could not be told. */
  readonly locks: readonly string[] | null
  /** Call stack of the first sighting, innermost first. */
  readonly stack: StackReport['frames']
}

/** See `StrategyStatistics`. */
export interface StatisticsReport extends Saved {
  readonly text: string
}

export interface DeepeningReport {
  readonly jobs: readonly JobReport[]
  /** Searches that got a share of the time. */
  readonly background: readonly BackgroundReport[]
}

/** One state space: the program under one PP set. */
export interface JobReport {
  readonly id: number
  readonly points: string
  readonly origin: 'seed' | 'maximal' | 'small' | 'big'
  readonly status: 'pending' | 'running' | 'suspended' | 'complete' | 'pruned' | 'crashed'
  readonly executions: number
  readonly seconds: number
  /** Part done, from 0 to 1: estimated unless complete. */
  readonly share: number
  /** Estimated; null while nothing is known. */
  readonly secondsLeft: number | null
  /** An execution of it failed. */
  readonly bug: boolean
  /** Why it was pruned, or given up; '' otherwise. */
  readonly reason: string
}

export interface BackgroundReport {
  readonly strategy: string
  readonly title: string
  readonly executions: number
  readonly seconds: number
  /** Of a bounded search: the largest bound explored completely, -1 for none, null if nothing was left out. */
  readonly completedBound?: number | null
}

/** One search of a run that makes several. */
export interface PhaseReport {
  readonly strategy: string
  readonly executions: number
  readonly blocked: number
  readonly seconds: number
}

export interface BugReport {
  readonly kind: BugKind
  readonly message: string
  /** `counter.c:12`, or the name of the place where there is no file; null when the program as a whole failed. */
  readonly location: string | null
  readonly function: string | null
  /** Canonical name of the thread that failed, or null. */
  readonly thread: string | null
  /** Its name for people, or null. */
  readonly threadLabel: string | null
  readonly preemptions: number
  /** Whether fewer preemptions would do. */
  readonly minimality: Minimality
  /** Preemptions of the schedule as it was found, before it was minimised. */
  readonly foundPreemptions: number
  /** The default schedule shows it as well. */
  readonly deterministic: boolean
  /** Number of the execution that showed it first; 1 means the default schedule of `auto` and `dfs`. */
  readonly execution: number
  /** How many executions showed it. */
  readonly count: number
  readonly strategy: string
  /** Of a bug found by Iterative Deepening: the PP set that exposed it, and whether a racing access was part of it. */
  readonly points?: string
  readonly neededRacePoint?: boolean
  /** Inputs of the program that were given or found, by name, as `--input` takes them: a number, `text:…` or `hex:…`. */
  readonly input?: Readonly<Record<string, string>>
  /** The arguments of a program that has inputs. */
  readonly args?: readonly string[]
  /** Its environment, where the input is part of it. */
  readonly environment?: Readonly<Record<string, string>>
  /** Path of the file that `faultline replay` takes. */
  readonly schedule: string
  /** What the program printed in the failing execution. */
  readonly output: string
  /** Why it fails, as far as could be shown. */
  readonly explanation: Explanation
  /** Where the failing thread was, and what else is to be seen. */
  readonly stacks: readonly StackReport[]
  readonly interleaving: Interleaving
  /** The same execution in every detail, step by step. */
  readonly walk: Walk
  /** An execution that passes and is otherwise as close as was found; null if none was. */
  readonly passing: Passing | null
  readonly waits: readonly WaitReport[]
  /** The source lines that failure and explanation name, if there are any to show. */
  readonly source: readonly SourceLine[]
}

export interface StackReport {
  /** `failed`, `allocated`, `freed`. */
  readonly title: string
  readonly thread: string | null
  /** Innermost first, the user's own code only. */
  readonly frames: readonly { readonly function: string; readonly location: string | null }[]
}

export interface SourceLine {
  readonly file: string
  readonly line: number
  readonly text: string
  /** The program failed there. */
  readonly isPlace: boolean
  /** The explanation names it. */
  readonly isExplained: boolean
}

export interface WaitReport {
  readonly thread: string
  readonly waitsFor: string
  readonly location: string | null
}

/** An execution as people read it: who ran, what they did, where they were interrupted. */
export interface Interleaving {
  /** Names for people, by column, in the order of canonical names. */
  readonly threads: readonly string[]
  readonly stretches: readonly Stretch[]
}

/** What one thread did without another in between. */
export interface Stretch {
  /** Column. */
  readonly thread: number
  readonly actions: readonly Action[]
  /** The thread could have gone on when the next stretch began. */
  readonly preempted: boolean
  /** Why another thread came next: `preempted`, `ends`, `yields`, `waits for mutex m`; null at the end. */
  readonly reason: string | null
}

export interface Action {
  /** `read`, `lock`, `choose → 2`, `waits for mutex m`. */
  readonly operation: string
  /** What it acts on: `counter`, `mutex m`, `worker (0.1)`; '' where there is nothing to name. */
  readonly object: string
  readonly file: string | null
  readonly line: number | null
  /** Name of the place where there is no line. */
  readonly place: string | null
  /** What the memory holds after it, where that is known. */
  readonly value?: string
  /** Number of the operation in the execution, from 0; null for the failure itself. */
  readonly step: number | null
  /** The execution failed here. */
  readonly failed?: boolean
}

/** An execution to walk through; `faultline replay --step` and the page number its steps from 1. */
export interface Walk {
  /** Names for people. */
  readonly threads: readonly string[]
  readonly steps: readonly WalkStep[]
  /** Call stacks, each once: steps refer to them. */
  readonly stacks: readonly StackReport['frames'][]
  /**
   * Which steps of one thread come right after which of another: they use the same object and conflict, or one thread
   * starts, wakes or joins the other.
   */
  readonly edges: readonly WalkEdge[]
}

export interface WalkStep {
  /** Index into `threads`. */
  readonly thread: number
  readonly operation: string
  readonly object: string
  readonly file: string | null
  readonly line: number | null
  /** `queue.c:41`, or the name of the place. */
  readonly location: string | null
  /** What the object holds afterwards, where that is known. */
  readonly value: string | null
  /** What a write or an update found there, where that is known. */
  readonly before: string | null
  /** Why this thread runs now and not the one before: null if it is the same. */
  readonly switched: Switch | null
  /** It failed here. */
  readonly failed: boolean
  /** The object is memory that only one thread uses. */
  readonly isPrivate: boolean
  /** Index into `stacks`. */
  readonly stack: number
  /** Locks that the thread holds before it, in the order taken. */
  readonly locks: readonly string[]
  /** Number of the operation in the execution, as in the interleaving; null for the failure itself. */
  readonly event: number | null
}

/** A change of threads. */
export interface Switch {
  /** `worker (0.1) is preempted`, `worker (0.1) waits for mutex m`. */
  readonly reason: string
  readonly isPreemption: boolean
  /** Of a preemption: which kind of point it is at. */
  readonly point: 'yield' | 'txn' | 'lock' | 'unlock' | 'sync' | 'atomic' | 'access' | null
  /** Of a preemption: what the thread before would have done next, `write counter`. */
  readonly next: string | null
  /** Index of the first step, before that one happens, that conflicts with it. */
  readonly conflict: number | null
}

export interface WalkEdge {
  /** Indexes of steps. */
  readonly from: number
  readonly to: number
  /** `thread`: one starts, ends or wakes the other. Otherwise both use an object, and which kind it is. */
  readonly kind: 'thread' | 'sync' | 'atomic' | 'memory'
}

/** An execution that passes. */
export interface Passing {
  readonly walk: Walk
  /** Steps at the beginning that both executions have in common. */
  readonly common: number
  readonly output: string
}
