// Puts the command and its worker threads into a few files each, from what the compiler wrote to dist: loading hundreds
// of small modules would take longer than many a check. The library itself stays as it is.
import { readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { toolVersions } from '../dist/frontends/wasm/toolchain/versions.js'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const dir = `${dist}bundle/`

/** Modules find files of the package by where they themselves are. The worker lies beside the command. */
const placesFrom = (here) => ({
  name: 'places',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null
    const place = id.endsWith('thread-worker.js') ? './command.cjs' : `../${relative(dist, id)}`
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, ${here}).href`)
  },
})

/** What is bundled does not change any more: its hash need not be computed in every process. */
const knownHash = {
  name: 'known-hash',
  transform(code, id) {
    if (!id.endsWith('toolchain/versions.js')) return null
    const computed = 'own: hashOfOwnCode()'
    if (!code.includes(computed)) throw new Error(`${id} has no "${computed}"`)
    return code.replace(computed, `own: ${JSON.stringify(toolVersions().own)}`)
  },
}

/** Modules of the engine's own that most checks do without, and that take others with them. */
const rarelyNeeded = ['child_process', 'readline', 'stream/consumers', 'worker_threads']
const requireRarely = new RegExp(`\\brequire(?=\\(["']node:(?:${rarelyNeeded.join('|')})["']\\))`, 'g')

const license = readFileSync(new URL('../node_modules/commander/LICENSE', import.meta.url), 'utf8')

/** What bin/command.js calls, and the licence of what is not ours in it. */
const banner = `(function (exports, require, module, __filename, importModule) {
/*! The options of the command line are parsed by commander:
${license}*/
const onDemand = (name) => new Proxy({}, { get: (_, key) => require(name)[key] });`

/**
 * A script that comes with compiled code cannot import by itself: whoever loads it does. It has ASCII characters only, which
 * are read several times as fast.
 */
const asScript = {
  name: 'script',
  /** After the bundler's last look, which would drop a function that nobody calls. */
  generateBundle(_, { 'command.cjs': made }) {
    made.code = `${banner}\n${made.code}\n})`
      .replaceAll(/\bimport\(/g, 'importModule(')
      .replaceAll(requireRarely, 'onDemand')
      .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  },
}

async function bundle(input, output, here) {
  const isScript = output.format === 'cjs'
  const made = await rolldown({
    input,
    platform: 'node',
    tsconfig: false,
    external: (id) => /^[^./]/.test(id) && !(isScript && id === 'commander'),
    plugins: [knownHash, placesFrom(here), ...(isScript ? [asScript] : [])],
  })
  await made.write({ dir, entryFileNames: `[name].${isScript ? 'cjs' : 'js'}`, ...output })
  await made.close()
}

rmSync(dir, { recursive: true, force: true })
await bundle(
  { 'worker-main': `${dist}runs/workers/worker-main.js` },
  { format: 'esm', chunkFileNames: '[name].js' },
  'import.meta.url',
)
// One script, whose compiled code can be kept: see bin/command.js.
await bundle(
  { command: `${dist}cli/main.js` },
  { format: 'cjs', codeSplitting: false, comments: { legal: true, annotation: false, jsdoc: false } },
  "require('node:url').pathToFileURL(__filename)",
)
