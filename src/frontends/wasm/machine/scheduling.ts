import { Mode, Op } from '../../../machine/operation.js'
import { errno } from './errno.js'
import type { Kernel, SchedulingPart } from './kernel.js'
import { ALWAYS } from './thread-states.js'

/** Policies, as runtime/include/sched.h numbers them. */
const OTHER = 0
const ROUND_ROBIN = 2
/** Highest priority of the policies that have any, as on Linux. */
const HIGHEST = 99

/** Words of a `pthread_attr_t`; see runtime/attributes.c. */
const ATTRIBUTE_EXPLICIT = 4
const ATTRIBUTE_POLICY = 5
const ATTRIBUTE_PRIORITY = 6

/**
 * Scheduling parameters: which thread runs is up to the schedule, so all that a program can see of them is what it set,
 * and which mutexes a priority keeps it from locking.
 */
export class Scheduling implements SchedulingPart {
  /** The program can change the parameters of threads. */
  isUsed = false
  /** By thread. */
  private readonly locations: number[] = []

  constructor(private readonly kernel: Kernel) {}

  readonly calls = {
    __wrap_pthread_getschedparam: (handle: number, policy: number, parameters: number): number => {
      const { kernel } = this
      const target = kernel.set.threadOf(handle)
      if (target < 0) return errno.noSuchThread
      if (kernel.phase() === 0) {
        kernel.faults.checkObject('place for a policy', policy)
        kernel.faults.checkObject('place for a priority', parameters)
        if (kernel.stopsBefore(Op.atomicLoad, this.location(target), ALWAYS, 0)) return 0
      }
      kernel.record(Op.atomicLoad, Mode.read, this.location(target), -1)
      this.store(policy, kernel.states.policy[target])
      this.store(parameters, kernel.states.priority[target])
      return 0
    },

    __wrap_pthread_setschedparam: (handle: number, policy: number, parameters: number): number => {
      this.kernel.faults.checkObject('priority', parameters)
      const priority = this.kernel.memory.words[parameters >>> 2]
      return this.set(handle, () => policy, priority)
    },

    __wrap_pthread_setschedprio: (handle: number, priority: number): number =>
      this.set(handle, (target) => this.kernel.states.policy[target], priority),
  }

  /** Whether a thread can be created with these attributes. */
  canBegin(attributes: number): boolean {
    if (!this.isExplicit(attributes)) return true
    const { words } = this.kernel.memory
    const at = attributes >>> 2
    return isValid(words[at + ATTRIBUTE_POLICY], words[at + ATTRIBUTE_PRIORITY])
  }

  /** What a new thread begins with: its creator's parameters, or those of its attributes. */
  begin(child: number, attributes: number): void {
    const { kernel } = this
    const { states, memory, running } = kernel
    const at = attributes >>> 2
    const isExplicit = this.isExplicit(attributes)
    states.policy[child] = isExplicit ? memory.words[at + ATTRIBUTE_POLICY] : states.policy[running]
    states.priority[child] = isExplicit ? memory.words[at + ATTRIBUTE_PRIORITY] : states.priority[running]
    // What it inherits, another thread may change at any time.
    if (this.isUsed && !isExplicit) {
      kernel.record(Op.atomicLoad, Mode.read, this.location(running), -1)
    }
  }

  private isExplicit(attributes: number): boolean {
    return attributes !== 0 && this.kernel.memory.words[(attributes >>> 2) + ATTRIBUTE_EXPLICIT] !== 0
  }

  /** Whether the running thread's priority is above a ceiling; it has looked at its priority then. */
  isAbove(ceiling: number): boolean {
    const { kernel } = this
    kernel.record(Op.atomicLoad, Mode.read, this.location(kernel.running), -1)
    return kernel.states.priority[kernel.running] > ceiling
  }

  private set(handle: number, policyOf: (target: number) => number, priority: number): number {
    const { kernel } = this
    const target = kernel.set.threadOf(handle)
    if (target < 0) return errno.noSuchThread
    if (kernel.phase() === 0 && kernel.stopsBefore(Op.atomicStore, this.location(target), ALWAYS, 0)) return 0
    const policy = policyOf(target)
    if (!isValid(policy, priority)) {
      kernel.record(Op.atomicLoad, Mode.read, this.location(target), -1)
      return errno.invalid
    }
    kernel.states.policy[target] = policy
    kernel.states.priority[target] = priority
    kernel.record(Op.atomicStore, Mode.write, this.location(target), -1)
    return 0
  }

  private store(address: number, value: number): void {
    const { kernel } = this
    kernel.memory.words[address >>> 2] = value
    kernel.record(Op.store, Mode.write, kernel.addresses.locate(address, 4), -1)
  }

  private location(thread: number): number {
    const { locations, threads } = this.kernel
    return (this.locations[thread] ??= locations.intern(
      'process',
      `priority of thread ${threads.names[thread]}`,
    ))
  }
}

/** Priorities range from 1 for the policies that have any; `SCHED_OTHER` has only 0. */
function isValid(policy: number, priority: number): boolean {
  if (policy === OTHER) return priority === 0
  return policy > OTHER && policy <= ROUND_ROBIN && isCeiling(priority)
}

/** Whether a mutex can have this ceiling. */
export function isCeiling(priority: number): boolean {
  return priority >= 1 && priority <= HIGHEST
}
