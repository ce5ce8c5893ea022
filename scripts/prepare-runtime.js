// Compiles the runtime that is linked to every C program, unless that was done: programs are built faster for it.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runtimeObjectKey } from '../dist/frontends/wasm/toolchain/key.js'
import {
  compileRuntime,
  preparedRuntime,
  RUNTIME_PARTS,
  readRuntime,
} from '../dist/frontends/wasm/toolchain/runtime.js'
import { toolVersions } from '../dist/frontends/wasm/toolchain/versions.js'

const runtime = readRuntime()
const versions = toolVersions()
const files = RUNTIME_PARTS.map((part) => ({
  part,
  file: preparedRuntime(runtimeObjectKey(runtime, part, versions)),
}))
const folder = dirname(files[0].file)
mkdirSync(folder, { recursive: true })
for (const { part, file } of files) {
  if (!existsSync(file)) writeFileSync(file, await compileRuntime(runtime, part))
}
const known = files.map(({ file }) => basename(file))
for (const name of readdirSync(folder)) if (!known.includes(name)) rmSync(join(folder, name))
