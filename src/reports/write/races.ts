import { count } from '../../words/words.js'
import type { RaceReport, RaceSideReport, Report } from '../report.js'
import { knowledgeText } from './deepening.js'
import type { Paint } from './paint.js'
import { indented, wrap } from './wrap.js'

/** Races shown on a terminal; the rest is counted. */
const mostRaces = 8

/** The races of a run for people; empty when there are none. */
export function racesText({ races, bugs }: Report, width: number, paint: Paint): string {
  const shown = races.slice(0, mostRaces).map((race) => raceText(race, width, paint))
  const left = races.length - mostRaces
  if (left > 0) shown.push(`  … and ${count(left, 'race')} more; --json lists all.`)
  if (bugs.length === 0) {
    const none =
      'A race is not a bug by itself, and no execution failed. With --fail-on-race it counts as one.'
    shown.push(
      wrap(none, width - 2)
        .map(indented(2))
        .join('\n'),
    )
  }
  return shown.join('\n\n')
}

function raceText(race: RaceReport, width: number, paint: Paint): string {
  const [first, second] = race.sides
  const lines = [
    ...wrap(`${paint.warn('RACE')} ${paint.strong(race.object)}`, width),
    ...sideText(first, width, paint),
    ...sideText(second, width, paint),
    ...wrap(`${capital(race.message)}. ${seenText(race)}.${knownText(race)}`, width - 2).map(indented(2)),
    ...classText(race, width, paint),
  ]
  return lines.join('\n')
}

/** What the race does, if that was found out. */
function classText({ class: name, why, evidence = [] }: RaceReport, width: number, paint: Paint): string[] {
  if (name === undefined) return []
  const lines = wrap(`${paint.strong(capital(name.replace('-', ' ')))}: ${why}`, width - 2).map(indented(2))
  return evidence.length === 0 ? lines : [...lines, `  Evidence: ${evidence.join(', ')}`]
}

export function sideText(side: RaceSideReport, width: number, paint: Paint): string[] {
  const where = `${side.location}${side.function ? ` in ${side.function}` : ''}`
  const who = side.threads.length > 3 ? `${side.threads.length} threads` : side.threads.join(', ')
  const locks =
    side.locks === null
      ? ''
      : side.locks.length === 0
        ? ', holding no lock'
        : `, holding ${side.locks.join(' and ')}`
  const lines = wrap(
    `${who} ${side.threads.length > 1 ? plural(side.action) : side.action} at ${where}${locks}`,
    width - 4,
    2,
  )
  const source = side.source === null ? [] : [paint.faint(`  ${side.source}`.slice(0, width - 4))]
  const callers = side.stack.slice(1, 4).map((frame) => {
    const at = frame.location === null ? '' : ` at ${frame.location}`
    return paint.faint(`  called from ${frame.function}${at}`.slice(0, width - 4))
  })
  return [...lines, ...source, ...callers].map(indented(4))
}

function plural(action: string): string {
  return action.replace('reads', 'read').replace('writes', 'write').replace('frees', 'free')
}

function knownText({ known }: RaceReport): string {
  return known === undefined ? '' : ` Known: ${knowledgeText[known]}.`
}

export function seenText({ seen, execution, inFirstExecution }: RaceReport): string {
  const first = inFirstExecution ? 'in the very first execution' : `in execution ${execution}`
  const [a, b] = seen
  const often =
    b === 0
      ? `in ${count(a, 'execution')}`
      : `in this order in ${count(a, 'execution')}, in the other in ${b}`
  return `Seen first ${first}; ${often}`
}

export function capital(text: string): string {
  return text.replace(/^./, (c) => c.toUpperCase())
}
