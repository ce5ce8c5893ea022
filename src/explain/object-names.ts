import type { Bug, Frame } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
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

/** A wait for something on the heap or on a stack: what kind of thing, and where it is. */
const nameless = /^(.*?)(?:byte \d+ of block \d+ of thread |a local variable of thread ).*$/

/** The bug with what threads wait for called what the source calls it where they wait, if it has no name of its own. */
export function nameWaits(bug: Bug, machine: Machine, sources: SourceText): Bug {
  if (bug.waits === undefined) return bug
  let { message } = bug
  const waits = bug.waits.map((wait) => {
    const { file, line, column } = machine.sites[wait.site] ?? {}
    const [, kind] = nameless.exec(wait.object) ?? []
    if (kind === undefined || !file || !line || !column) return wait
    const written = sources.expression(file, line, column)
    if (written === undefined) return wait
    const object = kind + written
    const who = machine.threads.labelOf(wait.thread)
    for (const verb of ['waits for', 'spins on'])
      message = message.replace(`${who} ${verb} ${wait.object}`, () => `${who} ${verb} ${object}`)
    return { ...wait, object }
  })
  return { ...bug, message, waits }
}
