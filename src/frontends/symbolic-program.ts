import type { InputControl } from '../symbolic/input-control.js'
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
    summary: 'so many arguments may be any text of up to 8 characters; implies --symbolic',
    holds: 'text',
  },
  {
    key: 'symbolicStdin',
    flags: '--symbolic-stdin <bytes>',
    summary: 'standard input may be any so many bytes; implies --symbolic',
    holds: 'text',
  },
]

const LONGEST_ARGUMENT = 8
const MOST_ARGUMENTS = 8
const LARGEST_STDIN = 4096

/** Whether a program is made to explore its inputs. */
export function isSymbolic({ symbolic, symbolicArgs, symbolicStdin }: SymbolicSettings): boolean {
  return symbolic === true || symbolicArgs !== undefined || symbolicStdin !== undefined
}

/** The same program with given inputs, as it is replayed. */
export function withInputs(recipe: Recipe, input: Readonly<Record<string, string>>): Recipe {
  const { symbolic, symbolicArgs, symbolicStdin, ...rest } = recipe as Recipe & SymbolicSettings
  const args = [...((recipe.args as readonly string[] | undefined) ?? [])]
  for (const [name, value] of Object.entries(input)) {
    const [, number] = /^arg(\d+)$/.exec(name) ?? []
    if (number !== undefined) args[Number(number) - 1] = Buffer.from(bytesIn(value) ?? []).toString()
  }
  return { ...rest, ...(args.length > 0 ? { args } : {}), input }
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
  const isInput = (name: string) =>
    name === 'stdin' ? size > 0 : name.startsWith('arg') && Number(name.slice(3)) <= args
  const control = new ConcolicInputs(path, isInput)
  return {
    withInput: ({ input: _, ...read }) => ({
      ...read,
      ...(args > 0 ? { args: paddedArguments(read.args ?? [], args) } : {}),
      ...(size > 0 ? { stdin: padded(read.stdin ?? '', size) } : {}),
    }),
    // Going back inside an execution would have to take along what is known of its values.
    options: { engine: concolicEngine(path), inputs: control, checkpoints: 'off', recall: 'off' },
    control,
    warnings: () =>
      control.parts.size > 0
        ? []
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
