/** What parts of the input are called that no program declares: standard input, arguments, values of the environment. */
export const STANDARD_INPUT = 'stdin'

/** Of the argument of a number, from 1 on. */
export function argumentName(number: number): string {
  return `arg${number}`
}

export function environmentName(variable: string): string {
  return `env.${variable}`
}

/** A part of the input that comes from outside. */
export type Outside =
  | { readonly kind: 'stdin' }
  | { readonly kind: 'argument'; readonly number: number }
  | { readonly kind: 'environment'; readonly variable: string }

/** Where an input of that name comes from; undefined if the program declares it. */
export function outsideOf(name: string): Outside | undefined {
  if (name === STANDARD_INPUT) return { kind: 'stdin' }
  const [, number] = /^arg(\d+)$/.exec(name) ?? []
  if (number !== undefined) return { kind: 'argument', number: Number(number) }
  const [, variable] = /^env\.(.*)$/s.exec(name) ?? []
  return variable === undefined ? undefined : { kind: 'environment', variable }
}
