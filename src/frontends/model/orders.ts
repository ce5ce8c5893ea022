import { Order } from '../../machine/events.js'
import { memoryOrders, ProgramError } from './program.js'

/** Memory orders as `ModelState.order` holds them: the first of the fields, and four bits further up the second. */
export function encodeOrders(fields: readonly string[], values: object, where: string): number {
  const [own, failure = Order.seqCst] = fields.map((field) => encode(field, values, where))
  return own | (failure << 4)
}

function encode(field: string, values: object, where: string): number {
  const order = (values as Record<string, unknown>)[field]
  if (order === undefined) return Order.seqCst
  const code = (memoryOrders as readonly unknown[]).indexOf(order)
  if (code >= 0) return code
  throw new ProgramError(
    where,
    `${field} ${JSON.stringify(order)}: memory orders are ${memoryOrders.join(', ')}`,
  )
}
