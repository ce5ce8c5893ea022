import { abortScope, usualAborts } from './transactions.js'

/** What becomes of freed memory: `fresh` never gives it out again, `reuse` does so at once. */
export const heapModes = ['fresh', 'reuse'] as const
export type HeapMode = (typeof heapModes)[number]

/** Which values loads may see, and in which order stores reach memory: see docs/memory-models.md. */
export const memoryModels = ['sc', 'tso', 'pso', 'c11'] as const
export type MemoryModel = (typeof memoryModels)[number]

/**
 * What a platform may do or leave, and programs must be ready for: which of it a search includes is for the user to say.
 * Each setting is another program as far as schedules are concerned.
 */
export interface Platform {
  readonly memoryModel: MemoryModel
  /** What becomes of freed memory. */
  readonly heap: HeapMode
  /** How many waits on condition variables may end without a signal, in one execution. */
  readonly spurious: number
  /** Whether who locks for reading waits for those who wait to lock for writing. */
  readonly preferWriters: boolean
  /** Whether misuse of mutexes and of joins that POSIX has an error code for returns that code, and is no bug. */
  readonly lockErrors: boolean
  /** A line of the program, `queue.c:12`, whose synchronisation is left out to see what it is good for; empty for none. */
  readonly whatIf: string
  /** Why transactions abort: see `parseAbortCauses`. */
  readonly abortCodes: string
}

/** What a wait can do as it begins, where spurious wake-ups are left: the names of its alternatives. */
export const waitAlternatives = ['waits for a signal', 'wakes spuriously'] as const

/** Within the name of an alternative, where a load sees another write than the newest, or a store goes before it. */
export const olderThan = ', older than '
/** What comes before the reason why that is allowed, where it is given. */
export const since = ', since '

export type PlatformKey = keyof Platform

/** What is assumed unless the user says otherwise. */
export const usualPlatform: Platform = {
  memoryModel: 'sc',
  heap: 'fresh',
  spurious: 0,
  preferWriters: false,
  lockErrors: false,
  whatIf: '',
  abortCodes: usualAborts,
}

export const platformKeys = Object.keys(usualPlatform) as readonly PlatformKey[]

/** The part of some settings that is about the platform. */
export function pickPlatform(settings: Partial<Platform>): Partial<Platform> {
  return Object.fromEntries(
    platformKeys.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]])),
  )
}

/** How a hash of the program goes on: with what is unusual about its platform. */
export function platformMark(platform: Partial<Platform>): string {
  return platformKeys
    .flatMap((key) =>
      platform[key] === undefined || platform[key] === usualPlatform[key] ? [] : [` ${key}=${platform[key]}`],
    )
    .join('')
}

/** Whether two platforms have the same settings. */
export function isSamePlatform(a: Partial<Platform>, b: Partial<Platform>): boolean {
  for (const key of platformKeys) if (a[key] !== b[key]) return false
  return true
}

const modelScopes: Readonly<Record<MemoryModel, string>> = {
  sc: 'sequential consistency',
  tso: 'total store order (TSO)',
  pso: 'partial store order (PSO)',
  c11: 'the C11 memory model (RC11)',
}

/** What a guarantee says about a setting, `sampled` schedules having been tried with the unusual one. */
const scopes: { readonly [K in PlatformKey]: (value: Platform[K], sampled: number) => string } = {
  memoryModel: (model) => modelScopes[model],
  heap: (mode, sampled) =>
    mode === 'reuse'
      ? 'freed memory reused at once'
      : `freed memory never reused${sampled > 0 ? ` (with it reused at once, ${sampled} schedules were sampled)` : ''}`,
  spurious: (limit, sampled) =>
    limit > 0
      ? `at most ${limit === 1 ? '1 spurious wake-up' : `${limit === Infinity ? 'any number of' : limit} spurious wake-ups`}`
      : `no spurious wake-ups${sampled > 0 ? ` (with one, ${sampled} schedules were sampled)` : ''}`,
  // POSIX permits both; who holds the lock for reading and takes it again may wait for ever where they do wait.
  preferWriters: (isOn) => `readers that ${isOn ? '' : 'do not '}wait for a waiting writer`,
  lockErrors: (isOn) =>
    isOn ? 'misuse of mutexes and joins answered by an error code, which is no bug' : '',
  whatIf: (place) => (place === '' ? '' : `the synchronisation at ${place} left out`),
  abortCodes: abortScope,
}

/** One phrase per setting that the machine knows and that has one. */
export function platformScope(
  platform: Partial<Platform>,
  sampled: Partial<Record<PlatformKey, number>> = {},
): string[] {
  const phrase = <K extends PlatformKey>(key: K): string[] => {
    const value = platform[key]
    const words = value === undefined ? '' : scopes[key](value as Platform[K], sampled[key] ?? 0)
    return words === '' ? [] : [words]
  }
  return platformKeys.flatMap(phrase)
}
