export {
  addDetector,
  detectors,
  isExact,
  type RaceDetector,
  type RaceKind,
  type RaceOptions,
  raceDetector,
  raceKinds,
} from './detector.js'
export { pointBefore, racePoints } from './points.js'
export type { DetectorEntry } from './race-order.js'
export { isBothOrder, type RaceAccess, type RaceRecord, type RaceSighting, RaceTable } from './race-table.js'
export { type AccessWitness, type RaceWitness, witnessRace } from './witness.js'
