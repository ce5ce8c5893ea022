import type { Program } from '../../src/frontends/model/program.js'
import { everywhere, type PointSet } from '../../src/machine/points.js'
import type { RaceKind, RaceRecord, RaceTable } from '../../src/races/index.js'
import { type Engine, engine } from '../support/engine.js'

export interface Detection {
  readonly strategy?: string
  readonly points?: PointSet
  readonly maxExecutions?: number
  readonly engine?: Engine
}

/** Explores a program with a detector watching. */
export function detect(program: Program, kind: RaceKind, options: Detection = {}): RaceTable {
  const { createStrategy, explore, modelMachine, raceDetector } = options.engine ?? engine
  const machine = modelMachine(program)
  const points = options.points ?? everywhere
  machine.usePoints(points)
  const detector = raceDetector(kind, machine)
  explore({
    machine,
    strategy: createStrategy(options.strategy ?? 'optimal', { machine }),
    observers: [detector],
    keepGoing: true,
    ...(options.maxExecutions === undefined ? {} : { maxExecutions: options.maxExecutions }),
  })
  return detector.table
}

/** `a:2 / b:0` for each pair, the sites in order; a pair seen in one order only is written `a:2 < b:0`. */
export function pairs(table: RaceTable): string[] {
  return table.toData().map(describe).sort()
}

function describe({ a, b, aFirst, bFirst }: RaceRecord): string {
  const [x, y] = [a, b].map(({ site }) => site)
  if (aFirst > 0 && bFirst > 0) return `${x} / ${y}`
  return aFirst > 0 ? `${x} < ${y}` : `${y} < ${x}`
}
