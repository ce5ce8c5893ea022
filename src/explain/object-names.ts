import type { Bug, Frame, Wait } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import type { Site } from '../machine/names.js'
import { nameElements } from './array-elements.js'
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
  if (kind === 'process' || kind === 'state') return full
  const prefix = prefixOf(kind)
  const name = full.startsWith(prefix) ? full.slice(prefix.length) : full
  // Who synchronises through an object that was given a name knows it by that.
  if (kind !== 'memory' && name.includes(' ') && !isNameless(full)) return prefix + name
  const written = writtenIn(frames, kind, sources)
  // The first part of a structure has the address, and so the name, of the whole.
  const isPart =
    written !== undefined && (kind === 'memory' ? /->|\.|\[/.test(written) : isPartOf(name, written))
  if (/^[\w:.~<>[\]$]+$/.test(name) && !isPart) return prefix + name
  if (written !== undefined) return prefix + written
  return prefix + name.replace(/^([A-Za-z_][\w:]*)\+\d+$/, '$1')
}

/** Objects other than memory are called by their kind, too. */
function prefixOf(kind: string): string {
  return kind === 'memory' ? '' : `${kind === 'condition' ? 'condition variable' : kind} `
}

/**
 * The name of a local variable of another thread than the one that accesses it: where that thread stands is where it stood
 * then. A thread's own stack may have changed since.
 */
export function localOfAnother(machine: Machine, location: number, thread: number): string | undefined {
  const local = machine.inspection?.localAt(location)
  if (local?.name === undefined || local.thread === thread) return undefined
  return prefixOf(machine.locations.kinds[location]) + local.name
}

/** Functions of the library whose caller names the object that they work on, by the kind of that object. */
const passedOn: Readonly<Record<string, RegExp>> = {
  memory: /\b(?:atomic|__atomic_base|__cxx_atomic\w*|atomic_ref)</,
  // Who calls a guard's own functions names the guard; but its constructor is given the lock.
  mutex: /\b(?:\w*mutex::\w+|(?:lock_guard|unique_lock)<.*>::(?:lock_guard|unique_lock))$/,
  rwlock:
    /\b(?:\w*mutex::\w+|(?:lock_guard|unique_lock|shared_lock)<.*>::(?:lock_guard|unique_lock|shared_lock))$/,
  condition: /\bcondition_variable::/,
  semaphore: /\bcounting_semaphore<.*>::/,
}

/** What the source calls the object: at the place itself, or where the library was called to work on it. */
function writtenIn(frames: readonly Frame[], kind: string, sources: SourceText): string | undefined {
  const at = frames.findIndex(({ isLibrary }) => !isLibrary)
  const passes = passedOn[kind]
  const isPassedOn = frames.slice(0, Math.max(at, 0)).every((frame) => passes?.test(frame.function) === true)
  const { file, line, column } = frames[at] ?? {}
  return isPassedOn && file && line && column ? sources.expression(file, line, column) : undefined
}

/** Whether an expression is a part of the static variable of that name: `pool.lock` of `pool`, `forks[1]` of `forks`. */
function isPartOf(variable: string, expression: string): boolean {
  return expression.startsWith(variable) && /^(?:\.|\[)/.test(expression.slice(variable.length))
}

/** Something on the heap or on a stack: what kind of thing, and where it is. */
const nameless = /^(.*?)(?:byte \d+ of block \d+ of thread |a local variable of thread ).*$/
/** The name says where the object lies, and nothing of what it is. */
export function isNameless(name: string): boolean {
  return nameless.test(name)
}

/** A place on the heap as it is named in a sentence, with all that is said about it. */
const namelessBlock = /byte \d+ of block \d+ of thread (?:main|.*?\([\d.]+\))(?:, allocated at [^,\s]+:\d+)?/

/** Something in a static variable: what kind of thing, and the variable. The first part has the name of the whole. */
const inVariable = /^((?:.* )?)([A-Za-z_]\w*)(?:\+\d+)?$/

/** What a wait is for, as the source calls it there; undefined if it has a name of its own. */
export function writtenWait(
  { object, spinning }: Wait,
  site: Site | undefined,
  sources: SourceText,
): string | undefined {
  const { file, line, column } = site ?? {}
  if (!file || !line || !column) return undefined
  if (spinning) {
    const named = nameElements(object, file, sources)
    return named === object ? undefined : named
  }
  const written = sources.expression(file, line, column)
  const [called] = /^\w*/.exec(sources.line(file, line)?.slice(column - 1) ?? '') ?? ['']
  // The first argument is the condition variable; who has been woken waits for the second.
  if (written === undefined || (/cond_|cnd_/.test(called) && !object.startsWith('a signal on ')))
    return undefined
  const [, kind] = nameless.exec(object) ?? []
  if (kind !== undefined) return kind + written
  const [, what = '', variable = ''] = inVariable.exec(object) ?? []
  return isPartOf(variable, written) ? what + written : undefined
}

/** The bug with its objects called what the source calls them where they are used, if they have no name of their own. */
export function nameObjects(bug: Bug, machine: Machine, sources: SourceText): Bug {
  const { file, line, column } = machine.sites[bug.site] ?? {}
  if (bug.kind === 'lock-misuse' && file && line && column) {
    const written = sources.expression(file, line, column)
    // Who waits on a condition variable names that, and the mutex may be the one that is misused.
    if (written !== undefined && !bug.message.includes(' waits on ') && namelessBlock.test(bug.message)) {
      return { ...bug, message: bug.message.replace(namelessBlock, () => written) }
    }
    const message = bug.message.replace(/\b([A-Za-z_]\w*)(?:\+\d+)?(?=,| |$)/g, (text, variable) =>
      written !== undefined && isPartOf(variable, written) ? written : text,
    )
    return { ...bug, message }
  }
  if (bug.waits === undefined) return bug
  let { message } = bug
  const waits = bug.waits.map((wait) => {
    const object = writtenWait(wait, machine.sites[wait.site], sources)
    if (object === undefined) return wait
    const who = machine.threads.labelOf(wait.thread)
    for (const verb of ['waits for', 'spins on'])
      message = message.replace(`${who} ${verb} ${wait.object}`, () => `${who} ${verb} ${object}`)
    return { ...wait, object }
  })
  return { ...bug, message, waits }
}
