import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder with all above it, and says which are new, outermost first. One by one: `recursive` tries for ever
 * where a folder exists in which none can be made, such as /proc.
 */
export function makeFolder(folder: string): string[] {
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
