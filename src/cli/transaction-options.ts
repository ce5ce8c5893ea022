import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  formatAbortCauses,
  parseAbortCauses,
  type TransactionKind,
  transactionKinds,
} from '../machine/transactions.js'

/** What to assume of transactional memory. */
export function addTransactionOptions(command: Command): void {
  command
    .addOption(
      new Option(
        '--transactions <kind>',
        'when transactions abort: htm (at any time, unless given) or stm (by conflicts only)',
      ).choices(Object.keys(transactionKinds)),
    )
    .option(
      '--abort-codes <list>',
      'the same in detail: retry, conflict, explicit, capacity=N, nested=N; separated by commas',
      abortCodes,
    )
}

function abortCodes(text: string): string {
  try {
    return formatAbortCauses(parseAbortCauses(text))
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** What `--transactions` means where `--abort-codes` does not say it. */
export function abortCodesIn(flags: Readonly<Record<string, unknown>>): string | undefined {
  const kind = flags.transactions as TransactionKind | undefined
  const given = flags.abortCodes as string | undefined
  return given ?? (kind === undefined ? undefined : abortCodes(transactionKinds[kind]))
}
