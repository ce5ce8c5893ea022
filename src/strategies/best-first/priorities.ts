import type { Machine } from '../../machine/machine.js'
import type { Random } from '../../random/random.js'
import { StrategyError } from '../registry.js'
import { type Branch, Need, type PriorityFunction } from './branch.js'

/** Preemptions beyond this many count as so many. */
const mostPreemptions = 1024
const randomLevels = 1 << 16
const mostLevels = 1 << 16

/** What is known to the search besides the functions themselves. */
export interface Priorities {
  /** First one first. */
  readonly functions: readonly PriorityFunction[]
  readonly useSleepSets: boolean
  readonly readsNeed: boolean
  readonly readsSleep: boolean
}

/** Fewest preemptions first. A function of the user's may have the same name: whoever relies on this order compares functions. */
export const pb: PriorityFunction = {
  name: 'pb',
  levels: mostPreemptions,
  priority: (branch) => Math.min(branch.preemptions, mostPreemptions - 1),
}

/** What DPOR would do first. */
const dpor: PriorityFunction = {
  name: 'dpor',
  levels: 2,
  priority: (branch) => (branch.need === Need.none ? 1 : 0),
}

/** The same, with what DPOR adds only to be safe in between. */
const mdpor: PriorityFunction = { name: 'mdpor', levels: 3, priority: (branch) => branch.need }

/** What sleeps comes last. */
const ss: PriorityFunction = { name: 'ss', levels: 2, priority: (branch) => (branch.asleep ? 1 : 0) }

function rand(random: Random): PriorityFunction {
  return { name: 'rand', levels: randomLevels, priority: () => random.below(randomLevels) }
}

/** Both the thread that is left and the one that comes in are where the user pointed, then one of them, then none. */
function pointed(name: string, tag: (machine: Machine, thread: number) => number): PriorityFunction {
  return { name, levels: 3, tag, priority: (branch: Branch) => 2 - branch.tag - branch.previousTag }
}

function method(names: readonly string[]): PriorityFunction {
  return pointed('method', (machine, thread) => {
    const site = machine.sites[machine.pending.site[thread]]
    if (site !== undefined && names.includes(site.function)) return 1
    return machine.stackOf(thread).some((f) => names.includes(f)) ? 1 : 0
  })
}

function variable(names: readonly string[]): PriorityFunction {
  const known = new Map<number, number>()
  return pointed('var', (machine, thread) => {
    const location = machine.pending.location[thread]
    if (location < 0) return 0
    let named = known.get(location)
    if (named === undefined) {
      named = isNamed(machine, location, names) ? 1 : 0
      known.set(location, named)
    }
    return named
  })
}

/** A name stands for the object and for its parts: `q` for `q[3]`, `q.head` and `mutex q`. */
function isNamed(machine: Machine, location: number, names: readonly string[]): boolean {
  const text = machine.describeLocation(location)
  const key = machine.locations.keys[location]
  return names.some(
    (name) =>
      key === name ||
      text === name ||
      text.endsWith(` ${name}`) ||
      text.startsWith(`${name}[`) ||
      text.startsWith(`${name}.`),
  )
}

export const priorityHelp =
  'an order from pb, dpor, mdpor, ss, rand, method(F|G), var(X|Y), the first counting most; no-sleep: without sleep sets; as in best-first:mdpor,pb'

/** Reads `method(push|pop),pb`. `own` are functions of the user's, by name. */
export function parsePriorities(
  text: string,
  random: Random,
  own: Readonly<Record<string, PriorityFunction>> = {},
): Priorities {
  const functions: PriorityFunction[] = []
  let useSleepSets = true
  for (const word of splitOutside(text)) {
    const [, name, , list] = /^([^()]*)(\(([^()]*)\))?$/.exec(word) ?? []
    const names = list?.split('|').filter(Boolean)
    const takesNames = name === 'method' || name === 'var'
    if (name === undefined || (takesNames ? !names?.length : names !== undefined)) {
      throw new StrategyError(
        `best-first: "${word}" is not right; write method(push|pop) or var(x|y), and the others without brackets`,
      )
    }
    if (name === 'no-sleep') useSleepSets = false
    else functions.push(named(name, names ?? [], random, own))
  }
  const has = (...names: string[]) => functions.some((f) => names.includes(f.name))
  checkLevels(functions)
  const isOwn = functions.some((f) => Object.values(own).includes(f))
  return {
    functions,
    useSleepSets,
    readsNeed: has('dpor', 'mdpor') || isOwn,
    readsSleep: has('ss') || isOwn,
  }
}

function named(
  name: string,
  names: readonly string[],
  random: Random,
  own: Readonly<Record<string, PriorityFunction>>,
): PriorityFunction {
  if (Object.hasOwn(own, name)) return own[name]
  switch (name) {
    case 'pb':
      return pb
    case 'dpor':
      return dpor
    case 'mdpor':
      return mdpor
    case 'ss':
      return ss
    case 'rand':
      return rand(random)
    case 'method':
      return method(names)
    case 'var':
      return variable(names)
  }
  const known = ['pb', 'dpor', 'mdpor', 'ss', 'rand', 'method(F|G)', 'var(X|Y)', ...Object.keys(own)]
  throw new StrategyError(`best-first: there is no order "${name}"; known are ${known.join(', ')}, no-sleep`)
}

/** At commas, but not those inside brackets. */
function splitOutside(text: string): string[] {
  return (text.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? []).map((word) => word.trim()).filter(Boolean)
}

function checkLevels(functions: readonly PriorityFunction[]): void {
  let product = 1
  for (const { name, levels } of functions) {
    if (!Number.isInteger(levels) || levels < 1 || levels > mostLevels) {
      throw new StrategyError(`best-first: ${name} must have 1 to ${mostLevels} levels, not ${levels}`)
    }
    product *= levels
  }
  if (product > Number.MAX_SAFE_INTEGER) {
    throw new StrategyError('best-first: too many priority functions with many levels; leave some out')
  }
}

/** All priorities in one number; the first function counts most. Exact, since the product of levels is. */
export function keyOf(
  functions: readonly PriorityFunction[],
  branch: Branch,
  tags: (f: number) => void,
): number {
  let key = 0
  for (let f = 0; f < functions.length; f++) {
    tags(f)
    const { name, levels } = functions[f]
    const level = functions[f].priority(branch)
    if (!(Number.isInteger(level) && level >= 0 && level < levels)) {
      throw new StrategyError(
        `best-first: ${name} gave priority ${level}, expected an integer from 0 to ${levels - 1}`,
      )
    }
    key = key * levels + level
  }
  return key
}

/** What the first function said of a key. */
export function firstLevel(functions: readonly PriorityFunction[], key: number): number {
  let rest = 1
  for (const { levels } of functions.slice(1)) rest *= levels
  return Math.floor(key / rest)
}
