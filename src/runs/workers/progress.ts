/** Milliseconds after which all parts have said how they stand. */
const settlingMs = 500

/**
 * How much of a divided search is done, by estimate. What its shared tree says rests on branches being equally large, which in
 * a search that reduces they are not: mostly it is far too little. Who explored the search before it was divided knew better,
 * since it compared subtrees. So the tree's word is bent to agree with that one where the two meet: its power that
 * does, which stays between 0 and 1, never falls while the tree's word rises, and is 1 at the end.
 */
export class Progress {
  private exponent: number | undefined
  private readonly begun = performance.now()

  /** `before`: what was known when the search was divided. */
  constructor(
    private readonly ofTree: () => number | undefined,
    private readonly before: number | undefined,
  ) {}

  /** Undefined while nothing is known. */
  share(): number | undefined {
    if (this.exponent === undefined && performance.now() - this.begun < settlingMs) return undefined
    const share = this.ofTree()
    if (share === undefined || share <= 0) return undefined
    this.exponent ??= exponentFor(share, this.before)
    return share ** this.exponent
  }
}

function exponentFor(share: number, known = 0): number {
  const isBetween = (x: number) => x > 0 && x < 1
  return isBetween(share) && isBetween(known) ? Math.log(known) / Math.log(share) : 1
}
