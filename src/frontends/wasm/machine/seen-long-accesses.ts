import type { LongAccesses } from '../../../machine/machine.js'
import type { CodeSite } from '../artifact.js'

/** Where accesses of more than a word were made in one step, in some execution. */
export class SeenLongAccesses implements LongAccesses {
  seen = false
  private readonly all = new Set<number>()
  /** Those that should have been split. */
  private readonly whole = new Set<number>()

  constructor(private readonly codeSites: readonly CodeSite[]) {}

  /** One was made at a site, or at none that is known; `isSplit` where its words are points. */
  note(site: number, isSplit: boolean): void {
    this.seen = true
    if (site < 0) return
    this.all.add(site)
    if (isSplit) this.whole.add(site)
  }

  get sites(): readonly string[] {
    return Array.from(this.all, (site) => this.codeSites[site].name)
  }

  get unsplit(): readonly string[] {
    return Array.from(this.whole, (site) => this.codeSites[site].name)
  }
}
