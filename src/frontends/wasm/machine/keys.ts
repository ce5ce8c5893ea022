import { Mode, Op } from '../../../machine/operation.js'
import { errno } from './errno.js'
import { resettable } from './execution-state.js'
import type { Kernel } from './kernel.js'
import { ALWAYS } from './thread-states.js'

/** As in libc's limits.h. */
const MAX_KEYS = 128
const DESTRUCTOR_ROUNDS = 4

/** Thread-specific data. Values belong to one thread; which keys exist, all threads can see. */
export class Keys {
  private readonly used = new Uint8Array(MAX_KEYS)
  private readonly destructors = new Int32Array(MAX_KEYS)
  /** By thread, `MAX_KEYS` each. */
  private values: Int32Array[] = []
  /** By thread: calls of `fl_key_destructor` so far, in rounds over all keys. */
  private readonly cursor: number[] = []
  private isTouched = false
  private kept: { used: Uint8Array; destructors: Int32Array; main: Int32Array | undefined } | null = null

  private readonly location: number

  constructor(private readonly kernel: Kernel) {
    this.location = kernel.locations.intern('process', 'keys')
    kernel.hasState(
      resettable(
        () => !this.isTouched,
        () => this.reset(),
      ),
    )
  }

  readonly calls = {
    __wrap_pthread_key_create: (key: number, destructor: number): number => {
      if (this.kernel.phase() === 0) {
        this.kernel.faults.checkObject('key', key)
        if (this.stopsBefore()) return 0
      }
      const free = this.used.indexOf(0)
      if (free < 0) return errno.again
      this.isTouched = true
      this.used[free] = 1
      this.destructors[free] = destructor
      for (const values of this.values) if (values) values[free] = 0
      this.kernel.memory.words[key >>> 2] = free
      this.kernel.record(Op.mutexSetup, Mode.write, this.location, -1)
      if (!this.kernel.constructing) {
        this.kernel.record(Op.store, Mode.write, this.kernel.addresses.locate(key, 4), -1)
      }
      return 0
    },

    __wrap_pthread_key_delete: (key: number): number => {
      if (this.kernel.phase() === 0 && this.stopsBefore()) return 0
      if (this.used[key] !== 1) return errno.invalid
      this.used[key] = 0
      this.kernel.record(Op.mutexSetup, Mode.write, this.location, -1)
      return 0
    },

    __wrap_pthread_getspecific: (key: number): number => this.values[this.kernel.running]?.[key] ?? 0,

    __wrap_pthread_setspecific: (key: number, value: number): number => {
      if (this.used[key] !== 1) return errno.invalid
      this.isTouched = true
      const thread = this.kernel.running
      this.values[thread] ??= new Int32Array(MAX_KEYS)
      this.values[thread][key] = value
      this.kernel.disturb()
      return 0
    },

    fl_key_destructor: (result: number): number => {
      const { running, memory } = this.kernel
      const values = this.values[running]
      if (!values) return 0
      for (let at = this.cursor[running] ?? 0; at < MAX_KEYS * DESTRUCTOR_ROUNDS; at++) {
        const key = at % MAX_KEYS
        if (values[key] === 0 || this.used[key] === 0 || this.destructors[key] === 0) continue
        this.cursor[running] = at + 1
        memory.words[result >>> 2] = values[key]
        values[key] = 0
        return this.destructors[key]
      }
      return 0
    },
  }

  private stopsBefore(): boolean {
    return this.kernel.stopsBefore(Op.mutexSetup, this.location, ALWAYS, 0)
  }

  /** Records what constructors set as the state to go back to. */
  keep(): void {
    if (!this.isTouched) return
    this.kept = {
      used: this.used.slice(),
      destructors: this.destructors.slice(),
      main: this.values[0]?.slice(),
    }
  }

  private reset(): void {
    if (!this.isTouched) return
    this.used.fill(0)
    this.values = []
    this.cursor.length = 0
    if (this.kept === null) {
      this.isTouched = false
      return
    }
    this.used.set(this.kept.used)
    this.destructors.set(this.kept.destructors)
    if (this.kept.main) this.values[0] = this.kept.main.slice()
  }
}
