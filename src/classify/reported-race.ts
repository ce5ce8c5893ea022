/** A place in the source, or the name of one in a model. */
export interface ReportedPlace {
  readonly function: string | null
  /** As reported: a path may be of another machine. */
  readonly file: string | null
  readonly line: number | null
  /** Of places without a line: their name. */
  readonly name: string | null
}

/** One side of a race: its call stack, innermost first. */
export interface ReportedSide {
  readonly stack: readonly ReportedPlace[]
  /** `read`, `atomic write`; '' where that is not told. */
  readonly operation: string
}

/** A race that somebody else reports. */
export interface ReportedRace {
  readonly sides: readonly [ReportedSide, ReportedSide]
  /** How often it was reported. */
  readonly count: number
}
