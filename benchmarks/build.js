// What building takes, in CPU seconds of a process of its own with nothing cached: in all, and with the runtime compiled
// already. `npm run bench -- build [FILE…]`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { table } from './measure.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const module = new URL('../dist/frontends/wasm/toolchain/index.js', import.meta.url).href
const script = `
  import { build } from ${JSON.stringify(module)}
  await build({ sources: [process.argv[1]] }).catch((error) => process.stdout.write(error.name))
  const { user, system } = process.cpuUsage()
  process.stderr.write(String((user + system) / 1e6))`

function seconds(file, cache) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script, '--', file],
    { encoding: 'utf8', env: { ...process.env, FAULTLINE_CACHE: cache } },
  )
  return `${Number(stderr).toFixed(2)}${stdout ? ` ${stdout}` : ''}`
}

export default function build(files) {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-bench-'))
  const wrong = join(folder, 'wrong.cpp')
  writeFileSync(wrong, '#include <thread>\n#include <vector>\nint main() { return 0 }\n')
  const programs =
    files.length > 0
      ? files
      : [...['boundedbuffer.c', 'spsc.cpp'].map((name) => here(`../tests/corpus/${name}`)), wrong]
  const rows = [['', 'cold, s', 'runtime there, s']]
  for (const file of programs) {
    const cache = join(folder, 'cache')
    const cold = seconds(file, cache)
    for (const name of readdirSync(cache)) if (!name.startsWith('runtime-')) rmSync(join(cache, name))
    rows.push([file.split('/').at(-1), cold, seconds(file, cache)])
    rmSync(cache, { recursive: true, force: true })
  }
  rmSync(folder, { recursive: true, force: true })
  table(rows)
}
