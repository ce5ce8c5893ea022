import { readFileSync } from 'node:fs'
import type { Schema } from './schema.js'
import { UserError } from './user-error.js'
import { version } from './version.js'

/** A kind of file that faultline writes and reads back. */
export interface FileKind<T> {
  /** First field of every such file: `faultline-failure/1`. */
  readonly format: string
  /** With its article: `a failure file`. */
  readonly what: string
  /** Where to get one: `Give a file that "faultline check --save" wrote.` */
  readonly hint: string
  /** What to do if the file is of no use: `run the check again`. */
  readonly remedy: string
  readonly schema: Schema<T>
  /** Where the JSON is, in a file that holds more. */
  readonly jsonIn?: (text: string) => string
}

/** Reads a file that a person named on the command line, and checks all of it that is described. */
export function readFile<T>(path: string, kind: FileKind<T>): T {
  const content = readJson(path, kind)
  if (content.format !== kind.format) throw new UserError(`${path}: ${otherFormat(content, kind)}`)
  const wrong = kind.schema(content)
  if (wrong !== null) {
    throw new UserError(
      `${path}: "${wrong.slice(1)}" is missing or wrong; the file was edited or is damaged, ${kind.remedy}`,
    )
  }
  return content as unknown as T
}

/** Whether it is a file of that kind, in whatever version. */
export function isOfKind(path: string, kind: FileKind<unknown>): boolean {
  try {
    return familyOf(readJson(path, kind).format) === familyOf(kind.format)
  } catch {
    return false
  }
}

function familyOf(format: unknown): string {
  return typeof format === 'string' ? format.split('/')[0] : ''
}

/** What to say of a file with another format, or none. */
function otherFormat<T>(
  { format: found, tool }: Record<string, unknown>,
  { format, what, hint, remedy }: FileKind<T>,
): string {
  if (familyOf(found) === familyOf(format)) {
    const by = typeof tool === 'string' ? ` by faultline ${tool}` : ''
    return (
      `written${by} in another format (${found}) than this version reads (${format}, faultline ${version}); ` +
      `${remedy}.`
    )
  }
  const is = found === undefined ? 'missing' : JSON.stringify(found)
  return `not ${what}: "format" is ${is}, expected "${format}". ${hint}`
}

function readJson<T>(path: string, { what, jsonIn }: FileKind<T>): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UserError(code === 'ENOENT' ? `${path}: no such file` : `${path}: cannot be read: ${message}`)
  }
  let content: unknown
  try {
    content = JSON.parse(jsonIn ? jsonIn(text) : text)
  } catch (error) {
    throw new UserError(`${path}: not ${what}: it is not JSON, or truncated (${(error as Error).message})`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new UserError(`${path}: not ${what}: expected a JSON object`)
  }
  return content as Record<string, unknown>
}
