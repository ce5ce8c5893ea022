import { Mode, Op } from '../../../machine/operation.js'
import { UnsupportedError } from '../toolchain/errors.js'
import type { Kernel } from './kernel.js'
import { ALWAYS, NEVER_JOINABLE } from './thread-states.js'

/** Threads of programs that know them as instances: the import `wasi.thread-spawn`. */
export class WasiThreads {
  constructor(private readonly kernel: Kernel) {}

  readonly calls = {
    /** Returns the number of the thread, which begins in the export `wasi_thread_start`. */
    'thread-spawn': (argument: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && kernel.stopsBefore(Op.create, -1, ALWAYS, 0)) return 0
      if (kernel.constructing) {
        throw new UnsupportedError('a thread is created before _start begins', ['thread-spawn'])
      }
      const parent = kernel.running
      const child = kernel.threads.child(parent, ++kernel.states.children[parent])
      kernel.spawn(child, 0, argument)
      const number = kernel.set.handleOf(child)
      kernel.states.start[child] = number
      kernel.states.detachedBy[child] = NEVER_JOINABLE
      kernel.threads.label(child, `thread ${kernel.threads.names[child]}`)
      kernel.record(Op.create, Mode.none, -1, child)
      kernel.stopNext()
      return number
    },
  }
}
