import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
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

/**
 * Makes a folder with all above it, and says which are new, outermost first. One by one: `recursive` tries for ever
 * where a folder exists in which none can be made, such as /proc.
 */
function makeFolder(folder: string): string[] {
  const missing: string[] = []
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const at of missing) {
    try {
      mkdirSync(at)
    } catch (error) {
      // Somebody else was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return missing
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
