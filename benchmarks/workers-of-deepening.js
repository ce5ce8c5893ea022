// Iterative Deepening: executions per second with one worker and with two, in turn; and how long until every schedule of
// some programs is covered, against one search with points everywhere.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inc, mutexCounter } from './known-programs.js'
import { grouped, table } from './measure.js'

const bin = fileURLToPath(new URL('../bin/faultline.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'faultline-bench-'))

function check(file, ...argv) {
  const { stdout } = spawnSync(process.execPath, [bin, 'check', file, '--json', '--quiet', ...argv], {
    cwd: folder,
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  })
  return JSON.parse(stdout)
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

function workers(file, seconds, rounds) {
  const pace = { 1: [], 2: [] }
  for (let i = 0; i < rounds; i++) {
    for (const n of [1, 2]) {
      const report = check(file, '--strategy', 'deepen', '--budget', `${seconds}s`, '--workers', String(n))
      pace[n].push((report.executions + report.blocked) / report.seconds)
    }
  }
  const [one, two] = [median(pace[1]), median(pace[2])]
  return [file, grouped(Math.round(one)), grouped(Math.round(two)), (two / one).toFixed(2)]
}

export default async function run([rounds = '5']) {
  const programs = { 'inc-6.json': inc(6), 'mutex-counter-10.json': mutexCounter(10) }
  for (const [name, program] of Object.entries(programs))
    writeFileSync(join(folder, name), JSON.stringify(program))
  console.log(`One worker and two in turn, ${rounds} runs of 6 s each, medians; aim 1.7 times.\n`)
  table([
    ['program', 'executions/s, 1 worker', '2 workers', 'times'],
    ...Object.keys(programs).map((file) => workers(file, 6, Number(rounds))),
  ])
}
