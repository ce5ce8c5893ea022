import type { Stack } from '../../../machine/bug.js'
import type { CodeSite } from '../artifact.js'
import { callFrames } from './call-stack.js'
import type { Block } from './heap.js'

/** Where a thread was: the site, and the calls it was in, innermost first. */
export interface Place {
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
  /** By first address of the block; by `ownKey` of it for blocks of the program's own allocators. */
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

  /** The calls a thread was in when it reached a site last, if that is known. */
  callsAt(thread: number, site: number): readonly number[] | undefined {
    const place = this.reached.get(site)
    return place?.thread === thread ? place.calls : undefined
  }

  /** Where a block was allocated, and where freed; nothing while that is not remembered. */
  historyOf(block: Block | undefined): Stack[] {
    return block === undefined ? [] : this.historyAt(block.start)
  }

  /** The same by what the block was noted under. */
  historyAt(key: number): Stack[] {
    const stacks: Stack[] = []
    const allocated = this.allocated.get(key)
    if (allocated) stacks.push(this.stack('allocated', allocated))
    const freed = this.freed.get(key)
    if (freed) stacks.push(this.stack('freed', freed))
    return stacks
  }

  private stack(title: string, { thread, site, calls }: Place): Stack {
    return { title, thread, frames: callFrames(this.sites, site, calls) }
  }
}

/** What a block of an own allocator is noted under: it may begin where a block of the heap does. */
export function ownKey(start: number): number {
  return -1 - start
}
