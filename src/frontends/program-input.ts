import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { LoadError, type ProgramOption } from './front-end.js'

/** What a compiled program is given from outside. */
export interface InputSettings {
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** File that the program reads as its standard input. */
  readonly stdin?: string
  /** Values of objects that the program declares to be its input; of arguments (`arg1`) and standard input (`stdin`). */
  readonly input?: Readonly<Record<string, string>>
}

export const inputOptions: readonly ProgramOption[] = [
  { key: 'args', summary: 'arguments of the program', holds: 'list' },
  {
    key: 'environment',
    flags: '--env <name=value>',
    summary: 'an environment variable of the program, which has no others',
    holds: 'variables',
  },
  {
    key: 'stdin',
    flags: '--stdin <file>',
    summary: 'what the program reads from its standard input',
    holds: 'text',
  },
]

/** The same with the text of that file. */
export async function readInput(
  { args, environment, stdin }: InputSettings,
  directory: string,
): Promise<InputSettings> {
  return {
    ...(args ? { args } : {}),
    ...(environment ? { environment } : {}),
    ...(stdin === undefined ? {} : { stdin: await textOf(stdin, directory) }),
  }
}

async function textOf(file: string, directory: string): Promise<string> {
  try {
    return await readFile(resolve(directory, file), 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new LoadError(code === 'ENOENT' ? `--stdin ${file}: no such file` : `--stdin ${file}: ${message}`)
  }
}
