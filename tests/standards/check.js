// npm run check:standards: small libraries as people write them, unchanged under each standard: verified as they are, and
// with `-DBUG` their bug is found.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judge, libraries, librariesFolder } from './libraries.js'

const usage = `npm run check:standards -- [options] [names]
  --std <standard>  only under this one
  --budget <time>   for each check (120s)
  --workers <n>     worker threads (1)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    std: { type: 'string' },
    budget: { type: 'string', default: '120s' },
    workers: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}

const { main } = await import('../../dist/cli/main.js')
const out = mkdtempSync(join(tmpdir(), 'faultline-standards-'))

/** Runs the command in this process, in which the compiler is loaded only once. */
async function check(argv) {
  let text = ''
  const io = {
    out: (more) => {
      text += more
    },
    err: () => {},
    width: 100,
    colour: false,
    isLive: false,
    directory: librariesFolder,
    command: 'faultline',
    async *readLines() {},
    onInterrupt: () => () => {},
  }
  const start = process.cpuUsage()
  const limits = ['--budget', values.budget, '--workers', values.workers]
  await main(['check', ...argv, ...limits, '--json', '--quiet', '--out', out], io)
  const { user, system } = process.cpuUsage(start)
  return { report: JSON.parse(text), seconds: (user + system) / 1e6 }
}

let cells = 0
let faults = 0
for (const { name, sources, standards, kinds } of libraries) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  for (const standard of standards) {
    if (values.std !== undefined && values.std !== standard) continue
    for (const bug of [false, true]) {
      const argv = [...sources, `-std=${standard}`, ...(bug ? ['-DBUG'] : [])]
      const { report, seconds } = await check(argv)
      const fault = judge(report, bug ? kinds : undefined)
      cells++
      const shown = report.bugs?.[0]?.kind ?? report.verdict ?? 'error'
      console.log(`${name} ${standard}${bug ? ' with its bug' : ''}: ${shown}, ${seconds.toFixed(1)} s`)
      if (fault === null) continue
      faults++
      console.log(`  ! ${fault}`)
    }
  }
}
rmSync(out, { recursive: true, force: true })
console.log(`${cells} checks, ${faults} faults (seconds of processor time)`)
process.exitCode = faults === 0 ? 0 : 1
