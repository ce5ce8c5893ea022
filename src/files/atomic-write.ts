import { existsSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../frontends/make-folder.js'
import { UserError } from './user-error.js'

/** Writes a whole file or nothing: whoever reads it, also after a crash, sees the old text or the new. */
export function writeAtomically(path: string, text: string): void {
  makeFolder(dirname(path))
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Refuses a folder that cannot be made, before anything is found that should be written there; leaves none behind. */
export function checkMayMakeFolder(folder: string, option: string): void {
  try {
    for (const made of makeFolder(folder).reverse()) rmdirSync(made)
    if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error('it is a file')
  } catch (error) {
    throw new UserError(
      `${option} ${folder}: the folder cannot be made (${(error as Error).message}); name another`,
    )
  }
}
