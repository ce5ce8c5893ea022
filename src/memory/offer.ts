import type { Access } from './access.js'
import type { Value } from './graph.js'

const NEVER = -1

/** The writes that an access may see or follow, and for which access and how large a graph they were found. One per thread, for keeps. */
export class Offer {
  readonly sources: number[] = []
  private events = NEVER
  private kind = 0
  private location = 0
  private order = 0
  private failure = 0
  private isAtomic = false
  private expected: Value | null = null

  isFor(access: Access, events: number): boolean {
    return (
      this.events === events &&
      this.kind === access.kind &&
      this.location === access.location &&
      this.order === access.order &&
      this.failure === access.failure &&
      this.isAtomic === access.isAtomic &&
      this.expected === access.expected
    )
  }

  hold(access: Access, events: number): void {
    this.events = events
    this.kind = access.kind
    this.location = access.location
    this.order = access.order
    this.failure = access.failure
    this.isAtomic = access.isAtomic
    this.expected = access.expected
  }

  withdraw(): void {
    this.events = NEVER
  }

  /** If it was made for a graph of so many events or more. */
  withdrawFrom(events: number): void {
    if (this.events >= events) this.events = NEVER
  }
}
