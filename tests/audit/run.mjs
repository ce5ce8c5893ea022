// Bundles run.ts with the sources as they are, which takes a moment, and runs it: nothing need be built.
import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const input = fileURLToPath(new URL('run.ts', import.meta.url))
const folder = fileURLToPath(new URL('../../node_modules/.cache/faultline-tests/', import.meta.url))
const file = `${folder}audit-${process.pid}.mjs`
mkdirSync(folder, { recursive: true })
const bundle = await rolldown({ input, platform: 'node', external: [/^[^./]/], logLevel: 'silent' })
await bundle.write({ file, format: 'esm', codeSplitting: false })
await bundle.close()
process.on('exit', () => rmSync(file, { force: true }))
await import(pathToFileURL(file).href)
