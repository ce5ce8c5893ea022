import { createHash } from 'node:crypto'
import { Mode } from '../../../machine/operation.js'
import type { Kernel } from './kernel.js'

/**
 * Canonical text of the shared state: the values of all static variables and heap blocks that the execution touched,
 * by address, and what it printed. With footprints off, when nobody knows what was touched, all static data.
 */
export function finalState(kernel: Kernel, output: string, footprints: boolean): string {
  const { events, addresses, map, artifact, locations } = kernel
  const { bytes } = kernel.memory
  const { dataStart, dataEnd } = artifact.layout
  const hash = createHash('sha256')
  if (!footprints) {
    hash.update(kernel.own ? bytes.subarray(0, kernel.own.end) : bytes.subarray(dataStart, dataEnd))
    return `${hash.digest('hex').slice(0, 16)} ${JSON.stringify(output)}`
  }
  const touched = new Set<number>()
  for (let i = 0; i < events.count; i++) {
    const location = events.location[i]
    if (events.mode[i] !== Mode.none && locations.kinds[location] === 'memory') touched.add(location)
  }
  const lines: string[] = []
  for (const location of [...touched].sort(
    (a, b) => addresses.start[a] - addresses.start[b] || addresses.size[a] - addresses.size[b],
  )) {
    const start = addresses.start[location]
    const isStatic = (start >= dataStart && start < dataEnd) || kernel.own !== undefined
    const isHeap = map.slotOfHeap(start) >= 0
    if (!isStatic && !isHeap) continue
    const content = Buffer.from(bytes.subarray(start, start + addresses.size[location])).toString('hex')
    lines.push(`${locations.keys[location]}=${content}`)
  }
  hash.update(lines.join('\n'))
  return `${hash.digest('hex').slice(0, 16)} ${JSON.stringify(output)}`
}
