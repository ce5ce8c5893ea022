import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { LoadError, type ProgramOption } from './front-end.js'

/** What a compiled program is given from outside. */
export interface InputSettings {
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** File that the program reads as its standard input. */
  readonly stdin?: string
  /** Files that the program finds: `NAME`, or `NAME=FILE` where it is called otherwise here. */
  readonly file?: readonly string[]
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
  {
    key: 'file',
    flags: '--file <name[=file]>',
    summary: 'a file that the program finds under that name; it has no others',
    holds: 'list',
  },
]

/** What the program is given, with what is in the files. */
export interface ProgramInputs {
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly files?: Readonly<Record<string, Uint8Array>>
}

export async function readInput(
  { args, environment, stdin, file }: InputSettings,
  directory: string,
): Promise<ProgramInputs> {
  return {
    ...(args ? { args } : {}),
    ...(environment ? { environment } : {}),
    ...(stdin === undefined ? {} : { stdin: String(await contentOf('--stdin', stdin, directory)) }),
    ...(file ? { files: await contentsOf(file, directory) } : {}),
  }
}

async function contentsOf(files: readonly string[], directory: string): Promise<Record<string, Uint8Array>> {
  const contents = files.map(async (file) => {
    const [, name, place = name] = /^([^=]*)(?:=(.*))?$/s.exec(file)!
    return [name, await contentOf('--file', place, directory)] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

async function contentOf(option: string, file: string, directory: string): Promise<Buffer> {
  try {
    return await readFile(resolve(directory, file))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new LoadError(
      code === 'ENOENT' ? `${option} ${file}: no such file` : `${option} ${file}: ${message}`,
    )
  }
}
