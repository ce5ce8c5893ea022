import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isArchive } from './archive.js'
import { MissingFileError } from './errors.js'
import type { LinkedFile } from './link.js'

const SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|i|ii)$/i

/** Whether a file of a program is no source: an object, an archive, or a program that is linked already. */
export function isCompiled(file: string): boolean {
  return !SOURCE.test(file)
}

/** Whether the linker takes the file. */
export function isLinkable(content: Uint8Array): boolean {
  return isArchive(content) || Buffer.from(content.subarray(0, 4)).toString('latin1') === '\0asm'
}

export function readCompiled(files: readonly string[], cwd: string): Promise<LinkedFile[]> {
  return Promise.all(
    files.map(async (name) => {
      const content = await readFile(path.resolve(cwd, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw new MissingFileError(name)
        throw error
      })
      return { name, content: Uint8Array.from(content) }
    }),
  )
}
