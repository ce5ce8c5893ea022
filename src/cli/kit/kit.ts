import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../files/user-error.js'

const KITS = fileURLToPath(new URL('../../../kits/', import.meta.url))
const FILE = 'kit.json'
export const kitFormat = 'faultline-kit/1'

/** A test of a kit. */
export interface KitTest {
  /** Relative to the kit. */
  readonly file: string
  /** What a failure of it means, for people. */
  readonly shows: string
  /** More options for `check`. */
  readonly options?: readonly string[]
}

/**
 * How to test what students hand in for a course: plain data, so that another course needs no code. Paths with `*` and
 * `**` are relative to the student's tree, all others to the kit.
 */
export interface Kit {
  readonly name: string
  readonly summary: string
  /** Where the kit lies. */
  readonly folder: string
  /** Folders of a tree in which the paths below may begin; the first with sources counts. */
  readonly roots: readonly string[]
  /** What to compile of a tree, and what not. */
  readonly sources: readonly string[]
  readonly without: readonly string[]
  /** Folders of a tree with headers. */
  readonly include: readonly string[]
  /** Folders beside a tree with headers of the course's own system, for what neither the tree nor the kit has. */
  readonly fallback: readonly string[]
  /** Files that a tree must have. */
  readonly needs: readonly string[]
  /** Assembly of a tree, which is not compiled: the kit, or a file in C that the student adds, takes its place. */
  readonly assembly: readonly string[]
  /** Whether assembly is translated to C instead; the kit has a `faultline_assembly.h` for that. */
  readonly translates: boolean
  /** What the kit brings along: folders with headers, headers before all else, sources, macros, options for `check`. */
  readonly headers: readonly string[]
  readonly before: readonly string[]
  readonly files: readonly string[]
  readonly define: readonly string[]
  readonly options: readonly string[]
  readonly tests: readonly KitTest[]
}

/** A kit by its name, or by the path of its folder or file. */
export function readKit(name: string, directory: string): Kit {
  const path = [join(KITS, name, FILE), resolve(directory, name, FILE), resolve(directory, name)].find(
    (candidate) => candidate.endsWith('.json') && existsSync(candidate),
  )
  if (path === undefined) {
    throw new UserError(
      `there is no kit ${name}: known are ${kitNames().join(', ')}; or name a folder with a ${FILE}`,
    )
  }
  return parseKit(readFileSync(path, 'utf8'), path)
}

export function kitNames(): string[] {
  return readdirSync(KITS).filter((name) => existsSync(join(KITS, name, FILE)))
}

function parseKit(text: string, path: string): Kit {
  const wrong = (what: string) => new UserError(`${path}: ${what}`)
  let data: Record<string, unknown>
  try {
    data = JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw wrong(`is no JSON: ${(error as Error).message}`)
  }
  if (data.format !== kitFormat) throw wrong(`"format" must be "${kitFormat}"`)
  const string = (value: unknown, key: string): string => {
    if (typeof value !== 'string') throw wrong(`"${key}" must be a text`)
    return value
  }
  const strings = (key: string, missing?: readonly string[]): readonly string[] => {
    const value = data[key] ?? missing
    if (!Array.isArray(value)) throw wrong(`"${key}" must be a list of texts`)
    return value.map((item) => string(item, key))
  }
  const known = ['format', 'name', 'summary', 'translates', 'tests', ...lists]
  const unknown = Object.keys(data).find((key) => !known.includes(key))
  if (unknown !== undefined) throw wrong(`"${unknown}" means nothing: known are ${known.join(', ')}`)
  if (!Array.isArray(data.tests) || data.tests.length === 0) throw wrong('"tests" must be a list of tests')
  return {
    name: string(data.name, 'name'),
    summary: string(data.summary, 'summary'),
    folder: dirname(path),
    roots: strings('roots', ['']),
    sources: strings('sources'),
    without: strings('without', []),
    include: strings('include', ['']),
    fallback: strings('fallback', []),
    needs: strings('needs', []),
    assembly: strings('assembly', []),
    translates: data.translates === true,
    headers: strings('headers', []),
    before: strings('before', []),
    files: strings('files', []),
    define: strings('define', []),
    options: strings('options', []),
    tests: data.tests.map((test: Record<string, unknown>) => ({
      file: string(test.file, 'file'),
      shows: string(test.shows, 'shows'),
      options: Array.isArray(test.options) ? test.options.map((item) => string(item, 'options')) : [],
    })),
  }
}

const lists = [
  'roots',
  'sources',
  'without',
  'include',
  'fallback',
  'needs',
  'assembly',
  'headers',
  'before',
  'files',
  'define',
  'options',
]
