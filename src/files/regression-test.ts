import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { type FailureFile, formatFailure, readFailure } from './failure.js'
import { isTestText } from './failure-in-test.js'

/** Whether a test was exported to that file. */
export function isRegressionTest(path: string): boolean {
  try {
    return isTestText(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}

/** A failure as a file at another place has to have it: paths are relative to the file. */
export function failureFor(path: string, recorded: string): { file: FailureFile; json: string } {
  const file = readFailure(recorded)
  const folder = resolve(dirname(recorded), file.directory)
  const moved = { ...file, directory: relative(dirname(path), folder) || '.' }
  return { file: moved, json: formatFailure(moved) }
}
