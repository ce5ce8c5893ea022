import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Runner } from '../execution/runner.js'
import type { Schedule } from '../execution/schedule.js'
import type { Bug } from '../program/bug.js'
import type { Machine } from '../program/machine.js'
import type { Site } from '../program/names.js'
import { InterleavingObserver } from '../reports/interleaving.js'
import type { BugReport, SourceLine } from '../reports/report.js'
import { replay } from '../strategies/replay.js'

/** What one run of a schedule showed. */
export type Replayed = Pick<
  BugReport,
  | 'location'
  | 'function'
  | 'thread'
  | 'threadLabel'
  | 'preemptions'
  | 'output'
  | 'interleaving'
  | 'waits'
  | 'source'
> & {
  readonly bug: Bug | null
  /** Transitions done; fewer than the schedule has if the program ended early. */
  readonly steps: number
}

const sourceContext = 2

/** Runs a schedule once. Throws a `DivergenceError` if the program does something else than recorded. */
export function replaySchedule(machine: Machine, schedule: Schedule, directory: string): Replayed {
  const observer = new InterleavingObserver(machine, schedule)
  const runner = new Runner(machine, { observers: [observer], maxSteps: schedule.steps.length + 1 })
  runner.run(replay(schedule, machine))
  const { bug, trace } = runner
  const site = bug && bug.site >= 0 ? machine.sites[bug.site] : undefined
  return {
    bug,
    steps: trace.length,
    location: site ? locationText(site) : null,
    function: site?.function ?? null,
    thread: bug && bug.thread >= 0 ? machine.threads.names[bug.thread] : null,
    threadLabel: bug && bug.thread >= 0 ? machine.threads.labelOf(bug.thread) : null,
    preemptions: trace.preemptions,
    output: machine.output,
    interleaving: observer.result(bug),
    waits: (bug?.waits ?? []).map((wait) => ({
      thread: machine.threads.labelOf(wait.thread),
      waitsFor: wait.object,
      location: machine.sites[wait.site] ? locationText(machine.sites[wait.site]) : null,
    })),
    source: site ? sourceAround(site, directory) : [],
  }
}

export function locationText(site: Site): string {
  return site.file && site.line ? `${site.file}:${site.line}` : site.name
}

function sourceAround(site: Site, directory: string): SourceLine[] {
  const { file, line } = site
  if (!file || !line) return []
  let lines: string[]
  try {
    lines = readFileSync(resolve(directory, file), 'utf8').split('\n')
  } catch {
    return []
  }
  const from = Math.max(1, line - sourceContext)
  let to = Math.min(lines.length, line + sourceContext)
  while (to > line && lines[to - 1].trim() === '') to--
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => ({
    line: from + i,
    text: lines[from + i - 1],
    isPlace: from + i === line,
  }))
}
