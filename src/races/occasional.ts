import type { Trace } from '../execution/trace.js'
import type { RaceDetector } from './detector.js'

/** Executions without a new race after which only some are looked at. */
const attention = 1000
/** Of those, one in so many. */
const every = 16

/**
 * Looks at every execution as long as races are new, then at some: for a search that does not need to know them, because
 * every access is a point of it.
 */
export function occasional(detector: RaceDetector): RaceDetector {
  const { kind, table } = detector
  let version = table.version
  let quiet = 0
  return {
    kind,
    table,
    footprints: detector.footprints,
    end(trace: Trace, status) {
      if (table.version !== version) {
        version = table.version
        quiet = 0
      }
      if (quiet++ < attention || quiet % every === 0) detector.end?.(trace, status)
      else table.skipped++
    },
  }
}
