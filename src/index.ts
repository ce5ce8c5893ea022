/**
 * Faultline as a library. The command line is `faultline check`; from here programs of one's own can be run under
 * schedules, and strategies and front ends added.
 */
export * from './estimators/index.js'
export * from './execution/determinism.js'
export * from './execution/explore.js'
export type { Observer } from './execution/observer.js'
export { DivergenceError, defaultMaxSteps, Runner, type RunnerOptions } from './execution/runner.js'
export {
  checkScheduleFits,
  parseSchedule,
  recordSchedule,
  type Schedule,
  ScheduleError,
  type ScheduleStep,
} from './execution/schedule.js'
export type { ChoicePoint, Saved, Script, Strategy } from './execution/strategy.js'
export type { Status, Trace } from './execution/trace.js'
export * from './frontends/model/index.js'
export type { Bug, BugKind, Wait } from './machine/bug.js'
export type { Driver, Machine } from './machine/machine.js'
export { everywhere, formatPoints, type PointSet, parsePoints } from './machine/points.js'
export { Fingerprint } from './ordering/fingerprint.js'
export { HappensBefore } from './ordering/happens-before.js'
export * from './races/index.js'
export { Random } from './random/random.js'
export {
  type BestFirstOptions,
  type BestFirstStrategy,
  bestFirst,
  loadBestFirst,
  type TreeStatistics,
} from './strategies/best-first/best-first.js'
export { type Branch, Need, type PriorityFunction } from './strategies/best-first/branch.js'
export { createStrategy, findStrategy, loadStrategy, strategies } from './strategies/index.js'
export { countRaces, type PosCounts, posBound, posBoundUpTo } from './strategies/pos-bound.js'
export { type StrategyContext, type StrategyEntry, StrategyError } from './strategies/registry.js'
export { replay } from './strategies/replay.js'
