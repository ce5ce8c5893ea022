import type { Frame } from '../../../machine/bug.js'
import type { CodeSite } from '../artifact.js'
import { UnsupportedError } from '../toolchain/errors.js'
import { callFrames, openCalls } from './call-stack.js'
import { type ExecutionState, resettable } from './execution-state.js'
import type { Kernel } from './kernel.js'

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>
type Call = (...args: number[]) => unknown

/** Calls that take a lock; left out, the thread holds the lock in name only, up to the call that gives it back. */
const locks = new Set(
  `pthread_mutex_lock pthread_mutex_trylock pthread_mutex_timedlock pthread_spin_lock pthread_spin_trylock
  pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_timedrdlock
  pthread_rwlock_wrlock pthread_rwlock_trywrlock pthread_rwlock_timedwrlock`.split(/\s+/),
)
const unlocks = new Set(['pthread_mutex_unlock', 'pthread_spin_unlock', 'pthread_rwlock_unlock'])
/** With the mutex as their second argument, which they could not give back if it is held in name only. */
const waits = new Set(['pthread_cond_wait', 'pthread_cond_timedwait'])
/** Others that may be left out: they answer 0, as if done. */
const others = new Set(
  `sem_wait sem_trywait sem_timedwait sem_post pthread_barrier_wait pthread_cond_signal pthread_cond_broadcast
  pthread_join`.split(/\s+/),
)

/**
 * What-if analysis (Kasikci et al., "Automated Classification of Data Races Under Both Strong and Weak Memory Models",
 * TOPLAS 2015, §3.3): the synchronisation of one line of the program is left out, to see what it is good for. What a thread
 * leaves out depends on nothing but what it does itself, so that no order of threads and no reduction is concerned.
 */
export class LeftOut {
  /** `queue.c:12`; empty: nothing is left out. */
  place = ''
  /** Calls were left out, in some execution. */
  private wasUsed = false
  /** How often a thread holds a lock in name only, by thread and address. */
  private readonly held = new Map<string, number>()
  readonly state: ExecutionState = resettable(
    () => this.held.size === 0,
    () => this.held.clear(),
  )

  constructor(
    private readonly kernel: Kernel,
    wanted: string,
  ) {
    kernel.hasState(this.state)
    this.refuseUnknown(wanted)
  }

  /** The same calls, of which some are left out. */
  wrap(calls: Calls): Calls {
    return Object.fromEntries(
      Object.entries(calls).map(([name, call]) => {
        const plain = plainName(name)
        return [name, isKnown(plain) ? this.wrapped(plain, call as Call) : call]
      }),
    )
  }

  /** What to tell somebody who named a place where nothing was left out so far; null otherwise. */
  get complaint(): string | null {
    return this.place === '' || this.wasUsed
      ? null
      : `nothing was left out: no thread came to synchronisation at ${this.place}`
  }

  /** A line without any call is a mistake. */
  private refuseUnknown(wanted: string): void {
    const calls = this.kernel.artifact.sites.filter(({ kind }) => kind === 'call')
    const framesAt = (site: CodeSite): readonly Frame[] => [site, ...(site.inlined ?? [])]
    if (calls.some((site) => framesAt(site).some((frame) => isAt(frame, wanted)))) return
    const known = calls.filter(({ callee, file }) => file !== undefined && isKnown(callee ?? ''))
    known.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
    const places = [...new Set(known.map((site) => `${placeOf(site)} (${plainName(site.callee ?? '')})`))]
    throw new UnsupportedError(
      `--what-if ${wanted}: no function is called there; ${
        places.length === 0
          ? 'write FILE:LINE of a call that synchronises'
          : `calls that can be left out are at ${places.join(', ')}`
      }`,
      [],
    )
  }

  private wrapped(name: string, call: Call): Call {
    return (...args) => {
      const { kernel } = this
      // A thread that goes on in a call has not left it out.
      if (this.place === '' || kernel.constructing || kernel.isRewinding) return call(...args)
      const key = `${kernel.running} ${args[waits.has(name) ? 1 : 0] >>> 0}`
      const times = this.held.get(key) ?? 0
      const isHere = this.isMadeHere()
      if (isHere) this.wasUsed = true
      if (locks.has(name) && isHere) return this.hold(key, times + 1)
      if (unlocks.has(name) && times > 0) return this.hold(key, times - 1)
      if (waits.has(name) && times > 0 && !isHere)
        throw new UnsupportedError(
          `--what-if ${this.place}: ${name} gives that lock back while it waits, which it cannot if nobody has taken it; name another place`,
          [name],
        )
      return isHere ? 0 : call(...args)
    }
  }

  private hold(key: string, times: number): number {
    if (times === 0) this.held.delete(key)
    else this.held.set(key, times)
    return 0
  }

  /** Whether the running thread is in a call of that line: the synchronisation itself, or a function that does it. */
  private isMadeHere(): boolean {
    const { kernel } = this
    const calls = openCalls(kernel, kernel.running)
    return callFrames(kernel.artifact.sites, kernel.callSite(), calls).some((frame) =>
      isAt(frame, this.place),
    )
  }
}

function isKnown(name: string): boolean {
  return [locks, unlocks, waits, others].some((set) => set.has(plainName(name)))
}

function plainName(name: string): string {
  return name.replace(/^__wrap_/, '')
}

function placeOf({ file = '', line }: Frame): string {
  return `${file}:${line}`
}

/** Files may be named by the end of their path. */
function isAt(frame: Frame, place: string): boolean {
  const known = placeOf(frame)
  return known === place || known.endsWith(`/${place}`)
}
