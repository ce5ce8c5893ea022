// npm run check:kits: the kits on their examples. Each variant's mistake is found by the whole default run of its kit, as a
// bug of the kind that it should be; the library without a mistake has none.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const usage = `npm run check:kits -- [options] [variants]
  --example <name>  threadlib, kernel or pintos (all)
  --budget <time>   time for all tests of a variant (60s)
  --only            only the test that is said to show the mistake
  --part <i/n>      every n-th variant, from the i-th on
  --workers <n>     worker threads (as faultline kit has it)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    example: { type: 'string', multiple: true, default: ['threadlib', 'kernel', 'pintos'] },
    budget: { type: 'string', default: '60s' },
    only: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
    workers: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}

const { main } = await import('../dist/cli/main.js')
const directory = fileURLToPath(new URL('..', import.meta.url))

async function runKit(kit, example, options) {
  const out = mkdtempSync(join(tmpdir(), 'faultline-kits-'))
  const io = {
    out: () => {},
    err: (text) => process.stderr.write(text),
    width: 100,
    colour: false,
    isLive: false,
    directory,
    command: 'faultline',
    async *readLines() {},
    onInterrupt: () => () => {},
  }
  const argv = ['kit', kit, `examples/${example}`, '--out', out, '--budget', values.budget]
  const workers = values.workers === undefined ? [] : ['--workers', values.workers]
  const start = performance.now()
  const before = process.cpuUsage()
  await main([...argv, ...workers, ...options], io)
  const { user, system } = process.cpuUsage(before)
  const cost = `${((performance.now() - start) / 1000).toFixed(0)} s, ${((user + system) / 1e6).toFixed(0)} s of CPU`
  const { results } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))
  rmSync(out, { recursive: true, force: true })
  const count = (wanted) => results.filter(({ outcome }) => outcome === wanted).length
  return {
    results,
    cost,
    counts: `${count('verified')} tests verified, ${count('partial')} without a bug so far`,
  }
}

/** What is wrong with how a variant came out, or null. */
function judge({ test, kinds }, results) {
  const failed = results.find(({ outcome }) => outcome === 'failed')
  if (failed !== undefined) return `${failed.test} does not run: ${failed.text}`
  const found = results.filter(({ bug }) => bug !== undefined)
  if (found.length === 0) return 'its mistake was not found'
  const shown = found.find((result) => result.test === test)
  if (shown === undefined)
    return `found by ${found.map((result) => result.test).join(', ')}, but not by ${test}`
  return kinds.includes(shown.bug.kind) ? null : `found as ${shown.bug.kind}, which it is not`
}

const [part, parts] = values.part.split('/').map(Number)
let faults = 0
for (const example of values.example) {
  const text = readFileSync(join(directory, 'examples', example, 'variants.json'), 'utf8')
  const { kit, variants } = JSON.parse(text)
  if (positionals.length === 0 && part === 1) {
    const { results, cost, counts } = await runKit(kit, example, [])
    const alarms = results.filter(({ outcome }) => outcome === 'bug' || outcome === 'failed')
    console.log(`${example}: ${counts}; ${cost}`)
    for (const { test, text } of alarms) console.log(`  ! ${test}: ${text}`)
    faults += alarms.length
  }
  for (const [i, [name, variant]] of Object.entries(variants).entries()) {
    if (i % parts !== part - 1) continue
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const only = values.only ? ['--test', variant.test] : []
    const { results, cost, counts } = await runKit(kit, example, ['-D', `MISTAKE_${name}`, ...only])
    const fault = judge(variant, results)
    const bugs = results.filter(({ bug }) => bug !== undefined)
    const shown = bugs.map(({ test, bug }) => `${bug.kind} by ${test}`).join(', ')
    console.log(`${name}: ${shown || 'nothing'}; ${counts}; ${cost}`)
    if (fault !== null) {
      faults++
      console.log(`  ! ${fault}`)
    }
  }
}
process.exitCode = faults > 0 ? 1 : 0
