// What `auto` costs against `optimal` alone, on programs that both verify: CPU time of the whole process, the least of
// some runs in turn. Aim: 1.3 times on each.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inc, lastzero, mutexCounter, readers } from './known-programs.js'
import { grouped, table } from './measure.js'

const aim = 1.3
const folder = mkdtempSync(join(tmpdir(), 'faultline-bench-'))
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

const models = { 'inc(5)': inc(5), 'lastzero(13)': lastzero(13), 'readers(14)': readers(14) }
models['mutex counter(8)'] = mutexCounter(8)

const sizes = [
  ['channel', 4, 2],
  ['cache', 3, 3],
  ['cache', 4, 2],
  ['msqueue', 4, 1],
  ['stack', 3, 2],
  ['ticket', 4, 1],
  ['ticket', 3, 2],
  ['bank', 4, 2],
  ['pool', 4, 1],
  ['seqlock', 3, 2],
  ['seqlock', 4, 1],
  ['racy', 4, 1],
  ['racy', 3, 2],
  ['crunch', 4, 2],
  ['crunch', 7, 1],
]

/** By name: what to check. */
function programs() {
  const c = sizes.map((size) => [size.join(' '), [here('programs/proofs.c'), '--', ...size.map(String)]])
  const corpus = ['barber', 'threadpool'].map((name) => [name, [here(`../corpus/${name}/program.c`)]])
  const model = Object.entries(models).map(([name, program], i) => {
    const file = join(folder, `model-${i}.json`)
    writeFileSync(file, JSON.stringify(program))
    return [name, [file]]
  })
  return [...c, ...corpus, ...model]
}

/** One run in a process of its own: what it says, and the CPU seconds of the process. */
function run(strategy, argv) {
  const script = `
    import { main } from ${JSON.stringify(new URL('../dist/cli/main.js', import.meta.url).href)}
    await main(process.argv.slice(1))
    const { user, system } = process.cpuUsage()
    process.stderr.write(String((user + system) / 1e6))`
  const options = ['--strategy', strategy, '--json', '--quiet', '--budget', '600s', '--out', folder]
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script, '--', 'check', ...options, ...argv],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  return { report: JSON.parse(stdout), seconds: Number(stderr) }
}

export default function auto([rounds = '3', ...names]) {
  const rows = [['', 'classes', 'optimal, s', 'auto, s', 'times']]
  let misses = 0
  for (const [name, argv] of /** @type {Iterable<[string, string[]]>} */ (programs())) {
    if (names.length > 0 && !names.includes(name)) continue
    const least = { optimal: Infinity, auto: Infinity }
    let classes = 0
    for (let round = 0; round < Number(rounds); round++) {
      for (const strategy of Object.keys(least)) {
        const { report, seconds } = run(strategy, argv)
        if (report.verdict !== 'verified')
          throw new Error(`${name} by ${strategy}: ${report.verdict ?? report.error}`)
        if (strategy === 'optimal') classes = report.executions
        least[strategy] = Math.min(least[strategy], seconds)
      }
    }
    const times = least.auto / least.optimal
    if (times > aim) misses++
    rows.push([
      name,
      grouped(classes),
      least.optimal.toFixed(2),
      least.auto.toFixed(2),
      `${times.toFixed(2)}${times > aim ? ' !' : ''}`,
    ])
  }
  table(rows)
  console.log(`\n${misses === 0 ? 'none' : misses} above ${aim}`)
  if (misses > 0) process.exitCode = 1
}
