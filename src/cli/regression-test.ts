import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { checkMayMakeFolder, writeAtomically } from '../files/atomic-write.js'
import { failureFor, isRegressionTest } from '../files/regression-test.js'
import { UserError } from '../files/user-error.js'
import { c } from '../frontends/c.js'
import { regressionTestText } from '../reports/write/regression-test.js'
import type { Io } from './io.js'

export const testOption = {
  flags: '--replay-as-test <file>',
  help: 'write a C or C++ program that replays the bug: it fails as long as the bug shows, and passes once it is gone',
}

/** Refuses files that no test can be exported to, before anything is done. */
export function checkTestFile(file: string | undefined, io: Io): void {
  if (file === undefined) return
  const path = resolve(io.directory, file)
  if (!c.extensions.some((extension) => file.toLowerCase().endsWith(extension))) {
    throw new UserError(`--replay-as-test ${file}: name a file that ends in ${c.extensions.join(', ')}`)
  }
  checkMayMakeFolder(dirname(path), '--replay-as-test in')
  if (existsSync(path) && !isRegressionTest(path)) {
    throw new UserError(`--replay-as-test ${file}: this file is there already, and is not an exported test`)
  }
}

/** Exports a recorded failure as a test, or says why there is none. False if the test could not be written. */
export function writeTest(file: string | undefined, schedule: string | undefined, io: Io): boolean {
  if (file === undefined) return true
  if (schedule === undefined) {
    io.err(`faultline: --replay-as-test ${file}: nothing was written, since no bug was found\n`)
    return true
  }
  const path = resolve(io.directory, file)
  try {
    const { file: failure, json } = failureFor(path, resolve(io.directory, schedule))
    writeAtomically(path, regressionTestText(failure, json, basename(path)))
    io.err(`faultline: ${file} replays the bug, and passes once it is gone\n`)
    return true
  } catch (error) {
    io.err(`faultline: --replay-as-test ${file} could not be written: ${(error as Error).message}\n`)
    return false
  }
}
