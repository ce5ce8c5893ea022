// npm run tables: measures samplers, searches, reductions, estimators and native runs on the corpus, and writes
// benchmarks/results. What was measured before with the same time and the same code is kept: an interrupted run goes on.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { corpusFolder } from '../../corpus/entries.js'
import { estimation } from './estimation.js'
import { tablePrograms } from './programs.js'
import { reduction } from './reduction.js'
import { sampling } from './sampling.js'
import { search } from './search.js'
import { stress } from './stress.js'

const tables = [sampling, search, reduction, estimation, stress]
const usage = `npm run tables -- [options]
  --minutes <n>       for all tables together (20); compiling comes on top
  --table <name>      only this one: ${tables.map(({ name }) => name).join(', ')}
  --program <name>    only this program of the corpus
  --subject <name>    only this column, for example pos; what is asked for by name is measured again
  --seconds <n>       for each figure, instead of a share of the minutes
  --fresh             measure everything again
  --page              only write the page from what there is`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    table: { type: 'string' },
    program: { type: 'string' },
    subject: { type: 'string' },
    seconds: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}

const folder = fileURLToPath(new URL('../results/', import.meta.url))
mkdirSync(folder, { recursive: true })
const programs = tablePrograms()
const isOne = values.program !== undefined || values.subject !== undefined

/** Which code was measured, as far as that is known. */
function revision() {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: folder, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

function read(table) {
  const file = join(folder, `${table.name}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { results: {} }
}

function hashOf({ file, about }) {
  const text = readFileSync(join(corpusFolder, file), 'utf8') + JSON.stringify(about.define ?? [])
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

const keyOf = (program, subject) => `${program.name} | ${subject}`

function commandOf(table, seconds) {
  return (program, subject) =>
    `npm run tables -- --table ${table.name} --program ${program.name} --subject "${subject}" --seconds ${seconds}`
}

async function measure(table, seconds) {
  const data = read(table)
  const code = revision()
  const wanted = programs.filter(({ name }) => values.program === undefined || name === values.program)
  const subjects = table.subjects().filter((name) => values.subject === undefined || name === values.subject)
  const todo = wanted.flatMap((program) => subjects.map((subject) => ({ program, subject })))
  let saved = performance.now()
  const save = () => {
    writeFileSync(
      join(folder, `${table.name}.json`),
      `${JSON.stringify({ code, seconds, ...data }, null, 1)}\n`,
    )
    saved = performance.now()
  }
  for (const [i, { program, subject }] of todo.entries()) {
    const key = keyOf(program, subject)
    const hash = hashOf(program)
    const known = data.results[key]
    if (!values.fresh && !isOne && known?.hash === hash && known.seconds === seconds && known.code === code)
      continue
    let result
    try {
      result = await table.run(program, subject, seconds)
    } catch (error) {
      result = { problem: error.message.split('\n')[0] }
    }
    data.results[key] = { hash, code, seconds, ...result }
    if (isOne) console.log(`${table.name} | ${key}: ${JSON.stringify(result)}`)
    else if (process.stderr.isTTY)
      process.stderr.write(`\r${table.name} ${i + 1}/${todo.length} ${key}\x1b[K`)
    else if (i % 50 === 0) console.error(`${table.name} ${i + 1}/${todo.length} ${key}`)
    if (performance.now() - saved > 5000) save()
  }
  if (process.stderr.isTTY) process.stderr.write('\n')
  save()
}

function writePage() {
  const parts = tables.map((table) => {
    const data = read(table)
    const resultOf = (program, subject) => {
      const result = data.results[keyOf(program, subject)]
      return result?.problem === undefined ? result : undefined
    }
    const { text, plots } = table.page(programs, resultOf, commandOf(table, data.seconds ?? 1))
    for (const [name, svg] of Object.entries(plots)) writeFileSync(join(folder, name), svg)
    return `## ${table.title}\n\n${text}\nMeasured at ${data.code ?? 'no revision yet'}, up to ${data.seconds ?? 0} s each.\n`
  })
  const text = `# Tables

What \`npm run tables\` measured on ${programs.length} programs of the [corpus](../../corpus/README.md) (those in C), one thread, seed 1. The
data are beside this page, as JSON. Counts of executions are reproducible; how many fit into the time depends on the machine.

${parts.join('\n')}`
  writeFileSync(join(folder, 'README.md'), text)
}

const chosen = tables.filter(({ name }) => values.table === undefined || name === values.table)
if (chosen.length === 0) {
  console.error(`there is no table "${values.table}"\n\n${usage}`)
  process.exit(2)
}
if (!values.page) {
  for (const table of chosen) {
    const figures = programs.length * table.subjects().length
    // A tenth of a second is the least that says anything.
    const shared = Math.max(0.1, (table.share * 60 * Number(values.minutes)) / figures)
    await measure(table, Number(values.seconds ?? shared.toFixed(2)))
  }
}
writePage()
console.log(`benchmarks/results/README.md has the tables`)
