import type { WeakMemory } from '../../../../memory/weak-memory.js'
import { UnsupportedError } from '../../toolchain/errors.js'
import { describeAddress } from '../describe.js'
import type { Kernel } from '../kernel.js'
import type { Unordered } from './plain-history.js'
import type { Range } from './plain-ranges.js'
import { whyUnordered } from './write-names.js'

/**
 * The running thread accesses what another one has accessed, with no order between the two: a bug under C11. Elsewhere that is
 * not known of accesses that are no events.
 */
export function reportRace(
  kernel: Kernel,
  memory: WeakMemory,
  access: Range,
  other: Unordered,
  verb = access.writes ? 'writes' : 'reads',
): never {
  const place = kernel.artifact.sites[other.site]
  const where = place?.line === undefined ? '' : ` at ${place.file}:${place.line}`
  const what = describeAddress(kernel, access.start)
  const whom = `${kernel.threads.labelOf(other.thread)} ${other.wrote ? 'wrote' : 'read'}${where}`
  if (memory.model !== 'c11') {
    const many = `an access of many bytes, or by a library, to ${what}, which ${whom} with no order between the two`
    throw unsupported(
      memory,
      many,
      'single accesses of up to 8 bytes are, and locks or atomics around others',
    )
  }
  const why = whyUnordered(kernel, memory, kernel.running, other.thread, other.rank)
  const reason = why === null ? '' : `: ${why}`
  return kernel.fail(
    'data-race',
    `${verb} ${what}, which ${whom}, with no order between the two and one of them not atomic${reason}`,
    access.site,
  )
}

export function unsupported({ model }: WeakMemory, what: string, instead: string): UnsupportedError {
  return new UnsupportedError(
    `the program makes ${what}: not supported under the memory model ${model}; ${instead}`,
    [what],
  )
}
