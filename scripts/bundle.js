// Puts the command and its worker threads into a few files each, from what the compiler wrote to dist: loading hundreds
// of small modules would take longer than many a check. The library itself stays as it is.
import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const dir = `${dist}bundle/`

/** Modules find files of the package by where they themselves are. The worker lies beside the command. */
const places = {
  name: 'places',
  transform(code, id) {
    if (!code.includes('import.meta.url') || id.endsWith('thread-worker.js')) return null
    const place = JSON.stringify(`../${relative(dist, id)}`)
    return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
  },
}

rmSync(dir, { recursive: true, force: true })
const bundle = await rolldown({
  input: { main: `${dist}cli/main.js`, 'worker-main': `${dist}runs/workers/worker-main.js` },
  platform: 'node',
  tsconfig: false,
  external: [/^[^./]/],
  plugins: [places],
})
await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' })
await bundle.close()
