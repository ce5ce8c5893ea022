import type { LocationTable, ObjectKind } from '../../machine/names.js'
import { type Declarations, type MutexType, ProgramError } from './program.js'

export type DeclaredType = 'variable' | 'array' | 'mutex' | 'rwlock' | 'condition' | 'semaphore' | 'barrier'

export interface DeclaredObject {
  readonly name: string
  readonly type: DeclaredType
  /** Index of its first cell. */
  readonly cell: number
  /** Elements of an array; 1 for the rest. */
  readonly length: number
}

export const MUTEX_PLAIN = 0
export const MUTEX_RECURSIVE = 1
export const MUTEX_ERRORCHECK = 2
const mutexTypes: readonly MutexType[] = ['plain', 'recursive', 'errorcheck']

/**
 * Where every shared object lives. All state of all objects is one array of cells, so that a reset is one copy:
 *
 * | object | cells |
 * |---|---|
 * | variable, array element, semaphore | value |
 * | mutex | owner's thread index + 1 or 0, depth |
 * | rwlock | readers, or -1 for a writer; writer's thread index + 1 or 0; writers that readers wait for |
 * | condition | first waiter + 1 or 0, last waiter + 1 or 0, number of waiters |
 * | barrier | arrived, generation |
 *
 * An object is referred to by its first cell.
 */
export interface Layout {
  readonly objects: readonly DeclaredObject[]
  readonly initial: Int32Array
  /** Location of the object a cell belongs to; -1 for barriers, whose location changes with the generation. */
  readonly locationOf: Int32Array
  /** By first cell: the type of a mutex, the count of a barrier, the rank of an rwlock. */
  readonly detail: Int32Array
  readonly rwlocks: number
  /** The object whose first cell this is, or the array an element belongs to. */
  objectAt(cell: number): DeclaredObject
  /** Throws a `ProgramError` when there is none of these types and that name. */
  find(types: readonly DeclaredType[], name: unknown, where: string): DeclaredObject
}

export const identifier = /^[A-Za-z_][A-Za-z0-9_-]*$/

export function isInt32(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value
}

export function layOut(declarations: Declarations, locations: LocationTable): Layout {
  const objects: DeclaredObject[] = []
  const byName = new Map<string, DeclaredObject>()
  const initial: number[] = []
  const details: [cell: number, value: number][] = []
  const owners: DeclaredObject[] = []

  const declare = (type: DeclaredType, name: string, cells: readonly number[], detail = 0) => {
    if (!identifier.test(name)) {
      throw new ProgramError(
        `${type} ${JSON.stringify(name)}`,
        'a name is a letter or _ followed by letters, digits, _ or -',
      )
    }
    const other = byName.get(name)
    if (other)
      throw new ProgramError(`${type} "${name}"`, `the name is taken by a ${other.type}; names must differ`)
    const object = { name, type, cell: initial.length, length: type === 'array' ? cells.length : 1 }
    objects.push(object)
    byName.set(name, object)
    if (detail !== 0) details.push([object.cell, detail])
    for (const cell of cells) {
      initial.push(cell)
      owners.push(object)
    }
  }

  for (const [name, value] of entries(declarations.variables, 'variables')) {
    if (!isInt32(value)) throw wrongValue(`variable "${name}"`, 'its initial value', value)
    declare('variable', name, [value])
  }
  for (const [name, elements] of entries(declarations.arrays, 'arrays')) {
    if (!Array.isArray(elements) || elements.length === 0) {
      throw new ProgramError(
        `array "${name}"`,
        'must be a list of at least one initial element, such as [0, 0, 0]',
      )
    }
    elements.forEach((value, i) => {
      if (!isInt32(value)) throw wrongValue(`array "${name}"`, `element ${i}`, value)
    })
    declare('array', name, elements)
  }
  for (const [name, type] of entries(declarations.mutexes, 'mutexes')) {
    const detail = mutexTypes.indexOf(type)
    if (detail < 0) {
      throw new ProgramError(
        `mutex "${name}"`,
        `unknown type ${JSON.stringify(type)}; known are ${mutexTypes.join(', ')}`,
      )
    }
    declare('mutex', name, [0, 0], detail)
  }
  let rwlocks = 0
  for (const name of list(declarations.rwlocks, 'rwlocks')) declare('rwlock', name, [0, 0, 0], rwlocks++)
  for (const name of list(declarations.conditions, 'conditions')) declare('condition', name, [0, 0, 0])
  for (const [name, count] of entries(declarations.semaphores, 'semaphores')) {
    if (!isInt32(count) || count < 0) {
      throw new ProgramError(
        `semaphore "${name}"`,
        `its count must be an integer of at least 0, not ${JSON.stringify(count)}`,
      )
    }
    declare('semaphore', name, [count])
  }
  for (const [name, count] of entries(declarations.barriers, 'barriers')) {
    if (!isInt32(count) || count < 1) {
      throw new ProgramError(
        `barrier "${name}"`,
        `its count must be an integer of at least 1, not ${JSON.stringify(count)}`,
      )
    }
    declare('barrier', name, [0, 0], count)
  }

  const locationOf = Int32Array.from(owners, (object, cell) => {
    if (object.type === 'barrier') return -1
    const key = object.type === 'array' ? `${object.name}[${cell - object.cell}]` : object.name
    return locations.intern(locationKind[object.type], key)
  })
  const detail = new Int32Array(initial.length)
  for (const [cell, value] of details) detail[cell] = value

  return {
    objects,
    initial: Int32Array.from(initial),
    locationOf,
    detail,
    rwlocks,
    objectAt: (cell) => owners[cell],
    find(types, name, where) {
      const object = typeof name === 'string' ? byName.get(name) : undefined
      if (object && types.includes(object.type)) return object
      const wanted = types.join(' or ')
      const known = objects.filter((o) => types.includes(o.type)).map((o) => o.name)
      const choice = known.length === 0 ? 'none is declared' : `declared: ${known.join(', ')}`
      const found = object
        ? `"${name}" is a ${object.type}, not a ${wanted}`
        : `no ${wanted} ${JSON.stringify(name) ?? 'given'}`
      throw new ProgramError(where, `${found}; ${choice}`)
    },
  }
}

const locationKind: Record<DeclaredType, ObjectKind> = {
  variable: 'memory',
  array: 'memory',
  mutex: 'mutex',
  rwlock: 'rwlock',
  condition: 'condition',
  semaphore: 'semaphore',
  barrier: 'barrier',
}

function entries<T>(record: Readonly<Record<string, T>> | undefined, where: string): [string, T][] {
  if (record === undefined) return []
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    throw new ProgramError(where, 'must be an object from names to values')
  }
  return Object.entries(record)
}

function list(names: readonly string[] | undefined, where: string): readonly string[] {
  if (names === undefined) return []
  if (!Array.isArray(names)) throw new ProgramError(where, 'must be a list of names')
  return names
}

function wrongValue(where: string, what: string, value: unknown): ProgramError {
  return new ProgramError(where, `${what} must be a 32-bit integer, not ${JSON.stringify(value)}`)
}
