import type { PlatformControl } from '../../../machine/machine.js'
import { formatAbortCauses, parseAbortCauses } from '../../../machine/transactions.js'
import { UnsupportedError } from '../toolchain/errors.js'
import type { LeftOut } from './left-out.js'
import type { ProgramKernel } from './program-kernel.js'
import type { Recall } from './recall.js'
import type { ReaderWriterLocks } from './rwlocks.js'

export function takesReadLocks({ artifact }: ProgramKernel): boolean {
  return artifact.sites.some(({ callee }) => /rwlock_\w*rdlock|lock_shared/.test(callee ?? ''))
}

/** A module with a memory of its own also brings its heap and its condition variables. */
export function platformOf(
  kernel: ProgramKernel,
  recall: Recall,
  rwlocks: ReaderWriterLocks,
  leftOut: LeftOut | undefined,
  notWeak: readonly string[],
): PlatformControl {
  const readLocks = takesReadLocks(kernel)
  return {
    get settings() {
      const { own, heap, spuriousWakeups, lockErrors } = kernel
      if (own) return {}
      const { preferWriters } = rwlocks
      return {
        ...(kernel.weak === null ? {} : { memoryModel: kernel.memoryModel }),
        heap: heap.mode,
        spurious: spuriousWakeups.limit,
        ...(readLocks ? { preferWriters } : {}),
        lockErrors,
        ...(kernel.transactions ? { abortCodes: formatAbortCauses(kernel.transactions.causes) } : {}),
        ...(leftOut ? { whatIf: leftOut.place } : {}),
      }
    },
    ...(kernel.transactions ? { fixed: ['heap'] as const } : {}),
    use({ memoryModel, heap, spurious, preferWriters, lockErrors, whatIf, abortCodes }) {
      if (leftOut !== undefined && whatIf !== undefined) leftOut.place = whatIf
      if (memoryModel !== undefined && memoryModel !== kernel.memoryModel) {
        const [refused] = notWeak
        if (refused !== undefined) {
          throw new UnsupportedError(
            `the program uses ${refused}, which there is not under the memory model ${memoryModel}; leave --memory-model out`,
            [refused],
          )
        }
        kernel.useModel(memoryModel)
      }
      if (heap === 'reuse' && kernel.memoryModel !== 'sc')
        throw new UnsupportedError(
          `freed memory is not reused under the memory model ${kernel.memoryModel}`,
          ['--heap'],
        )
      if (heap === 'reuse' && kernel.transactions !== null)
        throw new UnsupportedError('freed memory is not reused in programs with transactions', ['--heap'])
      if (abortCodes !== undefined && kernel.transactions !== null)
        kernel.useAborts(parseAbortCauses(abortCodes))
      if (lockErrors !== undefined) kernel.lockErrors = lockErrors
      if (preferWriters !== undefined) rwlocks.preferWriters = preferWriters
      kernel.checkpoints.forget()
      recall.forget()
      if (heap !== undefined) kernel.heap.mode = heap
      if (spurious !== undefined) kernel.allowSpurious(spurious)
    },
  }
}
