import { Mode, Op } from '../../../machine/operation.js'
import { UnsupportedError } from '../toolchain/errors.js'
import { waitsForEnd } from './enabledness.js'
import { errno } from './errno.js'
import type { Kernel } from './kernel.js'
import { ONCE_DONE, onceRunBy } from './once.js'
import type { StartTypes } from './start-types.js'
import type { ThreadLabels } from './thread-labels.js'
import { ALWAYS, NEVER_JOINABLE, ONCE_IDLE, THREAD_ENDED } from './thread-states.js'

/** In a `pthread_attr_t` of this libc: whether the thread is created detached. */
const ATTRIBUTE_DETACHED = 3

const ONCE_SIZE = 4
/** What compiled code looks at before it calls: the lowest byte of a static variable's guard. */
const ONCE_BYTE = 1

/** Threads: creation, joining, ending; once. */
export class Lifecycle {
  constructor(
    private readonly kernel: Kernel,
    private readonly labels: ThreadLabels,
    private readonly startTypes: StartTypes,
  ) {}

  readonly calls = {
    /**
     * The handle is stored before the child can run: the child may read it, and its creator need not fear that it does
     * not see it, as on the systems people use.
     */
    __wrap_pthread_create: (handle: number, attributes: number, start: number, argument: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0) {
        kernel.faults.checkObject('thread handle', handle)
        if (kernel.stopsBefore(Op.create, -1, ALWAYS, 0)) return 0
      }
      if (kernel.constructing) {
        throw new UnsupportedError('a thread is created before main begins', ['pthread_create'])
      }
      if (attributes !== 0) kernel.faults.checkObject('set of attributes', attributes)
      const parent = kernel.running
      const child = kernel.threads.child(parent, ++kernel.states.children[parent])
      if (!kernel.scheduling.canBegin(attributes)) return errno.invalid
      kernel.spawn(child, start, argument)
      kernel.states.startType[child] = this.startTypes.of(start)
      kernel.scheduling.begin(child, attributes)
      kernel.states.blockedSignals[child] = kernel.states.blockedSignals[parent]
      this.labels.label(child, start, argument)
      if (attributes !== 0) {
        const isDetached = kernel.memory.words[(attributes >>> 2) + ATTRIBUTE_DETACHED] !== 0
        kernel.states.detachedBy[child] = isDetached ? NEVER_JOINABLE : 0
      }
      kernel.memory.words[handle >>> 2] = kernel.set.handleOf(child)
      kernel.record(Op.store, Mode.write, kernel.addresses.locate(handle, 4), -1)
      kernel.record(Op.create, Mode.none, -1, child)
      kernel.follower?.created(child)
      kernel.stopNext()
      return 0
    },

    /**
     * Of two who join, or join and detach, the second commits a misuse. It waits for the end of the thread also when another
     * has detached it meanwhile: whether it can go on then does not depend on their order.
     */
    __wrap_pthread_join: (handle: number, result: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0) {
        const target = kernel.set.threadOf(handle)
        kernel.cancellation.begin()
        if (kernel.stopsBefore(Op.join, -1, THREAD_ENDED, target)) return 0
      }
      const target = kernel.states.object[kernel.running]
      if (kernel.cancellation.isMet()) kernel.cancellation.giveUpJoin(target)
      const code = this.join(target, result)
      kernel.cancellation.end()
      return code
    },

    __wrap_pthread_detach: (handle: number): number => {
      const { kernel } = this
      const target = kernel.set.threadOf(handle)
      if (target < 0) return errno.noSuchThread
      if (kernel.phase() === 0 && kernel.stopsBefore(Op.claim, kernel.threadLocation(target), ALWAYS, 0))
        return 0
      if (!this.isJoinable(target, 'detaches')) return errno.invalid
      kernel.states.detachedBy[target] = kernel.running + 1
      kernel.record(Op.claim, Mode.write, kernel.threadLocation(target), -1)
      return 0
    },

    __wrap_pthread_self: (): number => this.kernel.set.handleOf(this.kernel.running),

    fl_thread_exit: (result: number): void => this.kernel.endings.exitThread(result),

    /** Like a lock that the first thread holds while it runs the initialiser; later ones take it and let it go. */
    fl_once_enter: (control: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0) {
        kernel.faults.checkObject('once control', control)
        if (kernel.stopsBefore(Op.lock, this.onceLocation(control), ONCE_IDLE, control)) return 0
      }
      if (kernel.memory.words[control >>> 2] === ONCE_DONE) {
        kernel.record(Op.lock, Mode.write, this.onceLocation(control), 0)
        kernel.record(Op.unlock, Mode.write, this.onceLocation(control), kernel.running + 1)
        kernel.released()
        return 0
      }
      kernel.memory.words[control >>> 2] = onceRunBy(kernel.running)
      kernel.record(Op.lock, Mode.write, this.onceLocation(control), 0)
      return 1
    },

    fl_once_leave: (control: number): void => this.leaveOnce(control, true),

    /** The initialiser has thrown: the next who comes runs it again. */
    fl_once_abort: (control: number): void => this.leaveOnce(control, false),
  }

  private leaveOnce(control: number, isDone: boolean): void {
    const { kernel } = this
    if (kernel.phase() === 0 && kernel.stopsBefore(Op.unlock, this.onceLocation(control), ALWAYS, control))
      return
    kernel.memory.words[control >>> 2] = isDone ? ONCE_DONE : 0
    if (isDone)
      kernel.record(Op.atomicStore, Mode.write, kernel.addresses.locate(control >>> 0, ONCE_BYTE), -1)
    kernel.record(Op.unlock, Mode.write, this.onceLocation(control), kernel.running + 1)
    kernel.released()
  }

  private join(target: number, result: number): number {
    const { kernel } = this
    const { states } = kernel
    if (target < 0) return errno.noSuchThread
    if (target === kernel.running) return errno.deadlock
    // Also if the join turns out to be a misuse, it had to wait for the end.
    if (waitsForEnd(kernel, kernel.running, target)) kernel.record(Op.join, Mode.none, -1, target)
    kernel.follower?.joined(target)
    if (!this.isJoinable(target, 'joins')) return errno.invalid
    states.joined[target] = 1
    kernel.record(Op.claim, Mode.write, kernel.threadLocation(target), -1)
    if (result !== 0) {
      kernel.memory.words[result >>> 2] = states.result[target]
      kernel.record(Op.store, Mode.write, kernel.addresses.locate(result, 4), -1)
    }
    return 0
  }

  /** Whoever joins or detaches a thread must be the only one: its handle means nothing afterwards. */
  private isJoinable(target: number, verb: string): boolean {
    const { kernel } = this
    const { states, threads, running } = kernel
    if (states.joined[target] === 0 && states.detachedBy[target] === 0) return true
    kernel.record(Op.claim, Mode.read, kernel.threadLocation(target), -1)
    if (kernel.lockErrors) return false
    const why = states.joined[target] === 1 ? 'was joined already' : 'is detached'
    const message = `${threads.labelOf(running)} ${verb} ${threads.labelOf(target)}, which ${why}`
    return kernel.fail('lock-misuse', message, kernel.pending.site[running])
  }

  private onceLocation(control: number): number {
    return this.kernel.addresses.object('once', control, ONCE_SIZE)
  }
}
