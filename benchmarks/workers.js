// One state space on several workers: wall time against one worker, and how much was explored in vain. For an idle machine.
// npm run bench -- workers [--workers N] [--strategy NAME] [SPACE …]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { grouped, table } from './measure.js'

const bin = fileURLToPath(new URL('../bin/faultline.js', import.meta.url))
const peers = fileURLToPath(new URL('./programs/peers.c', import.meta.url))

/** Every order of the additions is a class of its own. */
function additions(counts) {
  const add = { op: 'fetchAdd', var: 'x', value: 1, into: 'r' }
  const threads = Object.fromEntries(counts.map((n, i) => [`t${i}`, Array(n).fill(add)]))
  return JSON.stringify({ variables: { x: 0 }, threads })
}

/** Of more than 100 000 executions: model programs by their additions, C programs by their arguments. */
const spaces = {
  additions: [3, 3, 3, 3],
  'more-additions': [4, 4, 3, 2],
  stores: ['stores', '6'],
  locks: ['locks', '9'],
}

function explore(folder, name, workers, strategy) {
  const space = spaces[name]
  const isModel = name.endsWith('additions')
  const file = isModel ? join(folder, `${name}.json`) : peers
  if (isModel) writeFileSync(file, additions(space))
  const options = ['--strategy', strategy, '--workers', String(workers), '--keep-going', '--budget', '30m']
  const argv = ['check', file, ...options, '--json', ...(isModel ? [] : ['--', ...space])]
  const start = process.hrtime.bigint()
  const { stdout } = spawnSync(process.execPath, [bin, ...argv], {
    encoding: 'utf8',
    cwd: folder,
    maxBuffer: 2 ** 28,
  })
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const { executions, blocked, verdict } = JSON.parse(stdout)
  return { seconds, executions, blocked, verdict }
}

export default function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      workers: { type: 'string', default: '2' },
      strategy: { type: 'string', default: 'optimal' },
    },
  })
  const workers = Number(values.workers)
  if (availableParallelism() < workers) console.log(`fewer than ${workers} cores: the ratio says nothing`)
  const folder = mkdtempSync(join(tmpdir(), 'faultline-bench-'))
  const rows = (positionals.length > 0 ? positionals : Object.keys(spaces)).map((name) => {
    const one = explore(folder, name, 1, values.strategy)
    const many = explore(folder, name, workers, values.strategy)
    const inVain = many.blocked + many.executions - one.executions
    return [
      name,
      grouped(one.executions),
      one.verdict === many.verdict ? many.verdict : `${one.verdict}, but ${many.verdict}`,
      `${one.seconds.toFixed(1)} s`,
      `${many.seconds.toFixed(1)} s`,
      (one.seconds / many.seconds).toFixed(2),
      `${((100 * inVain) / (many.executions + many.blocked)).toFixed(2)} %`,
    ]
  })
  rmSync(folder, { recursive: true })
  table([
    ['state space', 'executions', 'verdict', '1 worker', `${workers} workers`, 'ratio', 'in vain'],
    ...rows,
  ])
}
