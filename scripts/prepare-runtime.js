// Compiles the runtime that is linked to every C program, unless that was done: programs are built faster for it.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { runtimeObjectKey } from '../dist/frontends/wasm/toolchain/key.js'
import { compileRuntime, preparedRuntime, readRuntime } from '../dist/frontends/wasm/toolchain/runtime.js'
import { toolVersions } from '../dist/frontends/wasm/toolchain/versions.js'

const runtime = await readRuntime()
const file = preparedRuntime(runtimeObjectKey(runtime, await toolVersions()))
if (!existsSync(file)) {
  const object = await compileRuntime(runtime)
  rmSync(dirname(file), { recursive: true, force: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, object)
}
