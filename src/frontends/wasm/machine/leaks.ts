import type { Bug } from '../../../machine/bug.js'
import { bytes } from './amounts.js'
import type { Kernel } from './kernel.js'

/** Blocks whose allocation a report shows. */
const MOST_SHOWN = 5

/**
 * Blocks that nobody freed by the time the program has ended, as a bug at the place where the first of them was
 * allocated. What constructors allocated before `main` is theirs for
 * good, and what libc did without being called (the arguments of `main`) is its own. If a thread had not ended, what it would
 * still have freed is not known, and nothing is said.
 */
export function findLeak(kernel: Kernel): Bug | null {
  const blocks = kernel.heap.unfreed().filter(({ site }) => site >= 0)
  if (blocks.length === 0 || kernel.unfinished().length > 0) return null
  const [first] = blocks
  const total = blocks.reduce((sum, { size }) => sum + size, 0)
  const what =
    blocks.length === 1
      ? `a block of ${bytes(first.size)} is`
      : `${blocks.length} blocks, ${bytes(total)} in all, are`
  const thread = kernel.set.threadOf(first.slot + 1)
  const stacks = blocks.slice(0, MOST_SHOWN).flatMap((block) => kernel.blockStacks.historyOf(block))
  const message = `${what} not freed when the program ends`
  return { kind: 'leak', message, thread, site: first.site, ...(stacks.length > 0 ? { stacks } : {}) }
}
