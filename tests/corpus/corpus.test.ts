import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { causesOf, corpusFolder, type Entry, entries } from '../../corpus/entries.js'
import { exceptions } from '../../corpus/exceptions.js'
import { explore } from '../../src/execution/explore.js'
import { frontEndFor } from '../../src/frontends/registry.js'
import type { Bug } from '../../src/machine/bug.js'
import type { Machine } from '../../src/machine/machine.js'
import { everywhere } from '../../src/machine/points.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import { createStrategy } from '../../src/strategies/index.js'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'

const all = entries()
/** For every day: one of each family that is not seen elsewhere. */
const few = ['ad-hoc-flag', 'chaselev', 'half-way', 'seqlock']

/**
 * A `scoped_lock` of several mutexes tries them: whether that reads or changes a lock depends on what it finds, one of the
 * exceptions on the page of `optimal`. Classes may be run more than once.
 */
const triesLocks = ['dining-scoped', 'map-stripes']

/** `two-stage` with more threads: no search comes to an end, so that there is little to compare. */
const neverDone = ['two-stage-100']

/** Strategies that have to find the same bugs when they have nothing left. */
const exhaustive = ['optimal', 'source', 'dpor', 'best-first', 'dfs']
const mostExecutions = 3000

function bugsBy(machine: Machine, strategy: string) {
  const bugs = new Set<string>()
  const classes = new Set<string>()
  const fingerprint = new Fingerprint(machine)
  const nameOf = ({ kind, site }: Bug) => `${kind} at ${machine.sites[site]?.name ?? 'the end'}`
  const { exhausted, executions, cut } = explore({
    machine,
    strategy: createStrategy(strategy, { machine, seed: 1 }),
    keepGoing: true,
    maxExecutions: mostExecutions,
    maxSteps: 5000,
    onExecution({ bug, trace, status }) {
      if (bug) bugs.add(nameOf(bug))
      if (status !== 'blocked') classes.add(fingerprint.of(trace, status))
    },
  })
  return { bugs: [...bugs].sort(), isWhole: exhausted && cut === 0, executions, classes: classes.size }
}

/** What is expected ends the run, on a slow machine later. Where nothing need be found there is no use in waiting. */
const budgetFor = (isExpected: boolean) => ['--budget', isExpected ? '15m' : '3s']

/** `npm run check:corpus` does this for all. */
function findsBug({ name, about, argv, twin }: Entry): void {
  it('has its bug, and none when repaired', async () => {
    const check = async (words: readonly string[], isExpected: boolean) => {
      const options = ['--json', '--quiet', '--out', folderWith({}), ...budgetFor(isExpected)]
      return JSON.parse((await faultline(corpusFolder, ['check', ...words, ...options])).out)
    }
    const isException = name in exceptions
    const broken = await check(argv, !isException)
    expect(broken.error).toBeUndefined()
    if (!isException) expect(about.kinds).toContain(broken.bugs[0]?.kind)
    const { preemptions } = about
    if (preemptions !== undefined && broken.bugs.length > 0)
      expect(broken.bugs[0].preemptions).toBeGreaterThanOrEqual(preemptions)
    const repaired = await check(twin, about.twinVerdict === undefined)
    expect(repaired.bugs).toEqual([])
    expect(['verified', about.twinVerdict]).toContain(repaired.verdict)
  })
}

function looksTheSame({ name, about, file }: Entry): void {
  // Examples are compared elsewhere, and have options of their own.
  it.skipIf(about.twin !== undefined)('looks the same to every strategy', async () => {
    const sizes = about.define ?? []
    for (const define of [['BUG'], []]) {
      const recipe = { files: [file], define: [...sizes, ...define] }
      const { machine } = await frontEndFor(recipe.files).load(recipe, corpusFolder)
      machine.usePoints(everywhere)
      const results = exhaustive.map((strategy) => ({ strategy, ...bugsBy(machine, strategy) }))
      const whole = results.filter((r) => r.isWhole)
      for (const { strategy, bugs } of whole) expect([strategy, bugs]).toEqual([strategy, whole[0].bugs])
      // What a search that ended early, or a sampler, has seen must be among what there is.
      const sampled = [...results, bugsBy(machine, 'pos')].flatMap((r) => r.bugs)
      if (whole.length > 0) for (const bug of sampled) expect(whole[0].bugs).toContain(bug)
      if (define.length === 0) expect(sampled).toEqual([])
      // An execution that fails ends there, whatever others have done by then, so only those that do not have classes.
      if (define.length > 0) continue
      const optimal = whole.find((r) => r.strategy === 'optimal')
      if (optimal && !triesLocks.includes(name)) expect(optimal.executions).toBe(optimal.classes)
      for (const { strategy, classes } of whole) {
        // A plain depth-first search logs no accesses, and so has no classes.
        if (optimal && strategy !== 'dfs') expect([strategy, classes]).toEqual([strategy, optimal.classes])
      }
    }
  })
}

it('every program says what is wrong with it, and which lines cause that', () => {
  expect(all.length).toBeGreaterThanOrEqual(100)
  const readme = readFileSync(join(corpusFolder, 'README.md'), 'utf8')
  for (const entry of all) {
    const { name, about } = entry
    expect(readme).toContain(`[${name}](${name}/about.json)`)
    expect([name, about.wrong.endsWith('.'), about.kinds.length > 0]).toEqual([name, true, true])
    expect([name, causesOf(entry).length > 0]).toEqual([name, true])
  }
  for (const [name, why] of Object.entries(exceptions)) {
    expect(all.map((entry) => entry.name)).toContain(name)
    expect(why).toMatch(/\w+ \w+/)
  }
})

const isDaily = ({ name }: Entry) => few.includes(name)
const others = all.filter((entry) => !isDaily(entry) && entry.about.family !== 'examples')
/** Of the rest, a third by the default check, and of C++, which takes long to compile, by the strategies, too. */
const isChosen = (entry: Entry) => others.indexOf(entry) % 3 === 0
const isCompared = ({ name, file }: Entry) => file.endsWith('.c') && !neverDone.includes(name)
for (const entry of all.filter(isDaily)) {
  describe(entry.name, () => {
    findsBug(entry)
    looksTheSame(entry)
  })
}
for (const entry of others.filter((other) => isChosen(other) || isCompared(other))) {
  describe.runIf(isFull)(entry.name, () => {
    if (isChosen(entry)) findsBug(entry)
    if (!neverDone.includes(entry.name)) looksTheSame(entry)
  })
}
