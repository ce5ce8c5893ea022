// Bundles a program with the sources as they are, which takes a moment, and runs it: nothing need be built.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** Sources find files by where they themselves are. */
const own = {
  name: 'own places',
  transform: (code, id) => ({
    code: code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
  }),
}
const external = [/^[^./]/]

/** @param {URL} program */
export async function runBundled(program) {
  const input = fileURLToPath(program)
  const dir = fileURLToPath(new URL(`../../node_modules/.bundled-${process.pid}/`, import.meta.url))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
  const bundle = await rolldown({ input, platform: 'node', external, plugins: [own], logLevel: 'silent' })
  await bundle.write({ dir, format: 'esm', entryFileNames: 'run.mjs', chunkFileNames: '[name].mjs' })
  await bundle.close()
  await import(pathToFileURL(`${dir}run.mjs`).href)
}
