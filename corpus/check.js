// npm run check:corpus: every bug found by the default check within its budget, every repaired twin verified or said to be
// partial, no false alarm.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { corpusFolder, entries, writeAbout } from './entries.js'
import { exceptions } from './exceptions.js'

const usage = `npm run check:corpus -- [options] [names]
  --cpu <time>      processor time for each program (120s: a minute of two cores)
  --workers <n>     worker threads (2)
  --language <c>    only programs in c, or cpp
  --part <i/n>      the i-th of n parts of the corpus
  --no-twins        only programs with their bugs
  --update          write down threads, preemptions and races where about.json does not say`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cpu: { type: 'string', default: '120s' },
    workers: { type: 'string', default: '2' },
    language: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    'no-twins': { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}

const { main } = await import('../dist/cli/main.js')
const out = mkdtempSync(join(tmpdir(), 'faultline-corpus-'))

/** Runs the command in this process, in which the compiler is loaded only once. */
async function check(argv) {
  let text = ''
  const start = process.cpuUsage()
  const time = ['--cpu', values.cpu, '--budget', '15m']
  const options = ['--json', '--quiet', ...time, '--workers', values.workers, '--out', out]
  const io = {
    out: (more) => {
      text += more
    },
    err: () => {},
    width: 100,
    colour: false,
    isLive: false,
    directory: corpusFolder,
    command: 'faultline',
    async *readLines() {},
    onInterrupt: () => () => {},
  }
  await main(['check', ...argv, ...options], io)
  const { user, system } = process.cpuUsage(start)
  return { report: JSON.parse(text), seconds: (user + system) / 1e6 }
}

function judgeBug({ name, about }, { report }) {
  if (report.error) return `does not run: ${report.error.split('\n')[0]}`
  const [bug] = report.bugs
  if (bug === undefined) return name in exceptions ? null : `bug not found: ${report.verdict}`
  if (!about.kinds.includes(bug.kind)) return `found ${bug.kind}, which it should not have`
  if (about.preemptions !== undefined && bug.preemptions < about.preemptions)
    return `took ${bug.preemptions} preemptions, less than the ${about.preemptions} that are said to be needed`
  const known = about.races?.map(({ object }) => object)
  const unknown = objectsOf(report).filter((object) => known !== undefined && !known.includes(object))
  if (unknown.length > 0) return `races on ${unknown.join(', ')}, of which about.json does not tell`
  return null
}

function judgeTwin({ about }, { report }) {
  if (report.error) return `twin does not run: ${report.error.split('\n')[0]}`
  const [bug] = report.bugs
  if (bug !== undefined) return `false alarm: ${bug.kind} in the twin, ${bug.message}`
  const expected = about.twinVerdict ?? 'verified'
  return report.verdict === 'verified' || report.verdict === expected ? null : `twin ${report.verdict}`
}

/** What its races are about; the search may have ended before it saw all of them. */
function objectsOf({ races }) {
  return [...new Set(races.map(({ object }) => object))].sort()
}

/** What a run shows that about.json may leave out. */
function learn({ name, about }, { report }) {
  const [bug] = report.bugs ?? []
  if (bug === undefined) return
  const threads = bug.interleaving.threads.length
  const races = objectsOf(report).map((object) => ({ object, does: 'untested' }))
  writeAbout(name, {
    ...about,
    ...(about.threads === undefined ? { threads } : {}),
    ...(about.races === undefined && races.length > 0 ? { races } : {}),
    ...(about.preemptions === undefined && bug.minimality === 'proven'
      ? { preemptions: bug.preemptions }
      : {}),
  })
}

const [part, parts] = values.part.split('/').map(Number)
const wanted = entries()
  .filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  .filter(({ file }) => values.language === undefined || file.endsWith(`.${values.language}`))
  .filter((_, i) => i % parts === part - 1)
let faults = 0
let missed = 0
for (const [i, entry] of wanted.entries()) {
  const broken = await check(entry.argv)
  const fault = judgeBug(entry, broken)
  const [bug] = broken.report.bugs ?? []
  if (bug === undefined) missed++
  else if (values.update) learn(entry, broken)
  const found = bug ? `${bug.kind} by ${bug.strategy} in execution ${bug.execution}` : 'none'
  let line = `${i + 1}/${wanted.length} ${entry.name}: ${found}, ${broken.seconds.toFixed(1)} s`
  let twinFault = null
  if (!values['no-twins']) {
    const twin = await check(entry.twin)
    twinFault = judgeTwin(entry, twin)
    line += `; twin ${twin.report.verdict ?? 'error'}, ${twin.seconds.toFixed(1)} s`
  }
  console.log(line)
  for (const text of [fault, twinFault]) {
    if (text === null) continue
    faults++
    console.log(`  ! ${text}`)
  }
}
rmSync(out, { recursive: true, force: true })
console.log(
  `${wanted.length} programs, ${missed} bugs not found, ${faults} faults (seconds of processor time)`,
)
process.exitCode = faults === 0 ? 0 : 1
