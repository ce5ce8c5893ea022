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

/** Some of its locks may let waiting writers go first, on any platform. */
export function asksForWritersFirst({ artifact }: ProgramKernel): boolean {
  return artifact.sites.some(({ callee }) => callee === 'pthread_rwlockattr_setkind_np')
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
      checkTransactions(kernel, abortCodes)
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

/** Under weaker models than TSO a transaction may depend on what comes after it: see `WeakMemory.commit`. */
function checkTransactions(kernel: ProgramKernel, abortCodes: string | undefined): void {
  const { transactions, memoryModel } = kernel
  if (transactions === null || memoryModel === 'sc') return
  if (memoryModel !== 'tso')
    throw new UnsupportedError(
      `the program uses transactions, which there are under the memory models sc and tso only, not under ${memoryModel}`,
      ['transactions'],
    )
  const causes = abortCodes === undefined ? transactions.causes : parseAbortCauses(abortCodes)
  if (causes.conflict)
    throw new UnsupportedError(
      'transactions that abort by conflicts are known under sequential consistency only: use --transactions htm, or leave --memory-model out',
      ['conflict'],
    )
}
