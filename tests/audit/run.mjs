// Bundles run.ts with the sources as they are, which takes a moment, and runs it: nothing need be built.
import { rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const input = fileURLToPath(new URL('run.ts', import.meta.url))
// Two levels below package.json, like the sources: these read it.
const dir = fileURLToPath(new URL(`../../node_modules/.audit-${process.pid}/`, import.meta.url))
process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
const bundle = await rolldown({ input, platform: 'node', external: [/^[^./]/], logLevel: 'silent' })
await bundle.write({ dir, format: 'esm', entryFileNames: 'run.mjs', chunkFileNames: '[name].mjs' })
await bundle.close()
await import(pathToFileURL(`${dir}run.mjs`).href)
