import type { Value } from './graph.js'

/** What a thread is about to do to a location. */
export interface Access {
  /** `EventKind.read`, `write` or `update`. */
  kind: number
  location: number
  /** See `Order`. */
  order: number
  /** Of a compare-exchange: its order if it fails. */
  failure: number
  isAtomic: boolean
  /** Of a compare-exchange: the value it needs to find, or else it is a read. */
  expected: Value | null
  site: number
}
