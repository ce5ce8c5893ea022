import { explore } from '../../src/execution/explore.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import { raceDetector } from '../../src/races/index.js'
import { createStrategy, loadStrategy } from '../../src/strategies/index.js'

/** What tests need of the engine; mutated copies have the same shape. */
export interface Engine {
  readonly modelMachine: typeof modelMachine
  readonly createStrategy: typeof createStrategy
  readonly loadStrategy: typeof loadStrategy
  readonly explore: typeof explore
  readonly Fingerprint: typeof Fingerprint
  readonly raceDetector: typeof raceDetector
}

export const engine: Engine = {
  modelMachine,
  createStrategy,
  loadStrategy,
  explore,
  Fingerprint,
  raceDetector,
}
