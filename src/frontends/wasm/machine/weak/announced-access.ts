import type { Access } from '../../../../memory/access.js'
import { EventKind, type Value } from '../../../../memory/graph.js'
import { written } from './cells.js'

/** What a thread is about to do to memory. */
export class AnnouncedAccess implements Access {
  kind = 0
  location = -1
  order = 0
  failure = 0
  isAtomic = false
  expected: Value | null = null
  site = -1
  /** See `Op`. */
  operation = 0
  start = 0
  size = 0
  /** Of atomics: what it does, and with which value. */
  verb = ''
  operand: Value = 0
  /** It is an event of the graph, with a choice. */
  isEvent = false

  copy(): AnnouncedAccess {
    return new AnnouncedAccess().take(this)
  }

  /** Becomes what another one is. */
  take(other: AnnouncedAccess): this {
    this.kind = other.kind
    this.location = other.location
    this.order = other.order
    this.failure = other.failure
    this.isAtomic = other.isAtomic
    this.expected = other.expected
    this.site = other.site
    this.operation = other.operation
    this.start = other.start
    this.size = other.size
    this.verb = other.verb
    this.operand = other.operand
    this.isEvent = other.isEvent
    return this
  }

  /** What it leaves, `old` being there; of a plain store nobody knows yet. */
  leaves(old: Value): Value | undefined {
    if (this.kind === EventKind.read || !this.isAtomic) return undefined
    return written(this.verb, old, this.operand, this.size)
  }
}
