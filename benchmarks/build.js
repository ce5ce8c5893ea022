// What building takes, in CPU seconds of a process of its own: with nothing cached; and again after an edit. The third
// figure of each is the ratio to an earlier state, which `build.json` has, with a yardstick for how fast that machine was.
// `npm run bench -- build [FILE…]`, with FAULTLINE_CC for a compiler of one's own; `--record` writes the file.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { table } from './measure.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const dist = process.env.FAULTLINE_DIST ?? here('../dist')
const script = `
  import { build } from ${JSON.stringify(`${dist}/frontends/wasm/toolchain/index.js`)}
  const [cc] = process.argv.slice(1, 2)
  const sources = process.argv.slice(2)
  await build({ sources, ...(cc ? { cc } : {}) }).catch((error) => process.stdout.write(error.name))
  const { user, system } = process.cpuUsage()
  process.stderr.write(String((user + system) / 1e6))`

function seconds(files, cache) {
  const { stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script, '--', process.env.FAULTLINE_CC ?? '', ...files],
    { encoding: 'utf8', env: { ...process.env, FAULTLINE_CACHE: cache } },
  )
  return Number(stderr)
}

/** CPU seconds of something that is always the same. */
function yardstick() {
  const before = process.cpuUsage()
  const bytes = new Uint8Array(1 << 24)
  for (let i = 0; i < 20; i++) bytes.set(createHash('sha256').update(bytes).digest(), i)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const UNIT = '#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n'
const PROGRAMS = {
  'small.c': readFileSync(here('../corpus/boundedbuffer/program.c'), 'utf8'),
  'threads.cpp': `#include <thread>\n#include <vector>\n#include <mutex>\nstd::mutex m;\nint n;\nint main() {
  std::vector<std::thread> all;\n  for (int i = 0; i < 2; i++)
    all.emplace_back([] { std::lock_guard<std::mutex> lock(m); n++; });
  for (auto &thread : all) thread.join();\n  return n == 2 ? 0 : 1;\n}\n`,
  'wrong.cpp': '#include <thread>\n#include <vector>\nint main() { return 0 }\n',
}

function programs(folder, files) {
  if (files.length > 0) return files.map((file) => ({ name: basename(file), files: [file] }))
  const write = (name, text) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const ten = Array.from({ length: 10 }, (_, i) =>
    write(`part${i}.c`, `${UNIT}int part${i}(int n) { return n + ${i}; }\n`),
  )
  const main = `${UNIT}${ten.map((_, i) => `int part${i}(int);\n`).join('')}int main(void) { return part0(0); }\n`
  return [
    ...Object.entries(PROGRAMS).map(([name, text]) => ({ name, files: [write(name, text)] })),
    { name: 'ten files', files: [write('main.c', main), ...ten] },
  ]
}

export default function build(args) {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-bench-'))
  const record = args.includes('--record')
  const earlier = JSON.parse(readFileSync(here('build.json'), 'utf8'))
  const unit = yardstick()
  const measured = { yardstick: unit }
  const rows = [['', 'cold, s', 'ratio', 'after an edit, s', 'ratio']]
  for (const { name, files } of programs(
    folder,
    args.filter((arg) => arg !== '--record'),
  )) {
    const cache = join(folder, 'cache')
    const edited = join(folder, basename(files[0]))
    if (edited !== files[0]) writeFileSync(edited, readFileSync(files[0]))
    const sources = [edited, ...files.slice(1)]
    const cold = seconds(sources, cache)
    appendFileSync(edited, 'static int added;\n')
    const warm = seconds(sources, cache)
    measured[name] = [cold, warm]
    const ratio = (now, then) =>
      then === undefined ? '' : (now / unit / (then / earlier.yardstick)).toFixed(2)
    const [first, second] = earlier[name] ?? []
    rows.push([name, cold.toFixed(2), ratio(cold, first), warm.toFixed(2), ratio(warm, second)])
    rmSync(cache, { recursive: true, force: true })
  }
  rmSync(folder, { recursive: true, force: true })
  if (record) writeFileSync(here('build.json'), `${JSON.stringify(measured, null, 2)}\n`)
  table(rows)
}
