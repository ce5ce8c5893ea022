import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { type Failure, stretchesOf } from '../../src/explain/failure.js'
import { GuidedSchedule } from '../../src/explain/guided-schedule.js'
import { readFailure } from '../../src/files/failure.js'
import { frontEndFor } from '../../src/frontends/registry.js'
import { sameBug } from '../../src/machine/bug.js'
import type { Machine } from '../../src/machine/machine.js'
import { replaySchedule } from '../../src/reports/build/replay.js'
import type { BugReport } from '../../src/reports/report.js'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'
import {
  examplesFolder as examples,
  exampleFiles as files,
  isNumbered,
  optionsOf,
  readExample as read,
} from '../support/examples.js'
import { schemaErrors } from './schema.js'

/**
 * Every buggy example: is its schedule minimal, and does the explanation name the lines marked with `// cause`?
 */
const buggy = files.filter((name) => /\.(?:c|cpp|mjs)$/.test(name) && /^\/\/ expect: bug/m.test(read(name)))

/** Lines marked as causes, in the program and in the headers it includes, as `file:line`. */
function marksOf(name: string): string[] {
  const seen = new Set<string>()
  const visit = (file: string): string[] => {
    if (seen.has(file) || !files.includes(file)) return []
    seen.add(file)
    const text = read(file)
    const own = text.split('\n').flatMap((line, i) => (/\/\/ cause\b/.test(line) ? [`${file}:${i + 1}`] : []))
    const included = [...text.matchAll(/^#include "(.+)"/gm)].map(([, header]) => join(dirname(file), header))
    return [...own, ...included.flatMap(visit)]
  }
  return visit(name)
}

/** Lines that the explanation names: in its sentence, and for faults of the heap in the stacks that come with it. */
function namedBy({ explanation, stacks, location }: BugReport): Set<string> {
  const places = explanation.steps.map((step) => step.location)
  const frames = stacks.filter((s) => s.title !== 'failed' && s.title !== 'waits').flatMap((s) => s.frames)
  const failed = stacks.length > 1 ? [location] : []
  return new Set([...places, ...frames.map((f) => f.location), ...failed].filter((place) => place !== null))
}

/** The preemptions that could be taken away by letting the thread go on, or by starting it later. */
function removable(machine: Machine, failure: Failure): number {
  const stretches = stretchesOf(failure)
  const runner = new Runner(machine, { maxSteps: 10 * failure.thread.length + 1000 })
  return stretches.filter((stretch, i) => {
    const next = stretches.findIndex((s, j) => j > i && s.thread === stretch.thread)
    if (next < 0) return false
    const whole = { thread: stretch.thread, values: [...stretch.values, ...stretches[next].values] }
    return [i, next].some((at) => {
      const other = at === i ? next : i
      runner.run(
        new GuidedSchedule(stretches.flatMap((s, j) => (j === at ? [whole] : j === other ? [] : [s]))),
      )
      return (
        runner.bug !== null &&
        sameBug(runner.bug, failure.bug) &&
        runner.trace.preemptions < failure.preemptions
      )
    })
  }).length
}

const rows: { name: string; bug: BugReport; marks: string[]; missed: string[] }[] = []

describe('buggy examples', () => {
  const check = async (name: string) => {
    const out = folderWith({})
    const report = JSON.parse(
      (await faultline(examples, ['check', name, ...optionsOf(name), '--json', '--out', out])).out,
    )
    expect(schemaErrors(report)).toBe('')
    const bug: BugReport = report.bugs[0]
    const file = readFailure(bug.schedule)
    const { machine } = await frontEndFor(file.recipe.files).load(file.recipe, examples)
    const shown = replaySchedule(machine, file.schedule, examples)
    expect([shown.bug!.kind, shown.location]).toEqual([bug.kind, bug.location])
    expect(shown.preemptions).toBe(bug.preemptions)
    expect(bug.preemptions).toBeLessThanOrEqual(bug.foundPreemptions)
    expect(bug.minimality).not.toBe('unknown')
    machine.usePoints(shown.points)
    expect(removable(machine, shown.failure!)).toBe(0)
    const marks = marksOf(name)
    const named = namedBy(bug)
    rows.push({ name, bug, marks, missed: marks.filter((mark) => !named.has(mark)) })
  }
  it.each(buggy.filter(isNumbered))('%s', check)
  it.runIf(isFull).each(buggy.filter((name) => !isNumbered(name)))('%s', check)

  afterAll(() => {
    const marked = rows.filter(({ marks }) => marks.length > 0)
    const missed = marked.filter((row) => row.missed.length > 0)
    const lines = [
      `preemptions: median ${median(rows.map((r) => r.bug.preemptions))}, ` +
        `as found ${median(rows.map((r) => r.bug.foundPreemptions))}; ` +
        `${rows.filter((r) => r.bug.minimality === 'proven').length} of ${rows.length} proven least`,
      `causes: all marked lines named for ${marked.length - missed.length} of ${marked.length}`,
      ...missed.map(
        ({ name, missed: lost, bug }) =>
          `  ${name}: ${lost.map((l) => basename(l))} not in "${bug.explanation.text}"`,
      ),
    ]
    console.log(lines.join('\n'))
    const share = isFull ? 0.2 : 0.4
    expect(missed.length).toBeLessThanOrEqual(marked.length * share)
  })
})

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
