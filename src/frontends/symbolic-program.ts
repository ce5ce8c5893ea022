import type { InputControl } from '../symbolic/input-control.js'
import { outsideOf } from '../symbolic/input-names.js'
import { LoadError, type ProgramOption, type Recipe } from './front-end.js'
import { bytesIn, GivenInputs } from './input-values.js'
import type { InputSettings } from './program-input.js'
import type { WasmMachineOptions } from './wasm/index.js'

/** What of its input a program is not told in advance. */
export interface SymbolicSettings {
  /** Objects that the program declares to be its input may have any value. */
  readonly symbolic?: boolean
  /** So many arguments may be any text of up to `LONGEST_ARGUMENT` characters. */
  readonly symbolicArgs?: string
  /** Standard input may be any so many bytes. */
  readonly symbolicStdin?: string
  /** Variables of the environment that may be any text: `NAME`, or `NAME=n` for up to n characters. */
  readonly symbolicEnv?: readonly string[]
}

export const symbolicOptions: readonly ProgramOption[] = [
  {
    key: 'input',
    flags: '--input <name=value>',
    summary:
      'the value of an input that the program declares by faultline_symbolic: a number, text:… or hex:…',
    holds: 'variables',
  },
  {
    key: 'symbolic',
    flags: '--symbolic',
    summary: 'explore inputs, too: those of faultline_symbolic and __VERIFIER_nondet_… may have any value',
    holds: 'switch',
  },
  {
    key: 'symbolicArgs',
    flags: '--symbolic-args <n>',
    summary: 'this many arguments, each any text of up to 8 characters; implies --symbolic',
    holds: 'text',
  },
  {
    key: 'symbolicStdin',
    flags: '--symbolic-stdin <bytes>',
    summary: 'this many bytes of standard input, each of any value; implies --symbolic',
    holds: 'text',
  },
  {
    key: 'symbolicEnv',
    flags: '--symbolic-env <name[=n]>',
    summary:
      'an environment variable that may be any text of up to 8 characters, or n; may be given several times; implies --symbolic',
    holds: 'list',
  },
]

const LONGEST_ARGUMENT = 8
const MOST_ARGUMENTS = 8
const LARGEST_STDIN = 4096
const LONGEST_VARIABLE = 256

/** Whether a program is made to explore its inputs. */
export function isSymbolic({
  symbolic,
  symbolicArgs,
  symbolicStdin,
  symbolicEnv,
}: SymbolicSettings): boolean {
  return [symbolic || undefined, symbolicArgs, symbolicStdin, symbolicEnv].some(
    (given) => given !== undefined,
  )
}

/** The same program with given inputs, as it is replayed. */
export function withInputs(recipe: Recipe, input: Readonly<Record<string, string>>): Recipe {
  const { symbolic, symbolicArgs, symbolicStdin, symbolicEnv, ...rest } = recipe as Recipe & SymbolicSettings
  const args = [...((recipe.args as readonly string[] | undefined) ?? [])]
  const environment = { ...(recipe.environment as Readonly<Record<string, string>> | undefined) }
  for (const [name, value] of Object.entries(input)) {
    const outside = outsideOf(name)
    const text = () => Buffer.from(bytesIn(value) ?? []).toString()
    if (outside?.kind === 'argument') args[outside.number - 1] = text()
    if (outside?.kind === 'environment') environment[outside.variable] = text()
  }
  return {
    ...rest,
    ...(args.length > 0 ? { args } : {}),
    ...(Object.keys(environment).length > 0 ? { environment } : {}),
    input,
  }
}

interface ProgramInputs {
  /** The input of the machine, with what is given besides. */
  withInput(read: InputSettings): Partial<WasmMachineOptions>
  readonly options: Partial<WasmMachineOptions>
  readonly control?: InputControl
  warnings(): readonly string[]
}

export async function programInputs(
  recipe: Recipe & InputSettings & SymbolicSettings,
): Promise<ProgramInputs> {
  return isSymbolic(recipe) ? symbolicInputs(recipe) : givenInputs(recipe)
}

function givenInputs({ input }: InputSettings): ProgramInputs {
  if (input === undefined) {
    return { withInput: ({ input: _, ...read }) => read, options: {}, warnings: () => [] }
  }
  const { stdin, ...objects } = input
  const inputs = new GivenInputs(objects)
  return {
    withInput: ({ input: _, ...read }) => {
      if (stdin === undefined) return read
      const bytes = bytesIn(stdin)
      if (bytes === undefined) throw new LoadError(`--input stdin=${stdin}: write text:… or hex:…`)
      return { ...read, stdin: bytes }
    },
    options: { inputs },
    warnings: () => inputs.warnings,
  }
}

async function symbolicInputs(recipe: Recipe & InputSettings & SymbolicSettings): Promise<ProgramInputs> {
  if ((recipe.memoryModel ?? 'sc') !== 'sc') {
    throw new LoadError(
      '--symbolic: inputs are explored under sequential consistency only; leave --memory-model out',
    )
  }
  if (recipe.input !== undefined) {
    throw new LoadError('--symbolic explores inputs and --input gives one: leave one of them out')
  }
  const args = numberOf('--symbolic-args', recipe.symbolicArgs, MOST_ARGUMENTS)
  const size = numberOf('--symbolic-stdin', recipe.symbolicStdin, LARGEST_STDIN)
  const { ConcolicInputs } = await import('./wasm/interpreter/concolic-inputs.js')
  const { concolicEngine } = await import('./wasm/interpreter/concolic-engine.js')
  const { Path } = await import('./wasm/interpreter/path.js')
  const path = new Path()
  const variables = variablesIn(recipe.symbolicEnv ?? [])
  const isInput = (name: string) => {
    const outside = outsideOf(name)
    if (outside?.kind === 'argument') return outside.number <= args
    return outside?.kind === 'environment' ? variables.has(outside.variable) : size > 0
  }
  const control = new ConcolicInputs(path, isInput)
  return {
    withInput: ({ input: _, ...read }) => ({
      ...read,
      ...(args > 0 ? { args: paddedArguments(read.args ?? [], args) } : {}),
      ...(size > 0 ? { stdin: padded(read.stdin ?? '', size) } : {}),
      ...(variables.size > 0 ? { environment: paddedEnvironment(read.environment ?? {}, variables) } : {}),
    }),
    // Going back inside an execution would have to take along what is known of its values.
    options: { engine: concolicEngine(path), inputs: control, checkpoints: 'off', recall: 'off' },
    control,
    warnings: () =>
      control.parts.size > 0
        ? [...control.complaints]
        : [
            '--symbolic: the program has not asked for any input; it declares some by faultline_symbolic (faultline.h)',
          ],
  }
}

function numberOf(option: string, text: string | undefined, most: number): number {
  if (text === undefined) return 0
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new LoadError(`${option} ${text}: write a number from 1 to ${most}`)
  }
  return value
}

/** Names and lengths. */
function variablesIn(given: readonly string[]): Map<string, number> {
  const variables = new Map<string, number>()
  for (const text of given) {
    const at = text.indexOf('=')
    const name = at < 0 ? text : text.slice(0, at)
    if (name === '')
      throw new LoadError(`--symbolic-env ${text}: write a name, or NAME=8 for up to 8 characters`)
    if (variables.has(name)) throw new LoadError(`--symbolic-env ${text}: ${name} is given twice`)
    const length =
      at < 0 ? LONGEST_ARGUMENT : numberOf(`--symbolic-env ${name}`, text.slice(at + 1), LONGEST_VARIABLE)
    variables.set(name, length)
  }
  return variables
}

/** What it begins with, if that is given, comes before the rest. */
function paddedEnvironment(
  given: Readonly<Record<string, string>>,
  variables: ReadonlyMap<string, number>,
): Record<string, string> {
  const padded = [...variables].map(([name, length]) => [name, (given[name] ?? '').padEnd(length, '\0')])
  return { ...given, ...Object.fromEntries(padded) }
}

/** As long as an argument may become; a text ends at the first zero. */
function paddedArguments(given: readonly string[], count: number): string[] {
  return Array.from({ length: Math.max(count, given.length) }, (_, i) => {
    const text = given[i] ?? ''
    return i < count ? text.padEnd(LONGEST_ARGUMENT, '\0') : text
  })
}

function padded(text: string, size: number): Uint8Array {
  const given = new TextEncoder().encode(text)
  return Uint8Array.from({ length: size }, (_, i) => given[i] ?? 0)
}
