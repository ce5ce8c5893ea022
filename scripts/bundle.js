// Puts the command and its worker threads into a few files each, from what the compiler wrote to dist: loading hundreds
// of small modules would take longer than many a check. The library itself stays as it is.
import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

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

/** Scripts that come with compiled code cannot import by themselves: whoever loads them does. */
const imports = {
  name: 'imports',
  renderChunk: (code) => code.replaceAll(/\bimport\(/g, 'importModule('),
}

async function bundle(input, output, here) {
  const made = await rolldown({
    input,
    platform: 'node',
    tsconfig: false,
    external: [/^[^./]/],
    plugins: [placesFrom(here), ...(output.format === 'cjs' ? [imports] : [])],
  })
  await made.write({ dir, entryFileNames: `[name].${output.format === 'cjs' ? 'cjs' : 'js'}`, ...output })
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
  { format: 'cjs', codeSplitting: false },
  "require('node:url').pathToFileURL(__filename)",
)
