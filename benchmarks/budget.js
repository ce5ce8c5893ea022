// Whether a budget is kept: `npm run check:budget`. Of the programs, `-- PATTERN` takes those whose names contain it, and
// `-- 2/5` the second of five parts.
//
// Runs `check` on fifty of our programs, those heavy with templates among them, each in a process of its own, and fails
// if one takes longer than its budget and two seconds after it was compiled, or more memory than its limit.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entries } from '../corpus/entries.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const seconds = 5
const grace = 2
const programs = 50
const limitBytes = 4 * 2 ** 30
/** What the process takes besides what it watches: the compiler, and what comes between two looks. */
const slackBytes = 2 ** 28

/**
 * Programs of one folder, by name.
 * @param {string} folder
 * @param {(name: string) => boolean} isWanted
 */
function sources(folder, isWanted = () => true) {
  return readdirSync(join(root, folder))
    .filter((name) => /\.(?:c|cpp)$/.test(name) && isWanted(name))
    .map((name) => join(folder, name))
    .sort()
}

const cxx = (name) => name.endsWith('.cpp')
const corpus = entries()
  .filter(({ about }) => about.program === undefined)
  .map(({ file }) => join('corpus', file))
const all = [
  ...sources('tests/templates'),
  ...corpus.filter(cxx),
  ...corpus.filter((name) => !cxx(name)),
  ...sources('examples/c'),
].slice(0, programs)
const pattern = process.argv[2] ?? ''
const part = /^(\d+)\/(\d+)$/.exec(pattern)
const chosen = part
  ? all.filter((_, i) => i % Number(part[2]) === Number(part[1]) - 1)
  : all.filter((file) => file.includes(pattern))

const scratch = mkdtempSync(join(tmpdir(), 'faultline-budget-'))
const failures = []
try {
  for (const file of chosen) {
    const { wall, peak, report, error } = check(file)
    const after = wall - (report?.time.building ?? 0)
    const problems = [
      ...(error ? [error] : []),
      ...(after > seconds + grace ? [`${after.toFixed(1)} s after compiling`] : []),
      ...(peak > limitBytes + slackBytes ? [`${Math.round(peak / 2 ** 20)} MB`] : []),
    ]
    if (problems.length > 0) failures.push(file)
    console.log(
      [
        relative(root, join(root, file)).padEnd(40),
        (report?.verdict ?? '-').padEnd(9),
        `compiled in ${(report?.time.building ?? 0).toFixed(1)} s`.padEnd(22),
        `then ${after.toFixed(1)} s`.padEnd(12),
        `${Math.round(peak / 2 ** 20)} MB`.padEnd(9),
        problems.length > 0 ? `FAILED: ${problems.join(', ')}` : 'ok',
      ].join(' '),
    )
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
console.log(
  failures.length === 0
    ? `${chosen.length} programs kept their budget of ${seconds} s`
    : `${failures.length} of ${chosen.length} did not keep their budget: ${failures.join(' ')}`,
)
process.exitCode = failures.length === 0 ? 0 : 1

/** One check in a process of its own; its wall time is measured from outside, its memory by the system. */
function check(file) {
  const peaks = join(root, 'benchmarks/peak-memory.js')
  const argv = [
    'check',
    file,
    '--budget',
    `${seconds}s`,
    '--memory-limit',
    `${limitBytes}`,
    '--json',
    '--quiet',
  ]
  const start = performance.now()
  const ran = spawnSync(
    process.execPath,
    ['--import', peaks, 'bin/faultline.js', ...argv, '--out', join(scratch, 'out')],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30, timeout: 600_000 },
  )
  const wall = (performance.now() - start) / 1000
  const peak = Number(/^peak memory (\d+)$/m.exec(ran.stderr)?.[1] ?? Number.NaN)
  if (ran.error) return { wall, peak, error: ran.error.message }
  if (ran.status !== 0 && ran.status !== 1) return { wall, peak, error: `exit code ${ran.status}` }
  return { wall, peak, report: JSON.parse(ran.stdout) }
}
