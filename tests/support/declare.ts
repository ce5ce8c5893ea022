import { set } from '../../src/frontends/model/build.js'
import type { Declarations, Statement } from '../../src/frontends/model/program.js'

/** What objects of random programs begin with. */
export interface Beginning {
  readonly x: number
  readonly y: number
  /** Of the semaphore. */
  readonly permits: number
  /** Who meet at the barrier. */
  readonly parties: number
}

/** Declarations of what the threads use, and of nothing else. */
export function declare(
  uses: (name: string) => boolean,
  { x, y, permits, parties }: Beginning,
): Declarations {
  const pick = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => uses(name)))
  const sections = {
    variables: pick({ x, y, spinlock: 0 }),
    arrays: pick({ a: [0, 1] }),
    mutexes: pick({ m: 'plain', n: 'plain', rec: 'recursive', err: 'errorcheck' } as const),
    semaphores: pick({ s: permits }),
    barriers: pick({ b: parties }),
    rwlocks: ['rw'].filter(uses),
    conditions: ['c'].filter(uses),
  }
  return Object.fromEntries(Object.entries(sections).filter(([, part]) => Object.keys(part).length > 0))
}

/** Registers that are read are written before; a thread without statements has one. */
export function tidy(body: readonly Statement[]): Statement[] {
  const text = JSON.stringify(body)
  const isRead = (r: string) => text.includes(`"${r}"`)
  const isWritten = (r: string) => text.includes(`"into":"${r}"`)
  const missing = ['r', 'q', 'k'].filter((r) => isRead(r) && !isWritten(r))
  const statements = [...missing.map((r) => set(r, 0)), ...body]
  return statements.length > 0 ? statements : [set('r', 0)]
}
