import { grown } from './growing.js'
import { Mode } from './operation.js'

/**
 * What an execution did, one row per operation, in order. Written by the machine, read by everybody; reused between
 * executions. A machine whose `footprints` are off may leave it empty.
 */
export class EventLog {
  count = 0
  kind = new Uint8Array(256)
  /** The mode as it turned out, see `Mode`. */
  mode = new Uint8Array(256)
  /** Index into the location table, or -1. */
  location = new Int32Array(256)
  /** Index into the machine's sites, or -1. */
  site = new Int32Array(256)
  /**
   * By kind: the other thread for thread edges; for locks, reader-writer locks and semaphores the object's state just
   * before (`src/ordering/blocking.ts`); for `resume`, the index of the first event of the spin iteration that blocked;
   * the value for choices. -1 where there is none.
   */
  aux = new Int32Array(256)

  push(kind: number, mode: number, location: number, site: number, aux: number): void {
    const i = this.count
    if (i === this.kind.length) this.grow()
    this.kind[i] = kind
    this.mode[i] = location < 0 ? Mode.none : mode
    this.location[i] = location
    this.site[i] = site
    this.aux[i] = aux
    this.count = i + 1
  }

  private grow(): void {
    const size = this.kind.length * 2
    this.kind = grown(this.kind, size)
    this.mode = grown(this.mode, size)
    this.location = grown(this.location, size)
    this.site = grown(this.site, size)
    this.aux = grown(this.aux, size)
  }
}
