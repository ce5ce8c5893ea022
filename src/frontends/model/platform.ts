import type { PlatformControl } from '../../machine/machine.js'
import { formatAbortCauses, parseAbortCauses } from '../../machine/transactions.js'
import { ProgramError } from './program.js'
import type { ModelState } from './state.js'
import type { Transactions } from './transactions.js'
import { useModel } from './weak.js'

/** The memory model; spurious wake-ups, in programs that wait. */
export function platformOf(
  s: ModelState,
  hasConditions: boolean,
  transactions: Transactions,
  hasTransactions: boolean,
): PlatformControl {
  return {
    get settings() {
      return {
        memoryModel: s.memory?.model ?? 'sc',
        ...(hasConditions ? { spurious: s.spuriousLimit } : {}),
        ...(s.layout.rwlocks > 0 ? { preferWriters: s.preferWriters } : {}),
        ...(hasTransactions ? { abortCodes: formatAbortCauses(transactions.causes) } : {}),
      }
    },
    use({ memoryModel, spurious, preferWriters, abortCodes }) {
      if (memoryModel !== undefined && memoryModel !== 'sc' && hasTransactions) {
        throw new ProgramError(
          'memoryModel',
          `transactions are known under sequential consistency only, not under ${memoryModel}; leave the option out`,
        )
      }
      if (abortCodes !== undefined) transactions.causes = parseAbortCauses(abortCodes)
      if (memoryModel !== undefined) useModel(s, memoryModel)
      if (spurious !== undefined) s.spuriousLimit = spurious
      if (preferWriters !== undefined) s.preferWriters = preferWriters
    },
  }
}
