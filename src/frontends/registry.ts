import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { addTo } from '../words/add-to.js'
import { c } from './c.js'
import { type FrontEnd, LoadError } from './front-end.js'
import { model } from './model.js'
import { wasmModule } from './module.js'

/** The one list of front ends: command line, failure files and workers read it. */
export const frontEnds: readonly FrontEnd[] = [c, wasmModule, model]

/** Adds one from outside; the function returned takes it away again. */
export function addFrontEnd(frontEnd: FrontEnd): () => void {
  return addTo(frontEnds as FrontEnd[], frontEnd)
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The front end for these files, by extension; they must all belong to one. */
export function frontEndFor(files: readonly string[]): FrontEnd {
  const found = files.map((file) => {
    const entry = frontEnds.find((f) => f.extensions.some((e) => file.toLowerCase().endsWith(e)))
    if (entry) return entry
    if (isFolder(file)) {
      throw new LoadError(
        `${file} is a folder: name the source files of one test, for example ${file.replace(/\/?$/, '/')}*.c`,
      )
    }
    if (/(?:^|[\\/])(?:[Mm]akefile|CMakeLists\.txt|meson\.build)$/.test(file)) {
      throw new LoadError(
        `${file}: builds are not run; name the source files of one test, with -I and -D as the build gives them, or see docs/projects.md`,
      )
    }
    const linker = frontEnds.find((f) => f.takesExecutables)
    if (linker && !basename(file).includes('.')) return linker
    const known = frontEnds.map((f) => `${f.extensions.join(' ')} (${f.name})`).join(', ')
    throw new LoadError(`${file}: not a kind of file that Faultline reads; it reads ${known}`)
  })
  const other = found.findIndex((entry) => entry !== found[0])
  if (other > 0) {
    throw new LoadError(
      `${files[0]} is a ${found[0].name} program and ${files[other]} a ${found[other].name} program; ` +
        'give the files of one program only',
    )
  }
  if (!found[0].takesSeveralFiles && files.length > 1) {
    const { name } = found[0]
    throw new LoadError(`a ${name} program is one file, but ${files.length} were given: ${files.join(', ')}`)
  }
  return found[0]
}
