import { Order } from '../../../../machine/events.js'
import type { Access } from '../../../../memory/access.js'
import { EventKind } from '../../../../memory/graph.js'
import type { Cell } from './cells.js'

/** What a transaction does to a cell. */
export interface TouchedCell {
  /** It read it before it wrote it. */
  reads: boolean
  writes: boolean
  readonly site: number
}

/** A plain read of a cell, or a write. */
export function plainAccess({ location }: Cell, kind: number, site: number): Access {
  return {
    kind,
    location,
    order: Order.relaxed,
    failure: Order.relaxed,
    isAtomic: false,
    expected: null,
    site,
  }
}

/** What the transaction under way has touched, in order; memory has the values. */
export class TransactionAccesses {
  readonly cells = new Map<Cell, TouchedCell>()

  note(cell: Cell, kind: number, site: number): void {
    const known = this.cells.get(cell)
    const writes = kind !== EventKind.read
    if (known === undefined) this.cells.set(cell, { reads: kind !== EventKind.write, writes, site })
    else known.writes ||= writes
  }

  /** Each cell that was read, or written. */
  accesses(kind: number): { cell: Cell; access: Access }[] {
    const isWanted = ({ reads, writes }: TouchedCell) => (kind === EventKind.read ? reads : writes)
    return [...this.cells]
      .filter(([, touched]) => isWanted(touched))
      .map(([cell, { site }]) => ({ cell, access: plainAccess(cell, kind, site) }))
  }
}
