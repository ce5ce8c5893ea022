import { Mode, Op } from '../../../machine/operation.js'
import { errno } from './errno.js'
import { resettable } from './execution-state.js'
import type { Kernel } from './kernel.js'

/** Bit of a mutex's type, as libc's attributes encode it. */
const ROBUST = 4
/** Fourth word of a robust mutex. */
const CONSISTENT = 0
/** Its owner has ended holding it: whoever takes it next is told, and has to make it consistent before it unlocks it. */
const INCONSISTENT = 1
const NOT_RECOVERABLE = 2
const WORD = 4

/** Robust mutexes: those that a thread holds when it ends go on to others, who are told. */
export class RobustMutexes {
  /** By thread: addresses of the robust mutexes it holds. */
  private readonly held: number[][] = []

  constructor(
    private readonly kernel: Kernel,
    private readonly location: (address: number) => number,
  ) {
    kernel.endings.onThreadEnd((thread) => this.abandon(thread))
    kernel.hasState(
      resettable(
        () => this.held.length === 0,
        () => {
          if (this.held.length > 0) this.held.length = 0
        },
      ),
    )
  }

  isRobust(address: number): boolean {
    return (this.kernel.memory.words[address >>> 2] & ROBUST) !== 0
  }

  isLost(address: number): boolean {
    return this.isRobust(address) && this.state(address) === NOT_RECOVERABLE
  }

  /** The running thread has taken a mutex: what it is told. */
  took(address: number): number {
    if (!this.isRobust(address)) return 0
    ;(this.held[this.kernel.running] ??= []).push(address)
    return this.state(address) === INCONSISTENT ? errno.ownerDead : 0
  }

  /** The running thread lets a mutex go. */
  released(address: number): void {
    if (!this.isRobust(address)) return
    this.forget(address)
    if (this.state(address) === INCONSISTENT) this.setState(address, NOT_RECOVERABLE)
  }

  /** Who holds a mutex says that all is well again. Nobody else can tell before it is unlocked. */
  makeConsistent(address: number): number {
    const { kernel } = this
    const isOwn = kernel.memory.words[(address >>> 2) + 1] === kernel.running + 1
    if (!this.isRobust(address) || !isOwn || this.state(address) !== INCONSISTENT) return errno.invalid
    this.setState(address, CONSISTENT)
    kernel.disturb()
    return 0
  }

  private abandon(thread: number): void {
    const { kernel } = this
    const list = this.held[thread] ?? []
    for (const address of list) {
      if (kernel.heap.shadow.isClosed(address >>> 0, WORD)) continue
      const at = address >>> 2
      kernel.memory.words[at + 1] = 0
      kernel.memory.words[at + 2] = 0
      this.setState(address, INCONSISTENT)
      kernel.record(Op.unlock, Mode.write, this.location(address), thread + 1)
    }
    list.length = 0
  }

  private forget(address: number): void {
    const list = this.held[this.kernel.running]
    list?.splice(list.indexOf(address), 1)
  }

  private state(address: number): number {
    return this.kernel.memory.words[(address >>> 2) + 3]
  }

  private setState(address: number, state: number): void {
    this.kernel.memory.words[(address >>> 2) + 3] = state
  }
}
