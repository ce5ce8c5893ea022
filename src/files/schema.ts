/**
 * What a value in a file must look like. Returns the path of the first thing that is missing or wrong (`.jobs[3].points`),
 * or null if nothing is; `''` stands for the value itself.
 */
export type Schema<T> = ((value: unknown) => string | null) & { readonly of?: T }

/** The type of what a schema lets pass. */
export type Valid<S> = S extends Schema<infer T> ? T : never

const leaf =
  <T>(isRight: (value: unknown) => boolean): Schema<T> =>
  (value) =>
    isRight(value) ? null : ''

export const text = leaf<string>((value) => typeof value === 'string')
export const flag = leaf<boolean>((value) => typeof value === 'boolean')
export const number = leaf<number>((value) => typeof value === 'number')
/** A whole number from 0. */
export const count = leaf<number>((value) => Number.isInteger(value) && (value as number) >= 0)
export const data = leaf<Readonly<Record<string, unknown>>>(isRecord)

export function oneOf<const T extends string>(...names: readonly T[]): Schema<T> {
  return leaf<T>((value) => names.some((name) => name === value))
}

export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return (value) => (value === null ? null : schema(value))
}

export function list<T>(schema: Schema<T>, least = 0): Schema<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length < least) return ''
    return firstWrong(value.map((item, i) => [`[${i}]`, schema(item)]))
  }
}

/** An object with at least these fields. */
export function fields<T extends object>(
  schemas: {
    readonly [K in keyof T]: Schema<T[K]>
  },
): Schema<WithOptional<T>> {
  return (value) => {
    if (!isRecord(value)) return ''
    const parts = Object.entries<Schema<unknown>>(schemas)
    return firstWrong(parts.map(([key, schema]) => [`.${key}`, schema(value[key])]))
  }
}

export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return (value) => (value === undefined ? null : schema(value))
}

/** Fields that may be undefined may be missing. */
type WithOptional<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: T[K]
}

function firstWrong(parts: readonly (readonly [string, string | null])[]): string | null {
  const wrong = parts.find(([, path]) => path !== null)
  return wrong === undefined ? null : `${wrong[0]}${wrong[1]}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
