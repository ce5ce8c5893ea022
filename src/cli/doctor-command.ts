import { readdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../files/version.js'
import { cacheFolder } from '../frontends/wasm/toolchain/cache.js'
import type { Io } from './io.js'

const CMAKE = fileURLToPath(new URL('../../cmake', import.meta.url))

/** `faultline doctor`: what there is on this machine that has to do with building programs. */
export async function runDoctor(io: Io): Promise<void> {
  const { toolVersions } = await import('../frontends/wasm/toolchain/versions.js')
  const { findNative } = await import('../frontends/wasm/toolchain/native.js')
  const { clang } = toolVersions()
  const native = await findNative()
  const chosen = io.environment?.FAULTLINE_CC
  const rows: [string, string][] = [
    ['faultline', version],
    ['node', `${process.version} (V8 ${process.versions.v8})`],
    ['processors', String(availableParallelism())],
    ['compiler', chosen ? `${chosen}, by FAULTLINE_CC` : `clang ${clang}, which comes along`],
    [
      'clang on the path',
      native === undefined ? 'none that compiles for WebAssembly' : describe(native, chosen),
    ],
    ['cache', describeFolder(cacheFolder(io.environment ?? {}))],
    ['CMake package', CMAKE],
  ]
  const column = Math.max(...rows.map(([name]) => name.length)) + 2
  for (const [name, text] of rows) io.out(`${name.padEnd(column)}${text}\n`)
}

interface Native {
  readonly command: string
  readonly version: string
  readonly isWhole: boolean
}

function describe({ command, version: text, isWhole }: Native, chosen: string | undefined): string {
  const lacks = isWhole
    ? ''
    : '; with wasm-ld and llvm-symbolizer beside it (packages lld and llvm) it would link too'
  const advice = chosen ? '' : `; FAULTLINE_CC=${command} makes C++ builds faster`
  return `${command} (${text})${advice}${lacks}`
}

function describeFolder(folder: string): string {
  try {
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    return `${folder}: ${sizes.length} entries, ${Math.round(bytes / 1e6)} MB; FAULTLINE_CACHE names another folder`
  } catch {
    return `${folder}: nothing there yet; FAULTLINE_CACHE names another folder`
  }
}
