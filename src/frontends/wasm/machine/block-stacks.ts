import type { Stack } from '../../../program/bug.js'
import type { CodeSite } from '../artifact.js'
import { callFrames } from './call-stack.js'
import type { Block } from './heap.js'

/** Where a thread was: the site, and the calls it was in, innermost first. */
interface Place {
  readonly thread: number
  readonly site: number
  readonly calls: readonly number[]
}

/**
 * Remembers where blocks were allocated and freed and where memory was accessed, so that a bug of the heap can tell.
 * Off while exploring: whoever wants the stacks of a failure runs its schedule again with them on.
 */
export class BlockStacks {
  isOn = false
  /** By first address of the block. */
  private readonly allocated = new Map<number, Place>()
  private readonly freed = new Map<number, Place>()
  /** By site: where it was reached last. Faults are found when the log is read, when the thread may be elsewhere. */
  private readonly reached = new Map<number, Place>()

  constructor(private readonly sites: readonly CodeSite[]) {}

  reset(): void {
    if (!this.isOn) return
    this.allocated.clear()
    this.freed.clear()
    this.reached.clear()
  }

  noteAllocation(start: number, place: Place): void {
    this.allocated.set(start, place)
    this.freed.delete(start)
  }

  noteFree(start: number, place: Place): void {
    this.freed.set(start, place)
  }

  noteAccess(place: Place): void {
    this.reached.set(place.site, place)
  }

  /** What led to a bug of the heap: what was done now, and the history of the block it was done to. */
  of(verb: string, now: Place, block: Block | undefined): Stack[] {
    if (!this.isOn) return []
    const place = this.reached.get(now.site)
    const stacks = [this.stack(verb, place?.thread === now.thread ? place : now)]
    return block === undefined ? stacks : [...stacks, ...this.historyOf(block)]
  }

  historyOf({ start }: Block): Stack[] {
    const stacks: Stack[] = []
    const allocated = this.allocated.get(start)
    if (allocated) stacks.push(this.stack('allocated', allocated))
    const freed = this.freed.get(start)
    if (freed) stacks.push(this.stack('freed', freed))
    return stacks
  }

  private stack(title: string, { thread, site, calls }: Place): Stack {
    return { title, thread, frames: callFrames(this.sites, site, calls) }
  }
}
