import { grown } from '../machine/growing.js'
import { Mode } from '../machine/operation.js'
import { widened } from './clock-rows.js'

/** More than one thread has touched the location. */
const SEVERAL = -1

/**
 * Who touched each location last: the last write, and each thread's last read and last commuting change, as event
 * index + 1, or 0 for none. Every event keeps what it replaced, which is all that undoing it needs.
 */
export class LastTouches {
  /** Locations there is a record of. */
  locations = 0
  write = new Int32Array(64)
  /** By location and thread. */
  read = new Int32Array(64 * 8)
  commute = new Int32Array(64 * 8)
  /** By location: whether anybody has ever read it, or changed it in a commuting way. Never undone: it only saves looks. */
  wasRead = new Uint8Array(64)
  hasCommuted = new Uint8Array(64)
  /** By location: index + 1 of the only thread that has ever touched it, `SEVERAL`, or 0. Never undone either. */
  toucher = new Int32Array(64)
  /** How often a location was found to be touched by more than one. */
  sharings = 0
  /** Per event. */
  replaced = new Int32Array(64)
  stride = 8

  reserve(locations: number, threads: number, events: number): void {
    if (threads > this.stride) {
      const old = this.stride
      this.stride = Math.max(threads, old * 2)
      this.read = widened(this.read, old, this.stride)
      this.commute = widened(this.commute, old, this.stride)
    }
    if (locations > this.locations) {
      if (locations > this.write.length) {
        const size = Math.max(locations, this.write.length * 2)
        this.write = grown(this.write, size)
        this.wasRead = grown(this.wasRead, size)
        this.hasCommuted = grown(this.hasCommuted, size)
        this.toucher = grown(this.toucher, size)
        this.read = grown(this.read, size * this.stride)
        this.commute = grown(this.commute, size * this.stride)
      }
      this.locations = locations
    }
    if (events > this.replaced.length)
      this.replaced = grown(this.replaced, Math.max(events, this.replaced.length * 2))
  }

  /** Event i is the latest of its kind. */
  note(i: number, location: number, thread: number, mode: number): void {
    const toucher = this.toucher[location]
    if (toucher !== thread + 1 && toucher !== SEVERAL) {
      if (toucher === 0) this.toucher[location] = thread + 1
      else this.share(location)
    }
    if (mode === Mode.write) {
      this.replaced[i] = this.write[location]
      this.write[location] = i + 1
    } else if (mode === Mode.read) {
      const at = location * this.stride + thread
      this.wasRead[location] = 1
      this.replaced[i] = this.read[at]
      this.read[at] = i + 1
    } else {
      const at = location * this.stride + thread
      this.hasCommuted[location] = 1
      this.replaced[i] = this.commute[at]
      this.commute[at] = i + 1
    }
  }

  /** Another thread may come to touch the location than those seen there. */
  share(location: number): void {
    if (location >= this.locations) this.reserve(location + 1, 0, 0)
    if (this.toucher[location] === SEVERAL) return
    this.toucher[location] = SEVERAL
    this.sharings++
  }

  /** Event i, the latest of all, has not been. */
  undo(i: number, location: number, thread: number, mode: number): void {
    if (mode === Mode.write) this.write[location] = this.replaced[i]
    else if (mode === Mode.read) this.read[location * this.stride + thread] = this.replaced[i]
    else if (mode === Mode.commute) this.commute[location * this.stride + thread] = this.replaced[i]
  }
}
