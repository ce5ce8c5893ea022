import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { frontEndFor } from '../../src/frontends/registry.js'
import type { Bug } from '../../src/machine/bug.js'
import type { Machine } from '../../src/machine/machine.js'
import { everywhere } from '../../src/machine/points.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import { createStrategy } from '../../src/strategies/index.js'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'

/**
 * Programs as people write them, each with its bug (-DBUG) and without. The first line of each says which kinds of bug
 * are right; without, every schedule has to be explored.
 */
const folder = fileURLToPath(new URL('.', import.meta.url))
const all = readdirSync(folder).filter((name) => /\.(?:c|cpp)$/.test(name))
const few = ['chaselev.c', 'missed-wakeup.c', 'seqlock.c']

/**
 * A `scoped_lock` of several mutexes tries them: whether that reads or changes a lock depends on what it finds, one of the
 * exceptions on the page of `optimal`. Classes may be run more than once.
 */
const triesLocks = ['dining-scoped.cpp', 'map-stripes.cpp']

/** Strategies that have to find the same bugs when they have nothing left. */
const exhaustive = ['optimal', 'source', 'dpor', 'best-first', 'dfs']
const mostExecutions = 3000

function kindsOf(name: string): string[] {
  const [, kinds] = /bug: *([a-z|-]+)/.exec(readFileSync(join(folder, name), 'utf8').split('\n', 1)[0]) ?? []
  if (kinds === undefined) throw new Error(`${name} does not say which bug it has`)
  return kinds.split('|')
}

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

function check(name: string): void {
  it('has its bug, and none when repaired', { timeout: 300_000 }, async () => {
    const out = folderWith({})
    const common = ['--json', '--quiet', '--out', out, '--budget', '30s']
    const broken = JSON.parse((await faultline(folder, ['check', name, '-DBUG', ...common])).out)
    expect(broken.error).toBeUndefined()
    expect(kindsOf(name)).toContain(broken.bugs[0]?.kind)
    const repaired = JSON.parse((await faultline(folder, ['check', name, ...common])).out)
    expect([repaired.verdict, repaired.bugs]).toEqual(['verified', []])
  })

  it('looks the same to every strategy', { timeout: 300_000 }, async () => {
    for (const define of [['BUG'], []]) {
      const recipe = { files: [name], define }
      const { machine } = await frontEndFor(recipe.files).load(recipe, folder)
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

describe.each(few)('%s', check)
describe.runIf(isFull).each(all.filter((name) => !few.includes(name)))('%s', check)
