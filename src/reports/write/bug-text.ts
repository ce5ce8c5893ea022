import { basename } from 'node:path'
import { olderThan, since, waitAlternatives } from '../../machine/platform.js'
import { briefFunction } from '../../words/function-name.js'
import { count } from '../../words/words.js'
import type { BugReport, Interleaving, SourceLine, StackReport } from '../report.js'
import type { Paint } from './paint.js'
import { leftText, shortStack, timesText } from './short-stack.js'
import { writeTable } from './table.js'
import { indented, wrap } from './wrap.js'

/** A bug alone: what happened, why, the lines it is about, the interleaving; whole or shortened to about a screen. */
export function bugText(bug: BugReport, width: number, paint: Paint, isWhole = false): string {
  const { explanation, interleaving, source, output } = bug
  const paragraph = (text: string) => wrap(text, width - 2).map(indented(2))
  const lines = [
    ...wrap(`${paint.bad('BUG')} ${paint.strong(bug.kind)}: ${briefMessage(bug)}`, width),
    ...paragraph(`${whereText(bug)}, ${preemptionText(bug)}.`),
    ...inputLines(bug, paragraph),
    '',
    ...paragraph(paint.strong(explanation.text)),
    ...surprises(interleaving).flatMap(paragraph),
  ]
  if (source.length > 0) lines.push('', ...sourceText(source, width, paint))
  if (interleaving.stretches.length > 0) {
    const told = new Set(explanation.steps.map((s) => s.step).filter((s) => s !== null))
    lines.push('', ...writeTable(interleaving, { width, paint, isWhole, told }))
  }
  const stacks = bug.stacks.filter((stack) => isWorthShowing(bug, stack))
  if (stacks.length > 0) lines.push('', ...stacks.flatMap((stack) => stackText(stack, width, paint)))
  if (output !== '') lines.push('', '  The program printed:', ...outputText(output, width))
  return lines.join('\n')
}

/** The input that it takes, if it takes one. */
function inputLines({ input = {} }: BugReport, paragraph: (text: string) => string[]): string[] {
  return Object.keys(input).length === 0 ? [] : paragraph(inputLine(input))
}

/** The values of inputs, for people. */
export function inputLine(input: Readonly<Record<string, string>>): string {
  const parts = Object.entries(input).map(([name, value]) => `${name} = ${readable(value)}`)
  return `Input: ${parts.join(', ')}.`
}

function readable(value: string): string {
  return value.startsWith('text:') ? JSON.stringify(value.slice(5)) : value
}

/** What happened that few people expect, in words. */
export function surprises(interleaving: Interleaving): string[] {
  return [...spuriousText(interleaving), ...weakMemoryText(interleaving)]
}

/** Says which waits ended without a signal. */
function spuriousText({ threads, stretches }: Interleaving): string[] {
  const wakeups = stretches.flatMap(({ thread, actions }) =>
    actions
      .filter(({ operation }) => operation.endsWith(waitAlternatives[1]))
      .map(({ file, line, place }) => `${threads[thread]} (${file === null ? place : `${file}:${line}`})`),
  )
  if (wakeups.length === 0) return []
  const who = wakeups.join(', and of ')
  return [
    `A wait ended without a signal, as it may at any time: that of ${who}. Waiting in a loop until the condition holds is safe.`,
  ]
}

/** Says which accesses did not go by what was stored last: under sequential consistency none does. */
function weakMemoryText({ threads, stretches }: Interleaving): string[] {
  const accesses = stretches.flatMap(({ thread, actions }) =>
    actions
      .filter(({ operation }) => operation.includes(olderThan))
      .map(({ operation, object, file, line, place }) => {
        const [what, rest] = operation.split(olderThan)
        const [newer, why] = rest.split(since)
        const where = `${threads[thread]} at ${file === null ? place : `${file}:${line}`}`
        const reason = why === undefined ? '' : `; that is allowed since ${why}`
        return what.includes('sees ')
          ? `${where} reads an old value of ${object} although ${newer} was stored before${reason}`
          : `${where} stores to ${object}, but ${newer}, stored before, stays the last value${reason}`
      }),
  )
  return accesses.length === 0 ? [] : [`The memory model allows this: ${accesses.join('; ')}.`]
}

/** The message without what is told beside it: the kind, the place, and who waits for what. */
export function briefMessage({ kind, message, location, explanation }: BugReport): string {
  const rest = message.startsWith(`${kind} `) ? message.slice(kind.length + 1) : message
  if (explanation.kind === 'cycle') return rest.replace(/: .*$/s, '')
  const place = ` at ${location}`
  return rest.endsWith(place) ? rest.slice(0, -place.length) : rest
}

export function whereText({ location, function: name, threadLabel, interleaving, waits }: BugReport): string {
  if (waits.length > 0) {
    return `${count(waits.length, 'thread')} of ${interleaving.threads.length} cannot go on`
  }
  if (location === null) return 'at the end of the program'
  const thread = threadLabel && threadLabel !== name ? `, thread ${threadLabel}` : ''
  return `at ${location}${name ? ` in ${briefFunction(name)}` : ''}${thread}`
}

export function preemptionText({ preemptions, minimality, deterministic }: BugReport): string {
  if (deterministic) return 'in the default schedule: deterministic, no special timing is needed'
  if (preemptions === 0) return 'without any preemption'
  const fewer = {
    proven: ' (no schedule with fewer shows it)',
    local: ' (none can be left out)',
    unknown: '',
  }
  return `after ${count(preemptions, 'preemption')}${fewer[minimality]}`
}

/** The lines in question, under the name of their file where there are several. */
function sourceText(source: readonly SourceLine[], width: number, paint: Paint): string[] {
  const digits = Math.max(...source.map((s) => String(s.line).length))
  const files = new Set(source.map((s) => s.file))
  let file = ''
  return source.flatMap((shown, i) => {
    const { line, text, isPlace, isExplained } = shown
    const head = files.size > 1 && shown.file !== file ? [`  ${paint.faint(`${basename(shown.file)}:`)}`] : []
    const gap = shown.file === file && line > source[i - 1].line + 1 ? [`  ${paint.faint('  …')}`] : []
    file = shown.file
    const mark = isPlace ? '✗' : isExplained ? '•' : ' '
    const whole = `${mark} ${String(line).padStart(digits)} | ${text.replaceAll('\t', '  ')}`
    const cut = whole.slice(0, width - 2).trimEnd()
    const painted = isPlace ? paint.bad(cut) : isExplained ? paint.strong(cut) : paint.faint(cut)
    return [...head, ...gap, `  ${painted}`]
  })
}

/** The stack of the failure is told by its place, unless somebody called. */
export function isWorthShowing(bug: BugReport, { title, frames }: StackReport): boolean {
  if (title === 'waits') return bug.explanation.kind === 'cycle' && frames.length > 1
  return title === 'failed' ? frames.length > 1 || bug.stacks.length > 1 : true
}

/** `freed by owner (0.1): drop (racy.c:15), called by owner (racy.c:19)`. */
function stackText({ title, thread, frames }: StackReport, width: number, paint: Paint): string[] {
  const places = shortStack(frames).map((line) => {
    if ('left' in line) return leftText(line.left)
    const { function: name, location } = line.frame
    return `${name}${location ? ` (${basename(location)})` : ''}${timesText(line.times)}`
  })
  const who = thread === null ? '' : ` by ${thread}`
  const head =
    title === 'waits' ? `${thread} waits` : title === 'failed' ? `failed in ${thread}` : `${title}${who}`
  return wrap(`${paint.strong(`${head}:`)} ${places.join(', called by ')}`, width - 2, 2).map(indented(2))
}

const outputLines = 8

function outputText(output: string, width: number): string[] {
  const lines = output.replace(/\n$/, '').split('\n')
  const shown = lines.slice(-outputLines).map((line) => `    ${line.slice(0, width - 4)}`)
  const left = lines.length - outputLines
  return left > 0 ? [`    … ${count(left, 'line')} before`, ...shown] : shown
}
