import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serve } from './child.js'
import { Examiner, Hang } from './crew.js'
import { describe, summary } from './describe.js'
import { type AnyMix, allMixes, generate } from './generate.js'
import { allQuestions, chosenQuestions, everyQuestion, type Question } from './question.js'
import type { Subject } from './subject.js'

const usage = `node tests/audit/run.mjs [options] [PROGRAM.json ...]

Compares strategies with brute force on random model programs, or on those given. Exit code 1: something disagrees.

  --mix A,B          mixes, default all, C for those of C: ${allMixes.map((m) => m.name).join(', ')}
  --runs N           programs per mix (300)
  --minutes N        instead: all mixes in turn for so long
  --seed N           number of the first program; the day if left out
  --strategies A,B   of dfs, optimal, source, dpor, icb, delay, best-first[:ORDER], orders (best-first by each), deepen,
                     deepen:pure, deepen:whole, auto and the samplers. Left out: a full audit, in which the number of the
                     program decides about orders, PP sets, bounds, saving and resuming, deepening and samplers
  --points SETS      PP sets as in --preempt, separated by blanks (everywhere); goes with --strategies, like
  --bound N
  --interval N       save and resume after every N executions
  --processes N      1, with --minutes 2
  --show N           how many programs per mix and kind of disagreement to shrink and print (1)
  --out DIR          write them there, too`

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    mix: { type: 'string' },
    runs: { type: 'string', default: '300' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    strategies: { type: 'string' },
    points: { type: 'string', default: 'everywhere' },
    bound: { type: 'string' },
    interval: { type: 'string' },
    processes: { type: 'string' },
    show: { type: 'string', default: '1' },
    out: { type: 'string' },
    child: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

/** This file, bundled: not where the source is. */
const bundle = import.meta.filename

const numberOr = <T>(text: string | undefined, other: T) => (text === undefined ? other : Number(text))

/** Programs far apart from those of other days. */
const seedOfToday = Number(new Date().toISOString().slice(0, 10).replaceAll('-', '')) * 1000
const firstSeed = numberOr(options.seed, seedOfToday)
const show = Number(options.show)

/** Commas also stand inside the arguments of best-first: a strategy begins where a known name does. */
function strategiesOf(text: string): string[] {
  return text.split(
    /,(?=(?:dfs|optimal|source|dpor|icb|delay|best-first|orders|deepen|auto|random|pct|rapos|pos|basic-pos|surw)(?:[:,]|$))/,
  )
}

function questionsFor(program: Subject, seed: number): Question[] {
  if (options.strategies === undefined) return allQuestions(program, seed)
  const [bound, interval] = [numberOr(options.bound, undefined), numberOr(options.interval, undefined)]
  return chosenQuestions(strategiesOf(options.strategies), options.points.split(' '), bound, interval)
}

/** What has been seen of a mix. */
class Tally {
  programs = 0
  tooLarge = 0
  classes = 0
  withBugs = 0
  disagreeing = 0
  readonly counts = new Map<string, number>()

  constructor(readonly mix: string) {}

  get seen(): number {
    return this.programs + this.tooLarge
  }

  text(): string {
    const { mix, programs, tooLarge, classes, withBugs, disagreeing, counts } = this
    const size = programs === 0 ? '' : `, ${(classes / programs).toFixed(1)} classes each`
    const head = `${mix}: ${programs} programs (${withBugs} with bugs${size}, ${tooLarge} too large), ${disagreeing} disagree`
    return [head, ...[...counts].sort((a, b) => b[1] - a[1]).map(([key, n]) => `    ${n} × ${key}`)].join(
      '\n',
    )
  }
}

async function runProgram(examiner: Examiner, tally: Tally, seed: number, program: Subject): Promise<void> {
  const questions = questionsFor(program, seed)
  const examined = await examiner.examine(program, questions)
  if (examined === null) {
    tally.tooLarge++
    return
  }
  tally.programs++
  const what = `${tally.mix} ${seed}`
  if (examined instanceof Hang) {
    const key = `hangs: ${examined.question}`
    tally.disagreeing++
    tally.counts.set(key, (tally.counts.get(key) ?? 0) + 1)
    console.log(`${what}: ${key}\n  ${JSON.stringify(program)}`)
    return
  }
  tally.classes += examined.classes
  if (examined.bugs > 0) tally.withBugs++
  if (examined.findings.length > 0) tally.disagreeing++
  for (const [key, finding] of summary(examined.findings)) {
    const count = (tally.counts.get(key) ?? 0) + 1
    tally.counts.set(key, count)
    if (count > show) continue
    const small = await examiner.shrink(program, finding)
    const shrunk = small instanceof Hang ? program : small
    const again = await examiner.examine(shrunk, questions)
    const text = describe(shrunk, again === null || again instanceof Hang ? [finding] : again.findings)
    console.log(`${what}: ${key}; shrunk:\n${text}`)
    if (options.out) keep(options.out, `${what} ${key}`, shrunk, text)
  }
}

function keep(folder: string, title: string, program: Subject, text: string): void {
  mkdirSync(folder, { recursive: true })
  const name = title.replace(/[^a-z0-9+-]+/gi, '_').slice(0, 60)
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(program, null, 1)}\n`)
  writeFileSync(join(folder, 'README'), `${name}.json\n${text}\n`, { flag: 'a' })
}

/** Programs in turn, a batch of each mix at a time: whoever is free takes the next. */
async function runMixes(chosen: readonly AnyMix[]): Promise<number> {
  console.log(`programs from number ${firstSeed}`)
  const tallies = chosen.map((mix) => new Tally(mix.name))
  const until = options.minutes === undefined ? Infinity : Date.now() + Number(options.minutes) * 60_000
  const batch = options.minutes === undefined ? Number(options.runs) : 20
  const count = options.minutes === undefined ? batch * chosen.length : Infinity
  let jobs = 0
  const next = (): { mix: AnyMix; tally: Tally; seed: number } | null => {
    if (jobs === count || Date.now() > until) return null
    const round = Math.floor(jobs / batch)
    const which = round % chosen.length
    const seed = firstSeed + Math.floor(round / chosen.length) * batch + (jobs++ % batch)
    return { mix: chosen[which], tally: tallies[which], seed }
  }
  const work = async () => {
    const examiner = new Examiner(bundle)
    for (let job = next(); job !== null; job = next()) {
      await runProgram(examiner, job.tally, job.seed, generate(job.mix, job.seed))
      if (options.minutes === undefined && job.tally.seen === batch) console.log(job.tally.text())
    }
    examiner.stop()
  }
  const processes = numberOr(options.processes, options.minutes === undefined ? 1 : 2)
  await Promise.all(Array.from({ length: processes }, work))
  if (options.minutes !== undefined) for (const tally of tallies) console.log(tally.text())
  const [programs, disagreeing] = [sumOf(tallies, 'programs'), sumOf(tallies, 'disagreeing')]
  console.log(`${programs} programs from number ${firstSeed}, ${disagreeing} disagree`)
  return disagreeing
}

const sumOf = (tallies: readonly Tally[], key: 'programs' | 'disagreeing') =>
  tallies.reduce((sum, tally) => sum + tally[key], 0)

async function runFiles(): Promise<number> {
  const examiner = new Examiner(bundle)
  let wrong = 0
  for (const file of files) {
    const program = JSON.parse(readFileSync(file, 'utf8')) as Subject
    const questions = options.strategies ? questionsFor(program, 0) : everyQuestion(program, 20)
    const examined = await examiner.examine(program, questions)
    if (examined instanceof Hang) console.log(`${file}: hangs: ${examined.question}`)
    else if (examined === null) console.log(`${file}: too large`)
    else if (examined.findings.length === 0) console.log(`${file}: right`)
    else console.log(`${file}\n${describe(program, examined.findings)}`)
    if (examined instanceof Hang || (examined && examined.findings.length > 0)) wrong++
  }
  examiner.stop()
  return wrong
}

function chosenMixes(): readonly AnyMix[] {
  const names = options.mix?.split(',')
  const unknown = names?.find((name) => name !== 'C' && allMixes.every((mix) => mix.name !== name))
  if (unknown !== undefined)
    throw new RangeError(`no mix "${unknown}"; known are ${allMixes.map((m) => m.name).join(', ')}`)
  return allMixes.filter(
    (mix) => names === undefined || names.includes(mix.name) || (names.includes('C') && 'operations' in mix),
  )
}

if (options.child) serve()
else if (options.help) console.log(usage)
else process.exitCode = (await (files.length > 0 ? runFiles() : runMixes(chosenMixes()))) > 0 ? 1 : 0
