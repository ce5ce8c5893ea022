import { Order } from '../machine/events.js'
import type { Trail } from './trail.js'

/** How many events of each thread come before, by thread. Small, and made all the time: that is what plain arrays are best at. */
export type Clock = readonly number[]

const empty: Clock = []

/** The larger of two clocks, thread by thread; either may be shorter. The result may be one of the two. */
export function joined(a: Clock | null, b: Clock | null): Clock {
  if (a === null || a.length === 0) return b ?? empty
  if (b === null || b.length === 0) return a
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  let sum: number[] | null = null
  for (let i = 0; i < short.length; i++) {
    if (short[i] <= long[i]) continue
    sum ??= long.slice()
    sum[i] = short[i]
  }
  return sum ?? long
}

/** The clock of one more event of a thread, its place among them given. */
export function withRank(clock: Clock, thread: number, rank: number): Clock {
  const next = clock.slice()
  while (next.length <= thread) next.push(0)
  next[thread] = rank
  return next
}

export function acquires(order: number): boolean {
  return (
    order === Order.acquire || order === Order.consume || order === Order.acqRel || order === Order.seqCst
  )
}

export function releases(order: number): boolean {
  return order === Order.release || order === Order.acqRel || order === Order.seqCst
}

/**
 * What each thread knows to come before its next event: happens-before of RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer,
 * "Repairing Sequential Consistency in C/C++11", PLDI 2017, doi:10.1145/3062341.3062352), event by event. Clocks are never
 * changed in place, so that they can be kept by whoever saw them.
 */
export class ThreadKnowledge {
  private readonly now: Clock[] = []
  /** What relaxed reads have seen released: an acquire fence learns of it. */
  private readonly seen: (Clock | null)[] = []
  /** What was known at the last release fence: later relaxed writes release it. */
  private readonly fenced: (Clock | null)[] = []
  /** By synchronisation object: what was released to it. */
  private readonly objects = new Map<number, Clock>()

  constructor(private readonly trail: Trail) {}

  reset(): void {
    this.now.length = 0
    this.seen.length = 0
    this.fenced.length = 0
    this.objects.clear()
  }

  /** Keeps what a thread knows for when what is returned is called, an access of it having been tried. */
  keep(thread: number): () => void {
    const [now, seen] = [this.now[thread], this.seen[thread]]
    return () => {
      this.now[thread] = now
      this.seen[thread] = seen
    }
  }

  /** A thread knows just this. */
  put(thread: number, clock: Clock): void {
    this.now[thread] = clock
  }

  of(thread: number): Clock {
    return this.now[thread] ?? empty
  }

  /** A thread begins with all that its creator knows. */
  begin(thread: number, parent: number): void {
    this.learns(thread, parent < 0 ? empty : this.of(parent))
    this.saw(thread, null)
    this.fences(thread, null)
  }

  /** One more event of the thread, its place among them given. */
  step(thread: number, rank: number): void {
    this.learns(thread, withRank(this.of(thread), thread, rank))
  }

  private learns(thread: number, clock: Clock): void {
    this.trail.entry(this.now, thread, this.now[thread])
    this.now[thread] = clock
  }

  private saw(thread: number, released: Clock | null): void {
    this.trail.entry(this.seen, thread, this.seen[thread])
    this.seen[thread] = released
  }

  private fences(thread: number, known: Clock | null): void {
    this.trail.entry(this.fenced, thread, this.fenced[thread])
    this.fenced[thread] = known
  }

  /** The thread has seen a write that releases something. */
  see(thread: number, released: Clock | null, order: number, isAtomic: boolean): void {
    if (released === null || !isAtomic) return
    if (acquires(order)) /* mutant: acquires */ this.learns(thread, joined(this.of(thread), released))
    /* mutant: relaxed load */ else this.saw(thread, joined(this.seen[thread] ?? null, released))
  }

  fence(thread: number, order: number): void {
    // mutant: acquire fence
    if (acquires(order)) this.learns(thread, joined(this.of(thread), this.seen[thread] ?? null))
    // mutant: release fence
    if (releases(order)) this.fences(thread, this.of(thread))
  }

  /**
   * What a write of the thread releases. In the paper a release sequence goes on with later writes of the same thread to the
   * same location, as in C++17. C++20 and C23 have dropped that: only updates carry it on. We follow them, since what is verified
   * is to hold there, too; it allows more than the paper, and forbids nothing that the paper allows.
   */
  release(thread: number, order: number, isAtomic: boolean, updated: Clock | null): Clock | null {
    if (!isAtomic) return null
    if (/* mutant: releases */ releases(order)) return joined(this.of(thread), updated)
    const own = /* mutant: release fence before stores */ this.fenced[thread] ?? null
    const all = joined(own, /* mutant: release sequence of updates */ updated)
    return all.length === 0 ? null : all
  }

  releaseTo(thread: number, object: number): void {
    this.trail.key(this.objects, object)
    this.objects.set(object, joined(this.objects.get(object) ?? null, this.of(thread)))
  }

  acquireFrom(thread: number, object: number): void {
    this.learns(thread, joined(this.of(thread), this.objects.get(object) ?? null))
  }

  join(thread: number, ended: number): void {
    this.learns(thread, joined(this.of(thread), this.of(ended)))
  }
}
