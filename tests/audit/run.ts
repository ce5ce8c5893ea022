import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Program } from '../../src/frontends/model/program.js'
import { parsePoints } from '../../src/program/points.js'
import { orders } from '../best-first/check.js'
import { generate } from './generate.js'
import { type Finding, judge, truth } from './judge.js'
import { type Mix, mixes } from './mixes.js'
import { shrink } from './shrink.js'

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    mix: { type: 'string' },
    runs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    strategies: { type: 'string' },
    points: { type: 'string', default: 'everywhere' },
    interval: { type: 'string' },
    show: { type: 'string', default: '1' },
    out: { type: 'string' },
    'no-blocked': { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

const usage = `node tests/audit/run.mjs [options] [PROGRAM.json ...]

Compares the complete strategies with brute force on random model programs, or on those given.

  --mix A,B          mixes, default all: ${mixes.map((m) => m.name).join(', ')}
  --runs N           programs per mix (300)
  --seed N           first program's number (1)
  --strategies A,B   default optimal,source,dpor,icb,delay,best-first and best-first with each order ("orders")
  --points SETS      PP sets as in --preempt, separated by blanks (everywhere)
  --interval N       save and resume after every N executions
  --show N           how many programs per mix and kind of disagreement to shrink and print (1)
  --out DIR          write them there, too
  --no-blocked       leave blocked executions of optimal out`

const bestFirst = orders.map((order) => (order === '' ? 'best-first' : `best-first:${order}`))
const asked = (options.strategies ?? 'optimal,source,dpor,icb,delay,orders').split(/,(?=[a-z-]+(?:[:,]|$))/)
const strategies = asked.flatMap((spec) => (spec === 'orders' ? bestFirst : [spec]))
const pointSets = options.points.split(' ')
const interval = options.interval === undefined ? undefined : Number(options.interval)

function findingsOf(program: Program, specs: readonly string[], sets: readonly string[]): Finding[] | null {
  const findings: Finding[] = []
  for (const set of sets) {
    const points = parsePoints(set)
    const all = truth(program, points)
    if (all === null) return null
    for (const strategy of specs) {
      for (const finding of judge({ program, points, strategy, interval }, all)) {
        if (options['no-blocked'] && finding.fault === 'blocked') continue
        findings.push({
          ...finding,
          strategy: set === 'everywhere' ? strategy : `${strategy} --preempt ${set}`,
        })
      }
    }
  }
  return findings
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** Losing a final state, a bug or only a class has one cause more often than not. */
const kindOf = ({ fault }: Finding) => (fault.endsWith(' lost') ? 'lost' : fault)

/** What is wrong with a program, by kind, and who is: `lost by optimal, source, best-first (12)`. */
function summary(findings: readonly Finding[]): Map<string, Finding> {
  const kinds = grouped(findings, kindOf)
  return new Map(
    [...kinds].map(([kind, list]) => {
      const names = [...new Set(list.map((f) => f.strategy))]
      const families = grouped(names, (name) => name.replace(/:.*?(?= --preempt|$)/, ''))
      const texts = [...families].map(([name, all]) => (all.length > 1 ? `${name} (${all.length})` : all[0]))
      return [`${kind} by ${texts.join(', ')}`, list[0]]
    }),
  )
}

/** Leaves out all that can be while one strategy stays wrong in one way. */
function shrunk(program: Program, finding: Finding): { program: Program; findings: Finding[] } {
  const [spec, set = 'everywhere'] = finding.strategy.split(' --preempt ')
  const small = shrink(program, (candidate) =>
    (findingsOf(candidate, [spec], [set]) ?? []).some((f) => kindOf(f) === kindOf(finding)),
  )
  return { program: small, findings: findingsOf(small, strategies, pointSets) ?? [] }
}

function describe(program: Program, findings: readonly Finding[]): string {
  const lines = [...summary(findings)].map(
    ([who, { fault, text }]) => `  ${who}: ${fault}: ${text.replaceAll('\n', ' ')}`,
  )
  return [...lines, `  ${JSON.stringify(program)}`].join('\n')
}

let wrong = 0

function runMix(mix: Mix): void {
  const counts = new Map<string, number>()
  let programs = 0
  let tooLarge = 0
  let classes = 0
  let bugs = 0
  let disagreeing = 0
  const started = process.cpuUsage().user
  for (let i = 0; i < Number(options.runs); i++) {
    const seed = Number(options.seed) + i
    const program = generate(mix, seed)
    const all = truth(program, parsePoints(pointSets[0]))
    const findings = all && findingsOf(program, strategies, pointSets)
    if (findings === null || all === null) {
      tooLarge++
      continue
    }
    programs++
    classes += all.classes.size
    if (all.bugs.size > 0) bugs++
    if (findings.length > 0) disagreeing++
    for (const [key, finding] of summary(findings)) {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count > Number(options.show)) continue
      const small = shrunk(program, finding)
      const text = describe(small.program, small.findings)
      console.log(`${mix.name} ${seed}: ${key}; shrunk:\n${text}`)
      if (options.out) {
        mkdirSync(options.out, { recursive: true })
        const name = `${mix.name}-${seed}-${key}`.replace(/[^a-z0-9+-]+/gi, '_').slice(0, 60)
        writeFileSync(join(options.out, `${name}.json`), `${JSON.stringify(small.program, null, 1)}\n`)
        writeFileSync(join(options.out, 'README'), `${name}.json\n${text}\n`, { flag: 'a' })
      }
    }
  }
  wrong += disagreeing
  const seconds = ((process.cpuUsage().user - started) / 1e6).toFixed(1)
  console.log(
    `${mix.name}: ${programs} programs (${bugs} with bugs, ${(classes / programs).toFixed(1)} classes each, ` +
      `${tooLarge} too large), ${disagreeing} disagree; ${seconds} s`,
  )
  for (const [key, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`    ${count} × ${key}`)
}

function runFile(file: string): void {
  const program = JSON.parse(readFileSync(file, 'utf8')) as Program
  const findings = findingsOf(program, strategies, pointSets)
  if (findings !== null && findings.length > 0) wrong++
  console.log(
    findings === null
      ? `${file}: too large`
      : findings.length === 0
        ? `${file}: right`
        : `${file}\n${describe(program, findings)}`,
  )
}

if (options.help) console.log(usage)
else if (files.length > 0) files.forEach(runFile)
else {
  const names = options.mix?.split(',')
  const unknown = names?.find((name) => mixes.every((mix) => mix.name !== name))
  if (unknown !== undefined)
    throw new RangeError(`no mix "${unknown}"; known are ${mixes.map((m) => m.name).join(', ')}`)
  for (const mix of mixes) if (names === undefined || names.includes(mix.name)) runMix(mix)
}
process.exitCode = wrong > 0 ? 1 : 0
