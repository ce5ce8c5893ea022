// The scripts of this folder are CommonJS: the engine takes several milliseconds of processor time more for modules.
const { readFileSync, renameSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const { Script } = require('node:vm')

const bundle = join(__dirname, '../dist/bundle')
const filename = join(bundle, 'command.cjs')

/**
 * The command, as one script with the compiled code that `keepCode` wrote: a third of what a small check takes would
 * otherwise be the engine reading our sources. Code of another version of the engine, or none, only makes it slower.
 */
function loadCommand(keptCode = join(bundle, 'command.code')) {
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: readIfThere(keptCode) })
  const made = { exports: {} }
  /** @param {string} specifier */
  const importModule = (specifier) => import(specifier)
  script.runInThisContext()(made.exports, createRequire(filename), made, filename, importModule)
  const { main } = /** @type {{ main: (argv: readonly string[]) => Promise<number> }} */ (made.exports)
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

module.exports = { loadCommand }
