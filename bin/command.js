import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const bundle = fileURLToPath(new URL('../dist/bundle/', import.meta.url))
const filename = `${bundle}command.cjs`

/**
 * The command, as one script with the compiled code that `keepCode` wrote: a third of what a small check takes would
 * otherwise be the engine reading our sources. Code of another version of the engine, or none, only makes it slower.
 */
export function loadCommand(keptCode = `${bundle}command.code`) {
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: readIfThere(keptCode) })
  const module = { exports: {} }
  /** @param {string} specifier */
  const importModule = (specifier) => import(specifier)
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, importModule)
  const { main } = /** @type {{ main: (argv: readonly string[]) => Promise<number> }} */ (module.exports)
  return {
    main,
    usesKeptCode: script.cachedDataRejected === false,
    keepCode() {
      writeFileSync(`${keptCode}.new`, script.createCachedData())
      renameSync(`${keptCode}.new`, keptCode)
    },
  }
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
