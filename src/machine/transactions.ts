/**
 * Transactional memory: what a begin returns, and for which reasons a transaction can abort. Its body runs as one
 * transition, or it aborts at once (Blum, "Practical Concurrency Testing", theorem 1); docs/transactions.md has the rest.
 */

/** What a begin returns, as on x86: `started`, or bits that say why the transaction aborted. */
export const TxStatus = {
  started: -1,
  explicit: 1,
  retry: 2,
  conflict: 4,
  capacity: 8,
  nested: 32,
} as const

/** The status of an abort that the program asked for. */
export function explicitStatus(code: number): number {
  return TxStatus.explicit | (code << 24)
}

/** Transactions inside each other that x86 allows. */
const USUAL_NESTING = 7

/** Why transactions abort besides by their own abort. */
export interface AbortCauses {
  /** For no reason that the program could know: always possible with hardware, and stands for all other reasons. */
  readonly retry: boolean
  /** Since another thread has touched what the transaction has: told apart from `retry` by its code. */
  readonly conflict: boolean
  /** Places that a transaction can touch. */
  readonly capacity: number
  /** Transactions that can be inside each other. */
  readonly nested: number
}

/** `--transactions`: what hardware may do, and what software does. */
export const transactionKinds = { htm: 'retry', stm: 'conflict' } as const
export type TransactionKind = keyof typeof transactionKinds

/** Reads `retry,conflict,capacity=8`; throws a RangeError that says what would be right. */
export function parseAbortCauses(text: string): AbortCauses {
  const causes = { retry: false, conflict: false, capacity: Infinity, nested: USUAL_NESTING }
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'explicit')
  for (const word of words) {
    const [name, limit] = word.split('=')
    if ((name === 'retry' || name === 'conflict') && limit === undefined) causes[name] = true
    else if ((name === 'capacity' || name === 'nested') && /^[1-9][0-9]*$/.test(limit ?? ''))
      causes[name] = Number(limit)
    else {
      throw new RangeError(
        `unknown cause of aborts "${word}"; known are retry, conflict, explicit (always on), capacity=N and nested=N`,
      )
    }
  }
  return causes
}

/** The same causes in the same words. */
export function formatAbortCauses({ retry, conflict, capacity, nested }: AbortCauses): string {
  return [
    ...(retry ? ['retry'] : []),
    ...(conflict ? ['conflict'] : []),
    'explicit',
    ...(capacity === Infinity ? [] : [`capacity=${capacity}`]),
    ...(nested === USUAL_NESTING ? [] : [`nested=${nested}`]),
  ].join(',')
}

export const usualAborts = formatAbortCauses(parseAbortCauses(transactionKinds.htm))

/** Why a transaction aborted, for people. */
export function abortReason(status: number): string {
  if ((status & TxStatus.explicit) !== 0) return `by itself, with code ${(status >>> 24) & 0xff}`
  if ((status & TxStatus.conflict) !== 0) return 'by a conflict'
  if ((status & TxStatus.capacity) !== 0) return 'for lack of capacity'
  if ((status & TxStatus.nested) !== 0) return 'by too deep nesting'
  return 'and may be retried'
}

/** Whether it aborted without having begun to do anything. */
export function isAtOnce(status: number): boolean {
  return (status & TxStatus.retry) !== 0
}

/**
 * Whether it is a step of its own to choose that a transaction starts, which the body follows in another. Like an abort it
 * touches nothing, so that all alternatives of a step touch the same. Where others decide who may abort they do not anyway.
 */
export function startsApart({ conflict }: AbortCauses): boolean {
  return !conflict
}

/** How the hash of a program goes on where it is: schedules that were recorded otherwise have other steps. */
export const stepsMark = ' starts apart'

/** Names of the alternatives of a begin. */
export const beginAlternatives = {
  starts: 'starts',
  retry: 'aborts',
  conflict: 'aborts by a conflict',
} as const

/** What a guarantee says. */
export function abortScope(text: string): string {
  const { retry, conflict, capacity } = parseAbortCauses(text)
  const causes = [
    ...(conflict ? ['where others touch what they have'] : []),
    ...(capacity === Infinity ? [] : [`beyond ${capacity} places`]),
  ]
  if (retry) return 'transactions that may abort at any time'
  if (causes.length > 0) return `transactions that abort only ${causes.join(' or ')}, or by themselves`
  return 'transactions that abort only by themselves'
}
