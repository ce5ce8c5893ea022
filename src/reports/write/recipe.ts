import { basename } from 'node:path'
import { count } from '../../words/words.js'
import { briefObject } from '../build/interleaving.js'
import type { BugReport, Walk, WalkStep } from '../report.js'
import { briefMessage, preemptionText, whereText } from './bug-text.js'
import { quoted } from './text.js'
import { type Turn, turnsOf } from './turns.js'
import { indented, wrap } from './wrap.js'

/** Of a turn with more lines than this, beginning and end are shown: what counts is where it stops. */
const mostLines = 9

/**
 * The schedule for somebody with a debugger: thread by thread, through which lines it runs and where it is to be
 * stopped. Steps have the numbers of `--step` and of the page.
 */
export function recipeText(bug: BugReport, width: number, command: string): string {
  const { walk } = bug
  const paragraph = (text: string) => wrap(text, width)
  const files = [...new Set(walk.steps.flatMap(({ file }) => (file === null ? [] : [file])))]
  const lines = [
    ...paragraph(`${bug.kind}: ${briefMessage(bug)}`),
    ...paragraph(`${whereText(bug)}, ${preemptionText(bug)}.`),
    '',
    'Threads',
    ...walk.threads.map((_, thread) => `  ${threadText(walk, thread)}`),
    '',
    ...(files.length > 0 ? [...debuggerHints, ''] : []),
  ]
  turnsOf(walk).forEach((turn, i) => {
    lines.push(...turnText(walk, turn, i + 1, files.length > 1, width), '')
  })
  lines.push(
    ...paragraph(
      'Steps have the numbers that replay --step shows, which walks through them without a debugger:',
    ),
    `  ${command} replay ${quoted(bug.schedule)} --step`,
  )
  return `${lines.join('\n')}\n`
}

const debuggerHints = [
  'Build with -g -O0. Then in gdb:',
  '  set scheduler-locking on   only the chosen thread runs',
  '  info threads, thread N     list them, choose one',
  '  break FILE:LINE thread N   stop that thread at a line',
  '  watch -l OBJECT, stepi     stop within a line',
  'While a thread waits, Ctrl-C brings the prompt back.',
]

function threadText({ threads, steps }: Walk, thread: number): string {
  const name = threads[thread]
  const creation = steps.find(({ operation, object }) => operation === 'create' && object === name)
  if (creation === undefined) return name
  return `${name}, created by ${threads[creation.thread]}${creation.location ? ` at ${creation.location}` : ''}`
}

function turnText(walk: Walk, turn: Turn, n: number, hasFiles: boolean, width: number): string[] {
  const { threads, steps } = walk
  const { thread, first, end } = turn
  const numbers = end - first === 1 ? `step ${end}` : `steps ${first + 1}–${end}`
  const hasBegun = steps.findIndex((step) => step.thread === thread) < first
  const done = linesOf(steps.slice(first, end), hasFiles)
  const kept = (mostLines - 1) / 2
  const left = done.length - 2 * kept
  const shown =
    done.length <= mostLines
      ? done
      : [...done.slice(0, kept), `… ${count(left, 'line')} more`, ...done.slice(-kept)]
  return [
    `${n}. ${threads[thread]} ${hasBegun ? 'goes on' : 'begins'} (${numbers})`,
    ...shown.flatMap((line) => wrap(line, width - 5, 6).map(indented(5))),
    ...stopsOf(walk, turn).flatMap((text) => wrap(`→ ${text}`, width - 3, 2).map(indented(3))),
  ]
}

/** What a thread does, a line for each line of source; accesses that nobody else notices are left out. */
function linesOf(steps: readonly WalkStep[], hasFiles: boolean): string[] {
  const groups: { place: string; what: string[] }[] = []
  for (const step of steps) {
    if (step.isPrivate || step.failed) continue
    const place = placeText(step, hasFiles)
    const text = actionText(step)
    const last = groups.at(-1)
    if (last?.place === place) last.what.push(text)
    else groups.push({ place, what: [text] })
  }
  return groups.map(({ place, what }) => `${place}  ${what.join(', ')}`)
}

function placeText({ file, line, location }: WalkStep, hasFiles: boolean): string {
  if (file === null || line === null) return location ?? ''
  return hasFiles ? `${basename(file)}:${line}` : `line ${line}`
}

function actionText({ operation, object, value }: WalkStep): string {
  const what = [operation, briefObject(object, operation)].filter(Boolean).join(' ')
  return value === null ? what : `${what} (${value})`
}

/** Where the thread is to be stopped, or why it stops by itself. */
function stopsOf({ threads, steps }: Walk, { thread, end }: Turn): string[] {
  const last = steps[end - 1]
  if (last.failed) return [failureText(last)]
  if (end === steps.length) return []
  const { switched } = steps[end]
  const name = threads[thread]
  const next = steps.findIndex((step, i) => i >= end && step.thread === thread)
  if (isStuck(steps[next])) {
    const { operation } = steps[next]
    return switched?.isPreemption && isOwnReason(switched.reason, name)
      ? [`stop ${name}${at(steps[next])}, before: ${switched.next}`]
      : [`${name} ${operation}${at(steps[next])}`]
  }
  // Between the two another thread may have run that did nothing to be shown: then the reason is about that one.
  const isOwn = switched !== null && isOwnReason(switched.reason, name)
  if (isOwn && !switched.isPreemption) {
    const where = next < 0 || switched.reason.endsWith(' has ended') ? null : steps[next].location
    return [`${switched.reason}${where ? `, at ${where}` : ''}`]
  }
  const other = switched && !isOwn && !switched.isPreemption ? [switched.reason] : []
  if (next < 0) return [`stop ${name}${switched?.next ? ` before: ${switched.next}` : ''}`, ...other]
  return [stopText(steps, last, next, name), ...other]
}

function isOwnReason(reason: string, name: string): boolean {
  return reason.startsWith(`${name} `)
}

function failureText(step: WalkStep): string {
  return isStuck(step) ? `${step.operation}${at(step)}, for ever` : `fails${at(step)}: ${step.operation}`
}

/** It waits, and nothing will end that. */
function isStuck(step: WalkStep | undefined): boolean {
  return step?.failed === true && /^(?:waits for|spins on) /.test(step.operation)
}

function at({ operation, location }: WalkStep): string {
  return location === null || operation.includes(location) ? '' : ` at ${location}`
}

/** In words: before what, at which line, the how-manieth time. */
function stopText(steps: readonly WalkStep[], last: WalkStep, next: number, name: string): string {
  const { thread, operation, object, location, stack, file, line } = steps[next]
  const what = [operation, briefObject(object, operation)].filter(Boolean).join(' ')
  const isInside = file !== null && last.file === file && last.line === line && last.stack === stack
  const done = steps
    .slice(0, next)
    .filter((s) => s.thread === thread && s.operation === operation && s.object === object)
    .filter((s) => s.location === location).length
  const time = done === 0 ? '' : `, which it has done ${count(done, 'time')} there`
  const where = location === null ? '' : isInside ? ` within ${location}` : ` at ${location}`
  return `stop ${name}${where}, before: ${what}${time}`
}
