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
    const copy = new AnnouncedAccess()
    copy.kind = this.kind
    copy.location = this.location
    copy.order = this.order
    copy.failure = this.failure
    copy.isAtomic = this.isAtomic
    copy.expected = this.expected
    copy.site = this.site
    copy.operation = this.operation
    copy.start = this.start
    copy.size = this.size
    copy.verb = this.verb
    copy.operand = this.operand
    copy.isEvent = this.isEvent
    return copy
  }

  /** What it leaves, `old` being there; of a plain store nobody knows yet. */
  leaves(old: Value): Value | undefined {
    if (this.kind === EventKind.read || !this.isAtomic) return undefined
    return written(this.verb, old, this.operand, this.size)
  }
}
