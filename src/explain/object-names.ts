import type { Frame } from '../program/bug.js'
import type { Machine } from '../program/machine.js'
import type { SourceText } from './source-text.js'

/**
 * What an object is called in a report. Static variables have names of their own; parts of them, blocks of the heap
 * and locals are called what the source calls them at the place of the access.
 */
export function nameObject(
  machine: Machine,
  location: number,
  frames: readonly Frame[],
  sources: SourceText,
): string {
  // Names may tell more after a comma: where a block was allocated.
  const [full] = machine.describeLocation(location).split(',')
  const kind = machine.locations.kinds[location]
  if (kind === 'process') return full
  const prefix = kind === 'memory' ? '' : `${kind === 'condition' ? 'condition variable' : kind} `
  const name = full.startsWith(prefix) ? full.slice(prefix.length) : full
  const [inner] = frames
  const written =
    inner && !inner.isLibrary && inner.file && inner.line && inner.column
      ? sources.expression(inner.file, inner.line, inner.column)
      : undefined
  // The first part of a structure has the address, and so the name, of the whole.
  const isPart = kind === 'memory' && written !== undefined && /->|\.|\[/.test(written)
  if (/^[\w:.~<>[\]$]+$/.test(name) && !isPart) return prefix + name
  if (written !== undefined) return prefix + written
  return prefix + name.replace(/^([A-Za-z_][\w:]*)\+\d+$/, '$1')
}
